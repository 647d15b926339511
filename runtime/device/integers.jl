# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Integer functions under CUDA.jl's names.

const Word = Union{Int32,UInt32}
const DoubleWord = Union{Int64,UInt64}

@inline popc(x::Union{Word,DoubleWord}) = rem(count_ones(x), Int32)
@inline clz(x::Union{Word,DoubleWord}) = rem(leading_zeros(x), Int32)
@inline ffs(x::Union{Word,DoubleWord}) = ifelse(x == 0, 0i32, rem(trailing_zeros(x), Int32) + 1i32)
@inline brev(x::Word) = bitreverse_int(rem(x, UInt32))
@inline brev(x::DoubleWord) = bitreverse_int(rem(x, UInt64))

# The place (from 0) of the set bit that is the offset-th one from bit `base` on, upwards or, below 0, downwards; -1
# where there is none. Offset 0 asks for bit `base` itself.
@inline function fns(mask::Word, base::Integer, offset::Integer=0)
    bits = rem(mask, UInt32)
    at = rem(base, Int32)
    if offset == 0
        return isodd(bits >> at) ? at : -1i32
    end
    step = offset < 0 ? -1i32 : 1i32
    left = abs(rem(offset, Int32))
    while 0i32 <= at < 32i32
        left -= rem((bits >> at) & 0x00000001, Int32)
        left == 0i32 && return at
        at += step
    end
    return -1i32
end

# Byte i of the result is one of the 8 bytes of y:x, chosen by the low three bits of digit i of z; the fourth bit
# repeats its sign.
@inline function byte_perm(x::Integer, y::Integer, z::Integer)
    bytes = or_int(shl_int(zext_int(UInt64, rem(y, UInt32)), 32), zext_int(UInt64, rem(x, UInt32)))
    out = 0x00000000
    for i in 0i32:3i32
        digit = (rem(z, UInt32) >> (4i32 * i)) & 0x0000000f
        byte = trunc_int(UInt8, lshr_int(bytes, shl_int(and_int(digit, 0x00000007), 3)))
        if digit > 0x00000007
            byte = reinterpret(UInt8, reinterpret(Int8, byte) >> 7)
        end
        out |= zext_int(UInt32, byte) << (8i32 * i)
    end
    return reinterpret(Int32, out)
end

# c + the products of the four bytes of a and b.
@inline function dp4a(a::Word, b::Word, c::T) where {T<:Word}
    for i in 0i32:3i32
        c += rem(packed_byte(a, 8i32 * i) * packed_byte(b, 8i32 * i), T)
    end
    return c
end
@inline packed_byte(x::UInt32, at) = rem((x >> at) & 0x000000ff, Int32)
@inline packed_byte(x::Int32, at) = (x << (24i32 - at)) >> 24i32
