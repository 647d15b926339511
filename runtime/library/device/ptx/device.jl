# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ir
# ptx overlay: functions that read special registers, barriers and fences.

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
@inline sync_threads() = ccall("llvm.nvvm.barrier.cta.sync.aligned.all", llvmcall, Cvoid, (UInt32,), 0x00000000)
@inline sync_warp() = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), 0xffffffff)
@inline sync_warp(mask) = ccall("llvm.nvvm.bar.warp.sync", llvmcall, Cvoid, (UInt32,), rem(mask, UInt32))
@inline threadfence() = ccall("llvm.nvvm.membar.gl", llvmcall, Cvoid, ())
@inline threadfence_block() = ccall("llvm.nvvm.membar.cta", llvmcall, Cvoid, ())
@inline threadfence_system() = ccall("llvm.nvvm.membar.sys", llvmcall, Cvoid, ())
@inline nanosleep(t) = ccall("llvm.nvvm.nanosleep", llvmcall, Cvoid, (UInt32,), rem(t, UInt32))
@inline barrier_sync(id=0) = ccall("llvm.nvvm.barrier.cta.sync.all", llvmcall, Cvoid, (UInt32,), rem(id, UInt32))
for (f, name, R) in (
    (:sync_threads_count, "llvm.nvvm.barrier.cta.red.popc.aligned.all", :Int32),
    (:sync_threads_and, "llvm.nvvm.barrier.cta.red.and.aligned.all", :Bool), (:sync_threads_or, "llvm.nvvm.barrier.cta.red.or.aligned.all", :Bool))
    @eval @inline $f(predicate) = ccall($name, llvmcall, $R, (UInt32, Bool), 0x00000000, predicate != 0)
end
@inline clock(::Type{UInt32}) = ccall("llvm.nvvm.read.ptx.sreg.clock", llvmcall, UInt32, ())
@inline clock(::Type{UInt64}) = ccall("llvm.nvvm.read.ptx.sreg.clock64", llvmcall, UInt64, ())
@inline globaltimer() = ccall("llvm.nvvm.read.ptx.sreg.globaltimer", llvmcall, UInt64, ())
@inline dynamic_smem_size() = inline_assembly(Val(Symbol("mov.u32 \$0, %dynamic_smem_size;")), Val(Symbol("=r")), UInt32, Tuple{})
# Compute capability, as 90 for sm_90. Becomes a constant when the module is linked.
@inline architecture() = div(ccall("extern __nvvm_reflect", llvmcall, Int32, (Ptr{UInt8},), device_string(Val(:__CUDA_ARCH))), 10i32)
# PTX ISA version, as 88 for version 8.8. Becomes a constant when the module is linked.
@inline ptx_isa() = ccall("extern __nvvm_reflect", llvmcall, Int32, (Ptr{UInt8},), device_string(Val(:__KILN_PTX_ISA)))

# Calls CUDA's vprintf, which reads the argument values from memory.
@inline function print_promoted(::Val{format}, args::Tuple) where {format}
    memory = stack_alloc(typeof(args), Val(1))
    pointer_store(memory, args, 0, Val(0))
    return foreign_call(:vprintf, Int32, Tuple{Ptr{UInt8},LLVMPtr{UInt8,0}}, device_string(Val(format)), pointer_cast(LLVMPtr{UInt8,0}, memory))
end
@inline print_promoted(::Val{format}, ::Tuple{}) where {format} =
    foreign_call(:vprintf, Int32, Tuple{Ptr{UInt8},LLVMPtr{UInt8,0}}, device_string(Val(format)), int_to_pointer(LLVMPtr{UInt8,0}, UInt64(0)))

# A kernel creates streams through CUDA's device runtime, with flag cudaStreamNonBlocking.
function new_device_stream()
    handle = stack_alloc(UInt64, Val(1))
    code = foreign_call(:__cudaCDP2StreamCreateWithFlags, Int32, Tuple{LLVMPtr{UInt8,0},UInt32}, pointer_cast(LLVMPtr{UInt8,0}, handle), 0x00000001)
    code == 0i32 || error("a kernel cannot make a stream")
    return unsafe_load(handle)
end
function destroy_device_stream(handle)
    foreign_call(:__cudaCDP2StreamDestroy, Int32, Tuple{UInt64}, handle)
    return
end
