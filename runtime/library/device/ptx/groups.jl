# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/warp
# ptx overlay: the barrier of a cooperative launch, and asynchronous copies into shared memory.

# Address of the grid barrier. The driver passes the address of the launch's workspace in two registers. The workspace
# contains its size, then the barrier.
@inline function grid_barrier()
    high = ccall("llvm.nvvm.read.ptx.sreg.envreg1", llvmcall, UInt32, ())
    low = ccall("llvm.nvvm.read.ptx.sreg.envreg2", llvmcall, UInt32, ())
    address = or_int(shl_int(zext_int(UInt64, high), 32), zext_int(UInt64, low))
    return int_to_pointer(LLVMPtr{UInt32,1}, ifelse(address == 0, address, address + UInt64(4)))
end
@inline function grid_arrive(barrier, expected::UInt32, master::Bool)
    count = ifelse(master, 0x80000000 - (expected - 0x00000001), 0x00000001)
    return inline_assembly(Val(Symbol("atom.add.release.gpu.u32 \$0, [\$1], \$2;")), Val(Symbol("=r,l,r,~{memory}")), UInt32,
                           Tuple{LLVMPtr{UInt32,1},UInt32}, barrier, count)
end
@inline function grid_wait(barrier, token::UInt32)
    while true
        now = inline_assembly(Val(Symbol("ld.acquire.gpu.u32 \$0, [\$1];")), Val(Symbol("=r,l,~{memory}")), UInt32, Tuple{LLVMPtr{UInt32,1}}, barrier)
        (token ⊻ now) & 0x80000000 != 0 && return
    end
end

for (T, name) in ((:UInt32, "llvm.nvvm.cp.async.ca.shared.global.4"), (:(NTuple{2,UInt32}), "llvm.nvvm.cp.async.ca.shared.global.8"), (:(NTuple{4,UInt32}), "llvm.nvvm.cp.async.cg.shared.global.16"))
    @eval @inline function copy_element(to::LLVMPtr{$T,3}, from::LLVMPtr{$T,1})
        if architecture() >= 80i32
            ccall($name, llvmcall, Cvoid, (LLVMPtr{$T,3}, LLVMPtr{$T,1}), to, from)
        else
            unsafe_store!(to, unsafe_load(from))
        end
        return
    end
end
@inline function copies_commit()
    architecture() >= 80i32 && ccall("llvm.nvvm.cp.async.commit.group", llvmcall, Cvoid, ())
    return
end
@inline function copies_wait_all()
    architecture() >= 80i32 && ccall("llvm.nvvm.cp.async.wait.all", llvmcall, Cvoid, ())
    return
end
@inline copies_wait_group(::Val{n}) where {n} = ccall("llvm.nvvm.cp.async.wait.group", llvmcall, Cvoid, (Int32,), rem(n, Int32))
# The instruction takes the number of pending copies as a constant, here at most 8.
@inline function copies_wait(stage)
    if architecture() >= 80i32
        n = rem(stage, Int32)
        n <= 0i32 && return copies_wait_group(Val(0))
        @nexprs 7 i -> (n == i && return copies_wait_group(Val(i)))
        return copies_wait_group(Val(8))
    end
    return
end
