# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LLVM's back end for SPIR-V keeps types and values of a module in its target machine, by their addresses. A worker that used the
# machine again crashed, or gave a pointer the type that a pointer of an earlier kernel had. A process of its own must get the
# same bytes for each kernel (--check-cache).
#
# RUN: rm -rf %t && mkdir %t && cp %s %t/kernels.jl && cd %t
# RUN: echo '{"files": ["kernels.jl"], "targets": ["spirv"], "configs": [{"emit": "obj"}], "jobs": ["a(CuDeviceVector{Int64,1}, CuDeviceVector{Int64,1}, Int64)", "b(CuDeviceVector{Int32,1}, Int32, CuDeviceVector{Int32,1})", "a(CuDeviceVector{Int32,1}, CuDeviceVector{Int64,1}, Int64)", "a(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, Int32)"]}' > jobs.json
# RUN: %kiln precompile jobs.json --jobs 1 --cache c | %filecheck %s
# CHECK: 4 jobs: 0 were there, 4 compiled, 0 failed
# RUN: %kiln compile kernels.jl 'a(CuDeviceVector{Int64,1}, CuDeviceVector{Int64,1}, Int64)' --target spirv --emit obj --cache c --check-cache -o 1.spv
# RUN: %kiln compile kernels.jl 'b(CuDeviceVector{Int32,1}, Int32, CuDeviceVector{Int32,1})' --target spirv --emit obj --cache c --check-cache -o 2.spv
# RUN: %kiln compile kernels.jl 'a(CuDeviceVector{Int32,1}, CuDeviceVector{Int64,1}, Int64)' --target spirv --emit obj --cache c --check-cache -o 3.spv
# RUN: %kiln compile kernels.jl 'a(CuDeviceVector{Int64,1}, CuDeviceVector{Int32,1}, Int32)' --target spirv --emit obj --cache c --check-cache -o 4.spv
using CUDA
function a(q, p, i)
    @inbounds q[1] = p[i] + i
    return
end
function b(q, i, p)
    @inbounds q[1] = p[i] + 1i32
    return
end
