# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ptx overlay: special registers, barriers and fences.

for (f, name) in ((:thread_idx_x, "llvm.nvvm.read.ptx.sreg.tid.x"), (:thread_idx_y, "llvm.nvvm.read.ptx.sreg.tid.y"), (:thread_idx_z, "llvm.nvvm.read.ptx.sreg.tid.z"),
    (:block_idx_x, "llvm.nvvm.read.ptx.sreg.ctaid.x"), (:block_idx_y, "llvm.nvvm.read.ptx.sreg.ctaid.y"), (:block_idx_z, "llvm.nvvm.read.ptx.sreg.ctaid.z"),
    (:block_dim_x, "llvm.nvvm.read.ptx.sreg.ntid.x"), (:block_dim_y, "llvm.nvvm.read.ptx.sreg.ntid.y"), (:block_dim_z, "llvm.nvvm.read.ptx.sreg.ntid.z"),
    (:grid_dim_x, "llvm.nvvm.read.ptx.sreg.nctaid.x"), (:grid_dim_y, "llvm.nvvm.read.ptx.sreg.nctaid.y"), (:grid_dim_z, "llvm.nvvm.read.ptx.sreg.nctaid.z"))
    @eval @inline $f() = ccall($name, llvmcall, Int32, ())
end
@inline laneid() = add_int(ccall("llvm.nvvm.read.ptx.sreg.laneid", llvmcall, Int32, ()), trunc_int(Int32, 1))
@inline sync_threads() = ccall("llvm.nvvm.barrier0", llvmcall, Cvoid, ())
@inline sync_warp() = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), 0xffffffff)
@inline sync_warp(mask) = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), rem(mask, UInt32))
@inline threadfence() = ccall("llvm.nvvm.membar.gl", llvmcall, Cvoid, ())
@inline threadfence_block() = ccall("llvm.nvvm.membar.cta", llvmcall, Cvoid, ())
@inline threadfence_system() = ccall("llvm.nvvm.membar.sys", llvmcall, Cvoid, ())
@inline nanosleep(t) = ccall("llvm.nvvm.nanosleep", llvmcall, Cvoid, (UInt32,), rem(t, UInt32))
