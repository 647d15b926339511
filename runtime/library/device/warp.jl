# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/ordered_atomics
# Warp operations. GPU targets overlay the exchange of one 32-bit word. On the CPU, threads wait for each other in the
# block executor, which exchanges their words. Values of other types are exchanged word by word. Masks have one bit
# per lane; lanes count from 1.

const WarpWord = Union{Int32,UInt32,Float32}

@inline lane_bit() = shl_int(0x00000001, rem(laneid() - 1i32, UInt32))
@inline lanemask(::typeof(==)) = lane_bit()
@inline lanemask(::typeof(<)) = lane_bit() - 0x00000001
@inline lanemask(::typeof(<=)) = (lane_bit() - 0x00000001) | lane_bit()
@inline lanemask(::typeof(>=)) = ~(lane_bit() - 0x00000001)
@inline lanemask(::typeof(>)) = ~((lane_bit() - 0x00000001) | lane_bit())

# Returns the value of lane `from` (counted from 0), if that lane participates.
@inline exchange(mask, val, from::UInt32) =
    reinterpret(typeof(val), trunc_int(UInt32, ccall("extern kiln.wait.shuffle", llvmcall, UInt64, (UInt32, UInt32, UInt64), rem(mask, UInt32), from, zext_int(UInt64, reinterpret(UInt32, val)))))
@inline own_lane() = rem(laneid() - 1i32, UInt32)
# Mask of the bits of a lane number that are equal for all lanes of a segment of `width` lanes.
@inline segment_bits(width) = rem(32 - width, UInt32) & 0x0000001f
@inline last_of_segment(bits::UInt32) = (own_lane() & bits) | (~bits & 0x0000001f)
@inline shuffle_distance(delta) = rem(delta, UInt32) & 0x0000001f
@inline function shfl_sync(mask, val::WarpWord, lane, width=32)
    bits = segment_bits(width)
    return exchange(mask, val, (own_lane() & bits) | (shuffle_distance(lane - 1) & ~bits))
end
@inline function shfl_up_sync(mask, val::WarpWord, delta, width=32)
    first = own_lane() & segment_bits(width)
    there = own_lane() >= first + shuffle_distance(delta)
    return exchange(mask, val, ifelse(there, own_lane() - shuffle_distance(delta), own_lane()))
end
@inline function shfl_down_sync(mask, val::WarpWord, delta, width=32)
    from = own_lane() + shuffle_distance(delta)
    return exchange(mask, val, ifelse(from <= last_of_segment(segment_bits(width)), from, own_lane()))
end
@inline function shfl_xor_sync(mask, val::WarpWord, lanes, width=32)
    from = own_lane() ⊻ shuffle_distance(lanes)
    return exchange(mask, val, ifelse(from <= last_of_segment(segment_bits(width)), from, own_lane()))
end
for f in (:shfl_sync, :shfl_up_sync, :shfl_down_sync, :shfl_xor_sync)
    @eval @inline $f(mask, val, src, width=32) = shfl_recurse(x -> $f(mask, x, src, width), val)
end

@inline vote_ballot_sync(mask, predicate) =
    trunc_int(UInt32, ccall("extern kiln.wait.ballot", llvmcall, UInt64, (UInt32, UInt32, UInt64), rem(mask, UInt32), 0x00000000, zext_int(UInt64, Bool(predicate))))
@inline vote_any_sync(mask, predicate) = vote_ballot_sync(mask, predicate) != 0x00000000
@inline vote_all_sync(mask, predicate) = vote_ballot_sync(mask, !Bool(predicate)) == 0x00000000
@inline vote_uni_sync(mask, predicate) = match_all_sync(mask, Bool(predicate))[2]

# match_any_sync: mask of the lanes with the same value as this lane. match_all_sync: mask of all participating lanes
# if all values are equal, and true in that case.
@inline match_word(x::Union{Bool,Int8,UInt8,Int16,UInt16,Int32,UInt32}) = rem(x, UInt32)
@inline match_word(x::Union{Int64,UInt64}) = rem(x, UInt64)
@inline match_word(x::Float32) = reinterpret(UInt32, x)
@inline match_word(x::Float64) = reinterpret(UInt64, x)
@inline match_any_sync(mask, value) =
    trunc_int(UInt32, ccall("extern kiln.wait.match_any", llvmcall, UInt64, (UInt32, UInt32, UInt64), rem(mask, UInt32), 0x00000000, rem(match_word(value), UInt64)))
@inline function match_all_sync(mask, value)
    lanes = trunc_int(UInt32, ccall("extern kiln.wait.match_all", llvmcall, UInt64, (UInt32, UInt32, UInt64), rem(mask, UInt32), 0x00000000, rem(match_word(value), UInt64)))
    return lanes, lanes != 0x00000000
end
@inline active_mask() =
    trunc_int(UInt32, ccall("extern kiln.wait.active", llvmcall, UInt64, (UInt32, UInt32, UInt64), 0x00000000, 0x00000000, 0x0000000000000000))

# Applies `op`, a shuffle of one word, to a value of another type. Users add methods for structures of which only some
# fields are exchanged.
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
