# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Operations of the threads of a warp. A GPU target overlays what exchanges one word; values of other types go through
# it in parts. Masks have one bit a lane, lanes count from 1.

const WarpWord = Union{Int32,UInt32,Float32}

@inline lane_bit() = shl_int(0x00000001, rem(laneid() - 1i32, UInt32))
@inline lanemask(::typeof(==)) = lane_bit()
@inline lanemask(::typeof(<)) = lane_bit() - 0x00000001
@inline lanemask(::typeof(<=)) = (lane_bit() - 0x00000001) | lane_bit()
@inline lanemask(::typeof(>=)) = ~(lane_bit() - 0x00000001)
@inline lanemask(::typeof(>)) = ~((lane_bit() - 0x00000001) | lane_bit())

for (f, text) in (
    (:shfl_sync, "shfl_sync on the CPU: its device has no warps; compile for ptx"),
    (:shfl_up_sync, "shfl_up_sync on the CPU: its device has no warps; compile for ptx"),
    (:shfl_down_sync, "shfl_down_sync on the CPU: its device has no warps; compile for ptx"),
    (:shfl_xor_sync, "shfl_xor_sync on the CPU: its device has no warps; compile for ptx"))
    @eval begin
        @inline $f(mask, val::WarpWord, src, width=32) = compile_error($text)
        @inline $f(mask, val, src, width=32) = shfl_recurse(x -> $f(mask, x, src, width), val)
    end
end
for (f, text) in (
    (:vote_all_sync, "vote_all_sync on the CPU: its device has no warps; compile for ptx"),
    (:vote_any_sync, "vote_any_sync on the CPU: its device has no warps; compile for ptx"),
    (:vote_uni_sync, "vote_uni_sync on the CPU: its device has no warps; compile for ptx"),
    (:vote_ballot_sync, "vote_ballot_sync on the CPU: its device has no warps; compile for ptx"),
    (:match_any_sync, "match_any_sync on the CPU: its device has no warps; compile for ptx"),
    (:match_all_sync, "match_all_sync on the CPU: its device has no warps; compile for ptx"))
    @eval @inline $f(mask, value) = compile_error($text)
end
active_mask() = compile_error("active_mask on the CPU: its device has no warps; compile for ptx")

# How `op`, a shuffle of one word, is applied to a value of another type. Users add methods for their own types where
# not every field shall travel.
@inline shfl_recurse(op, x::Union{Bool,UInt8,UInt16}) = rem(op(rem(x, UInt32)), typeof(x))
@inline shfl_recurse(op, x::Int8) = reinterpret(Int8, shfl_recurse(op, reinterpret(UInt8, x)))
@inline shfl_recurse(op, x::Union{Int16,Float16,BFloat16}) = reinterpret(typeof(x), shfl_recurse(op, reinterpret(UInt16, x)))
@inline function shfl_recurse(op, x::UInt64)
    high = zext_int(UInt64, op(trunc_int(UInt32, lshr_int(x, 32))))
    low = zext_int(UInt64, op(trunc_int(UInt32, x)))
    return or_int(shl_int(high, 32), low)
end
@inline shfl_recurse(op, x::Union{Int64,Float64}) = reinterpret(typeof(x), shfl_recurse(op, reinterpret(UInt64, x)))
@inline function shfl_recurse(op, x::UInt128)
    high = zext_int(UInt128, op(trunc_int(UInt64, lshr_int(x, 64))))
    low = zext_int(UInt128, op(trunc_int(UInt64, x)))
    return or_int(shl_int(high, 64), low)
end
@inline shfl_recurse(op, x::Int128) = reinterpret(Int128, shfl_recurse(op, reinterpret(UInt128, x)))
@inline shfl_recurse(op, p::Union{Ptr,LLVMPtr}) = int_to_pointer(typeof(p), op(pointer_to_int(p)))
@inline shfl_recurse(op, x::Tuple) = map(op, x)
@inline shfl_recurse(op, x) = newtuple_(typeof(x), map(op, ntuple(Base.Fix1(getfield, x), Val(fieldcount_(typeof(x)))))...)

export lanemask, active_mask, shfl_sync, shfl_up_sync, shfl_down_sync, shfl_xor_sync
export vote_all_sync, vote_any_sync, vote_uni_sync, vote_ballot_sync, match_any_sync, match_all_sync
