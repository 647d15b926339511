# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What kernels become, and what only a GPU can do: another for each device, so test/system/gpu/programs.py leaves this file out.
#
# RUN: %kiln script --device cpu %s | %filecheck %s
using CUDA
function fill_ones(v)
    v[threadIdx().x] = 1
    return
end
v = CUDA.zeros(4)
# CHECK: ; fill_ones(CuDeviceArray{Float32, 1, 1})
# CHECK: define
# CHECK: // fill_ones(CuDeviceArray{Float32, 1, 1})
# CHECK: Float32[1.0, 1.0, 1.0, 1.0]
@device_code_llvm @cuda threads = 4 fill_ones(v)
@device_code_typed @cuda threads = 4 fill_ones(v)
println(v)
# CHECK-NEXT: ArgumentError: clusters of blocks are for GPUs from sm_90 on
try
    @cuda threads = 2 blocks = 2 clustersize = 2 fill_ones(v)
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT: CuModuleFile: PTX and cubins run on GPUs, and this program's device is the CPU
try
    CuModuleFile("a.ptx")
catch e
    println(sprint(showerror, e))
end
