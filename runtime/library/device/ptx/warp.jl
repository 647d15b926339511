# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; overlay: ptx; after: device/ptx/integers
# ptx overlay: shuffles of one 32-bit word, votes and matches.

# Packs the mask of the segment and the last valid source lane into one word, as the shuffle instruction requires.
@inline shuffle_bounds(width, last::UInt32) = or_int(shl_int(rem(32 - width, UInt32), 8), last)
for (f, last, first, name, float_name) in (
    (:shfl_sync, 0x0000001f, 1, "llvm.nvvm.shfl.sync.idx.i32", "llvm.nvvm.shfl.sync.idx.f32"),
    (:shfl_up_sync, 0x00000000, 0, "llvm.nvvm.shfl.sync.up.i32", "llvm.nvvm.shfl.sync.up.f32"),
    (:shfl_down_sync, 0x0000001f, 0, "llvm.nvvm.shfl.sync.down.i32", "llvm.nvvm.shfl.sync.down.f32"),
    (:shfl_xor_sync, 0x0000001f, 0, "llvm.nvvm.shfl.sync.bfly.i32", "llvm.nvvm.shfl.sync.bfly.f32"))
    @eval begin
        @inline $f(mask, val::Union{Int32,UInt32}, src, width=32) =
            ccall($name, llvmcall, typeof(val), (UInt32, typeof(val), UInt32, UInt32), rem(mask, UInt32), val, rem(src - $first, UInt32), shuffle_bounds(width, $last))
        @inline $f(mask, val::Float32, src, width=32) =
            ccall($float_name, llvmcall, Float32, (UInt32, Float32, UInt32, UInt32), rem(mask, UInt32), val, rem(src - $first, UInt32), shuffle_bounds(width, $last))
    end
end

for (f, name, R) in (
    (:vote_all_sync, "llvm.nvvm.vote.all.sync", :Bool), (:vote_any_sync, "llvm.nvvm.vote.any.sync", :Bool),
    (:vote_uni_sync, "llvm.nvvm.vote.uni.sync", :Bool), (:vote_ballot_sync, "llvm.nvvm.vote.ballot.sync", :UInt32))
    @eval @inline $f(mask, predicate) = ccall($name, llvmcall, $R, (UInt32, Bool), rem(mask, UInt32), Bool(predicate))
end
for (W, any_name, all_name) in (
    (:UInt32, "llvm.nvvm.match.any.sync.i32", "llvm.nvvm.match.all.sync.i32p"),
    (:UInt64, "llvm.nvvm.match.any.sync.i64", "llvm.nvvm.match.all.sync.i64p"))
    @eval begin
        @inline match_any_bits(mask, value::$W) = ccall($any_name, llvmcall, UInt32, (UInt32, $W), mask, value)
        @inline match_all_bits(mask, value::$W) = ccall($all_name, llvmcall, Tuple{UInt32,Bool}, (UInt32, $W), mask, value)
    end
end
@inline match_any_sync(mask, value) = match_any_bits(rem(mask, UInt32), match_word(value))
@inline match_all_sync(mask, value) = match_all_bits(rem(mask, UInt32), match_word(value))

for (op, name) in (
    (:(==), "llvm.nvvm.read.ptx.sreg.lanemask.eq"), (:<, "llvm.nvvm.read.ptx.sreg.lanemask.lt"), (:<=, "llvm.nvvm.read.ptx.sreg.lanemask.le"),
    (:>=, "llvm.nvvm.read.ptx.sreg.lanemask.ge"), (:>, "llvm.nvvm.read.ptx.sreg.lanemask.gt"))
    @eval @inline lanemask(::typeof($op)) = ccall($name, llvmcall, UInt32, ())
end
@inline active_mask() = inline_assembly(Val(Symbol("activemask.b32 \$0;")), Val(Symbol("=r")), UInt32, Tuple{})
@inline fns(mask::Union{Int32,UInt32}, base::Integer, offset::Integer=0) =
    ccall("llvm.nvvm.fns", llvmcall, Int32, (UInt32, UInt32, Int32), rem(mask, UInt32), rem(base, UInt32), rem(offset, Int32))

# 16-bit compare-and-swap as inline PTX: LLVM does not select the instruction.
for (A, text) in ((0, "atom.cas.b16 \$0, [\$1], \$2, \$3;"), (1, "atom.global.cas.b16 \$0, [\$1], \$2, \$3;"), (3, "atom.shared.cas.b16 \$0, [\$1], \$2, \$3;"))
    @eval @inline atomic_cas!(ptr::LLVMPtr{T,$A}, cmp::T, val::T) where {T<:Union{Int16,UInt16}} =
        inline_assembly(Val(Symbol($text)), Val(Symbol("=h,l,h,h,~{memory}")), T, Tuple{LLVMPtr{T,$A},T,T}, ptr, cmp, val)
end
@inline atomic_cas!(ptr::LLVMPtr{T,A}, cmp::T, val::T) where {T<:Union{Float16,BFloat16},A} =
    reinterpret(T, atomic_cas!(pointer_cast(LLVMPtr{UInt16,A}, ptr), reinterpret(UInt16, cmp), reinterpret(UInt16, val)))
