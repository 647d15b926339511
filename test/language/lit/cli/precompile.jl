# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# kiln precompile: a manifest of candidates; what is there is not compiled again; shards; after it a program compiles nothing.
# RUN: rm -rf %t && mkdir %t && cp %S/inputs/manifests/* %t && cd %t
# RUN: %kiln precompile good.json --dry-run | sort > listed
# RUN: %filecheck %s --check-prefix=LIST < listed
# LIST: copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}) for sm_80
# LIST-NEXT: copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}) for sm_80 debug_level=0
# LIST-NEXT: copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}) for sm_80 opt_level=3 debug_level=0
# LIST-NEXT: copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}) for sm_90
# LIST-NEXT: sm_90 debug_level=0
# LIST-NEXT: sm_90 opt_level=3 debug_level=0
# LIST-NEXT: this CPU
# LIST-NEXT: this CPU debug_level=0
# LIST-NEXT: this CPU opt_level=3 debug_level=0
# LIST-NEXT: fill!(CuDeviceVector{Float32,1}, Val{16}) for this CPU
# LIST-NEXT: fill!(CuDeviceVector{Float32,1}, Val{1}) for this CPU
# LIST-NEXT: Float32,1}, Val{4}
# LIST-NEXT: Float32,1}, Val{8}
# LIST-NEXT: Int32,1}, Val{16}
# LIST-NEXT: Int32,1}, Val{1}
# LIST-NEXT: Int32,1}, Val{4}
# LIST-NEXT: Int32,1}, Val{8}
# LIST-NOT: !(
# RUN: %kiln cache stat --cache c | %filecheck %s --check-prefix=EMPTY
# EMPTY: entries: 0
#
# Shards are disjoint, and all jobs are in one of them, whatever folder they are called from.
# RUN: %kiln precompile good.json --dry-run --shard 1/3 > parts
# RUN: %kiln precompile good.json --dry-run --shard 2/3 >> parts
# RUN: cd / && %kiln precompile %t/good.json --dry-run --shard 3/3 >> %t/parts
# RUN: cd %t && sort parts | diff - listed
#
# In two steps: the second finds what the first has left.
# RUN: %kiln precompile good.json --cache c --jobs 2 --shard 1/2 | %filecheck %s --check-prefix=PART
# PART: {{[0-9]+}} jobs: 0 were there, {{[0-9]+}} compiled, 0 failed
# RUN: %kiln precompile good.json --cache c --jobs 2 | %filecheck %s --check-prefix=REST
# REST: 17 jobs: {{[1-9][0-9]*}} were there, {{[1-9][0-9]*}} compiled, 0 failed
# RUN: %kiln precompile good.json --cache c --jobs 2 | %filecheck %s --check-prefix=ALL
# ALL: 17 jobs: 17 were there, 0 compiled, 0 failed
#
# The program that was meant compiles nothing: no stage of the compiler is in its table.
# RUN: %kiln run kernels.jl fill! --arg 'ones(Float32, 4)' --arg 'Val(4)' --device cpu --threads 4 --cache c --out 1=y.npy --timings=json 2> times
# RUN: %npy show y.npy | %filecheck %s --check-prefix=SIX
# SIX: values 6.0 6.0 6.0 6.0
# RUN: %filecheck %s --check-prefix=WARM < times
# WARM: "rows"
# WARM-NOT: IR generation
# WARM-NOT: inference
# RUN: %kiln compile kernels.jl 'copy!(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})' --target ptx --arch sm_80 -o y.ptx --cache c --timings=json 2> times
# RUN: %filecheck %s --check-prefix=WARM < times
#
# Jobs that fail are shown with their diagnostics and where they are asked for; the others are compiled all the same.
# RUN: %status 1 %kiln precompile failing.json --cache c2 > out 2> err
# RUN: %filecheck %s --check-prefix=FAILED < err
# RUN: %filecheck %s --check-prefix=COUNTED < out
# COUNTED: 3 jobs: 0 were there, 1 compiled, 2 failed
# FAILED: failed: copy!(CuDeviceVector{Float32,1}) for this CPU (failing.json:5)
# FAILED: MethodError[102]: no method matching copy!(::CuDeviceArray{Float32, 1, 1})
# FAILED: failed: copy!(Nowhere) for this CPU (failing.json:6)
# FAILED: UndefVarError
# FAILED: error[100]: 2 of 3 jobs failed
# RUN: %kiln precompile small.json --cache c2 | %filecheck %s --check-prefix=ONE
# ONE: 1 job: 1 were there, 0 compiled, 0 failed
#
# Usage, and a folder that cannot be used.
# RUN: %status 2 %kiln precompile good.json --shard 4/3 2>&1 | %filecheck %s --check-prefix=SHARD
# SHARD: --shard takes I/N, such as 2/8: the second of eight, or auto or auto/N, not `4/3`
# RUN: %status 2 %kiln precompile good.json --shard 0/3
# RUN: %status 2 %kiln precompile good.json --shard 1
# RUN: %status 2 %kiln precompile good.json --jobs 0
# RUN: %status 2 %kiln precompile good.json --no-cache
# RUN: %status 2 %kiln precompile good.json 2>&1 | %filecheck %s --check-prefix=NOWHERE
# NOWHERE: there is no cache folder to fill
# Dumps keep nothing from being kept.
# RUN: env KILN_DUMP_DIR=%t/dump %kiln precompile small.json --cache c4 | %filecheck %s --check-prefix=DUMPED
# DUMPED: 1 job: 0 were there, 1 compiled, 0 failed
# RUN: ls dump | %filecheck %s --check-prefix=DUMP
# DUMP: .lowered.jl
# RUN: env KILN_DUMP_DIR=%t/dump %kiln precompile small.json --cache c4 | %filecheck %s --check-prefix=ONE
# RUN: %status 2 %kiln precompile
# RUN: %status 1 %kiln precompile none.json
# RUN: %status 3 %kiln precompile small.json --cache /dev/null/c 2>&1 | %filecheck %s --check-prefix=UNUSABLE
# UNUSABLE: error[300]: nothing was kept
# RUN: env KILN_CUDA_HOME=/nowhere %kiln precompile ptx.json --cache c3 --jobs 1 2>&1 | %filecheck %s --check-prefix=PTX
# PTX: 1 job: 0 were there, 1 compiled, 0 failed
#
# The example of docs/cache.md.
# RUN: cp %examples/manifest.json %examples/saxpy.jl . && %kiln precompile manifest.json --cache example | %filecheck %s --check-prefix=EXAMPLE
# EXAMPLE: 18 jobs: 0 were there, 18 compiled, 0 failed
