# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Intrinsics under the names that they had before LLVM 22, as in programs of CUDA.jl: the instructions of PTX.
#
# RUN: %kiln compile %s 'barriers(CuDeviceVector{Int32,1})' --target ptx -g0 -o %t.ptx
# RUN: %filecheck %s < %t.ptx
# CHECK: bar.sync 0;
# CHECK: bar.sync 1;
# CHECK: bar.sync 2;
# CHECK: barrier.sync 3;
# CHECK: bar.sync 4, 64;
# CHECK: barrier.sync 5, 96;
# CHECK: bar.red.popc.u32
# CHECK: bar.red.and.pred
# CHECK: bar.red.or.pred
# RUN: %kiln compile %s 'counters(CuDeviceVector{Int32,1})' --target ptx -g0 -o %t.counters.ptx
# RUN: %filecheck %s --check-prefix=COUNT < %t.counters.ptx
# COUNT: atom.global.inc.u32 {{.*}}, 7;
# COUNT: atom.global.dec.u32 {{.*}}, 9;
#
# Another type is another function.
# RUN: %status 1 %kiln compile %s 'another(CuDeviceVector{Int64,1})' --target ptx 2>&1 | %filecheck %s --check-prefix=ANOTHER
# ANOTHER: LLVM has no intrinsic `llvm.nvvm.barrier0.popc`

using CUDA

function barriers(y)
    ccall("llvm.nvvm.barrier0", llvmcall, Cvoid, ())
    ccall("llvm.nvvm.barrier.n", llvmcall, Cvoid, (Int32,), 1i32)
    ccall("llvm.nvvm.bar.sync", llvmcall, Cvoid, (Int32,), 2i32)
    ccall("llvm.nvvm.barrier.sync", llvmcall, Cvoid, (Int32,), 3i32)
    ccall("llvm.nvvm.barrier", llvmcall, Cvoid, (Int32, Int32), 4i32, 64i32)
    ccall("llvm.nvvm.barrier.sync.cnt", llvmcall, Cvoid, (Int32, Int32), 5i32, 96i32)
    @inbounds y[1] = ccall("llvm.nvvm.barrier0.popc", llvmcall, Int32, (Int32,), y[4])
    @inbounds y[2] = ccall("llvm.nvvm.barrier0.and", llvmcall, Int32, (Int32,), y[5])
    @inbounds y[3] = ccall("llvm.nvvm.barrier0.or", llvmcall, Int32, (Int32,), y[6])
    return
end

function counters(y)
    p = pointer(y)
    ccall("llvm.nvvm.atomic.load.inc.32", llvmcall, Int32, (Core.LLVMPtr{Int32,1}, Int32), p, 7i32)
    ccall("llvm.nvvm.atomic.load.dec.32", llvmcall, Int32, (Core.LLVMPtr{Int32,1}, Int32), p, 9i32)
    return
end

function another(y)
    @inbounds y[1] = ccall("llvm.nvvm.barrier0.popc", llvmcall, Int64, (Int64,), y[2])
    return
end
