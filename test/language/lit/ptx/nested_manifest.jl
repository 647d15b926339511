# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# deferred_codegen_in: code of a nested job, whose config a manifest names. In Float32 (x + 1e8) - 1e8 is rounded twice; a job
# that may reassociate has x. 1e8 is 0x4CBEBC20.
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/nested.jl && cd %t
# RUN: echo '{"files": ["nested.jl"], "targets": [{"target": "ptx", "arch": "sm_90"}], "jobs": ["shift(CuDeviceVector{Float32,1})"], "configs": [{"emit": "asm", "nested": {"ad": {"fastmath": true}}}]}' > relaxed.json
# RUN: sed 's/"fastmath": true//' relaxed.json > strict.json
# RUN: env KILN_DUMP_DIR=relaxed %kiln precompile relaxed.json --cache c | %filecheck %s --check-prefix=MADE
# RUN: env KILN_DUMP_DIR=strict %kiln precompile strict.json --cache c | %filecheck %s --check-prefix=MADE
# MADE: 1 job: 0 were there, 1 compiled, 0 failed
# RUN: cat relaxed/*.ptx | %filecheck %s --check-prefix=RELAXED
# RELAXED: .visible .entry _Z5shift
# RELAXED-NOT: 0f4CBEBC20
# RUN: cat strict/*.ptx | %filecheck %s --check-prefix=STRICT
# STRICT: .visible .entry _Z5shift
# STRICT: add{{.*}}.f32 {{.*}}0f4CBEBC20
# RUN: %kiln precompile relaxed.json --cache c | %filecheck %s --check-prefix=THERE
# THERE: 1 job: 1 were there, 0 compiled, 0 failed
#
# Each of a list is a job; the assembler takes them.
# RUN: sed 's/"nested": {"ad": {"fastmath": true}}/"nested": [{"ad": {"fastmath": true}}, {"ad": {}}]/; s/"asm"/"cubin"/' relaxed.json > two.json
# RUN: %if ptxas %{ %kiln precompile two.json --cache c2 | %filecheck %s --check-prefix=TWO %}
# TWO: 2 jobs: 0 were there, 2 compiled, 0 failed
#
# What cannot be.
# RUN: sed 's/"ad"/"other"/' relaxed.json > other.json
# RUN: %status 1 %kiln precompile other.json --cache c 2>&1 | %filecheck %s --check-prefix=OTHER
# OTHER: no nested config `ad`
# RUN: sed 's/"fastmath"/"wings"/' relaxed.json > wrong.json
# RUN: %status 1 %kiln precompile wrong.json --cache c 2>&1 | %filecheck %s --check-prefix=WRONG
# WRONG: wrong.json:1:{{.*}}there is no option "wings"
# RUN: sed 's/"nested": {"ad": {"fastmath": true}}/"nested": 3/' relaxed.json > number.json
# RUN: %status 1 %kiln precompile number.json --cache c 2>&1 | %filecheck %s --check-prefix=NUMBER
# NUMBER: "nested" is an object, not a number

using CUDA

there_and_back(x) = (x + 1f8) - 1f8
function shift(y)
    i = threadIdx().x
    @inbounds y[i] = ccall(deferred_codegen_in(Val(:ad), there_and_back, Float32), Float32, (Float32,), y[i])
    return
end
