# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --language: a language in a library outside the tree, through compile, run, precompile, bundle and cache explain.
# RUN: rm -rf %t && mkdir %t && cd %t && printf 'plus3 3\nplus4 4\n' > kernels.add && cp %s own.jl
# RUN: %kiln compile kernels.add plus3 --language %libraries/adders.so --emit llvm-opt | %filecheck %s --check-prefix=IR
# IR: define {{.*}}plus3
# IR: fadd float {{.*}}3.0
#
# The trace names the language of the call and of each file.
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln compile kernels.add plus3 --language %libraries/adders.so --emit obj -o a.o
# RUN: env KILN_TRACE_JOBS=%t/trace %kiln compile kernels.add plus4 --language %libraries/adders.so --target ptx --arch sm_80 -o a.ptx
# RUN: %filecheck %s --check-prefix=TRACE < trace
# TRACE: {"kiln_trace":2,"language":"adders","call":"plus3({{.*}}"files":[{"name":"kernels.add",{{.*}}"language":"adders"
# TRACE: {"kiln_trace":2,"language":"adders","call":"plus4(
#
# What precompile has made no later process compiles.
# RUN: %kiln precompile trace --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=FIRST
# FIRST: 2 jobs: 0 were there, 2 compiled, 0 failed
# RUN: %kiln precompile trace --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=SECOND
# SECOND: 2 jobs: 2 were there, 0 compiled, 0 failed
# RUN: %kiln compile kernels.add plus3 --language %libraries/adders.so --emit obj -o b.o --cache cache --timings=json 2> times
# RUN: cmp a.o b.o
# RUN: %filecheck %s --check-prefix=WARM < times
# WARM: "rows"
# WARM-NOT: IR generation
# WARM-NOT: inference
# RUN: %kiln cache explain trace --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=EXPLAIN
# EXPLAIN: plus3(CuDeviceArray{Float32, 1, 1}) for
# EXPLAIN: hit:
# EXPLAIN: plus4(CuDeviceArray{Float32, 1, 1}) for
# EXPLAIN: hit:
# RUN: %kiln cache explain kernels.add plus3 --no-kernel --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=HIT
# HIT: hit:
# RUN: %kiln cache verify trace --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=VERIFY
# VERIFY: were made again, 0 of them differed
#
# A manifest names it too, for calls and for files that are not Julia's. A list may have jobs of several languages.
# RUN: echo '{"jobs": ["half(CuDeviceVector{Float32,1})",' > list.json
# RUN: echo ' {"call": "plus3", "language": "adders", "files": ["kernels.add"]}], "files": ["own.jl"]}' >> list.json
# RUN: %kiln precompile list.json --language %libraries/adders.so --cache cache | %filecheck %s --check-prefix=LIST
# LIST: 2 jobs: 0 were there, 2 compiled, 0 failed
# RUN: %kiln bundle list.json --language %libraries/adders.so --cache cache -o kernels.kiln | %filecheck %s --check-prefix=BUNDLE
# BUNDLE: 2 kernels,
# RUN: %kiln precompile list.json --language %libraries/adders.so --dry-run | %filecheck %s --check-prefix=DRY
# DRY: half(CuDeviceVector{Float32,1}) for
# DRY: plus3 for
#
# A language that the session lacks: the error names it, the job's place and what to do, and the other jobs are compiled.
# RUN: %status 1 %kiln precompile trace --cache other 2>&1 | %filecheck %s --check-prefix=LACKS
# LACKS: failed: {{.*}}(trace:1)
# LACKS: trace:1:1: {{.*}}rror[{{[0-9]+}}]: the call plus3(CuDeviceArray{Float32, 1, 1}) is written in the language adders, which this session does not have: it has julia
# LACKS: load the language: --language libNAME.so
# LACKS: 2 jobs: 0 were there, 0 compiled, 2 failed
# RUN: %status 1 %kiln precompile list.json --cache other 2>&1 | %filecheck %s --check-prefix=PART
# PART: list.json:2:11: {{.*}}rror[{{[0-9]+}}]: the call plus3 is written in the language adders
# PART: 2 jobs: 0 were there, 1 compiled, 1 failed
# RUN: %status 1 %kiln bundle list.json --cache other -o none.kiln 2>&1 | %filecheck %s --check-prefix=NOBUNDLE
# NOBUNDLE: {{.*}}rror[{{[0-9]+}}]: the call plus3 is written in the language adders, which this session does not have
# NOBUNDLE: so no bundle was written
# RUN: %status 1 %kiln cache explain trace --cache cache 2>&1 | %filecheck %s --check-prefix=NOEXPLAIN
# NOEXPLAIN: trace:1:1: {{.*}}rror[{{[0-9]+}}]: the call plus3({{.*}}) is written in the language adders, which this session does not have: it has julia
# RUN: echo '{"language": 3, "jobs": []}' > wrong.json && %status 1 %kiln precompile wrong.json 2>&1 | %filecheck %s --check-prefix=NUMBER
# NUMBER: wrong.json:1:14: {{.*}}rror[{{[0-9]+}}]: "language" is a string, not a number
# RUN: echo '{"language": "", "jobs": []}' > wrong.json && %status 1 %kiln precompile wrong.json 2>&1 | %filecheck %s --check-prefix=NONAME
# NONAME: {{.*}}rror[{{[0-9]+}}]: "language" is empty
#
# A file of the language with a fault.
# RUN: echo 'plus3' > faulty.add && %status 1 %kiln compile faulty.add plus3 --language %libraries/adders.so 2>&1 | %filecheck %s --check-prefix=FAULT
# FAULT: faulty.add:1:1: {{.*}}rror[{{[0-9]+}}]: a line is a name and a number

function half(y)
    i = threadIdx().x
    i <= length(y) && (y[i] /= 2)
    return
end
