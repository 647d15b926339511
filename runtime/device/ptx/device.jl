# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ptx overlay: special registers, barriers and fences.

for (f, x, y, z, first) in (
    (:threadIdx, "llvm.nvvm.read.ptx.sreg.tid.x", "llvm.nvvm.read.ptx.sreg.tid.y", "llvm.nvvm.read.ptx.sreg.tid.z", 1),
    (:blockIdx, "llvm.nvvm.read.ptx.sreg.ctaid.x", "llvm.nvvm.read.ptx.sreg.ctaid.y", "llvm.nvvm.read.ptx.sreg.ctaid.z", 1),
    (:blockDim, "llvm.nvvm.read.ptx.sreg.ntid.x", "llvm.nvvm.read.ptx.sreg.ntid.y", "llvm.nvvm.read.ptx.sreg.ntid.z", 0),
    (:gridDim, "llvm.nvvm.read.ptx.sreg.nctaid.x", "llvm.nvvm.read.ptx.sreg.nctaid.y", "llvm.nvvm.read.ptx.sreg.nctaid.z", 0))
    @eval @inline function $f()
        a = ccall($x, llvmcall, Int32, ())
        b = ccall($y, llvmcall, Int32, ())
        c = ccall($z, llvmcall, Int32, ())
        d = trunc_int(Int32, $first)
        return newtuple_(Index3, add_int(a, d), add_int(b, d), add_int(c, d))
    end
end
@inline laneid() = add_int(ccall("llvm.nvvm.read.ptx.sreg.laneid", llvmcall, Int32, ()), trunc_int(Int32, 1))
@inline sync_threads() = ccall("llvm.nvvm.barrier0", llvmcall, Cvoid, ())
@inline sync_warp() = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), 0xffffffff)
@inline sync_warp(mask) = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), rem(mask, UInt32))
@inline threadfence() = ccall("llvm.nvvm.membar.gl", llvmcall, Cvoid, ())
@inline threadfence_block() = ccall("llvm.nvvm.membar.cta", llvmcall, Cvoid, ())
@inline threadfence_system() = ccall("llvm.nvvm.membar.sys", llvmcall, Cvoid, ())
@inline nanosleep(t) = ccall("llvm.nvvm.nanosleep", llvmcall, Cvoid, (UInt32,), rem(t, UInt32))
