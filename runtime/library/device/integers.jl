# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/synchronization
# Integer functions under CUDA.jl's names.

const Word = Union{Int32,UInt32}
const DoubleWord = Union{Int64,UInt64}

@inline popc(x::Union{Word,DoubleWord}) = rem(count_ones(x), Int32)
@inline clz(x::Union{Word,DoubleWord}) = rem(leading_zeros(x), Int32)
@inline ffs(x::Union{Word,DoubleWord}) = ifelse(x == 0, 0i32, rem(trailing_zeros(x), Int32) + 1i32)
@inline brev(x::Word) = bitreverse_int(rem(x, UInt32))
@inline brev(x::DoubleWord) = bitreverse_int(rem(x, UInt64))

# fns finds the position (from 0) of the offset-th set bit from bit `base` on: upwards, or downwards for a negative
# offset. The result is -1 if there is none. Offset 0 tests bit `base` itself.
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

# byte_perm selects four of the eight bytes of y:x. The low three bits of 4-bit digit i of z select byte i of the
# result. If the digit's fourth bit is set, the selected byte's sign fills the result byte instead.
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

# Dot product of four bytes: c plus the sum of the products of the bytes of a and b.
@inline function dp4a(a::Word, b::Word, c::T) where {T<:Word}
    for i in 0i32:3i32
        c += rem(packed_byte(a, 8i32 * i) * packed_byte(b, 8i32 * i), T)
    end
    return c
end
@inline packed_byte(x::UInt32, at) = rem((x >> at) & 0x000000ff, Int32)
@inline packed_byte(x::Int32, at) = (x << (24i32 - at)) >> 24i32

# Dot product of two elements: c plus the products of the two halves of a with the low (or high) two bytes of b.
for (f, at, next) in ((:dp2a_lo, 0i32, 8i32), (:dp2a_hi, 16i32, 24i32))
    @eval @inline $f(a::Word, b::Word, c::T) where {T<:Word} =
        c + rem(packed_half(a, 0i32) * packed_byte(b, $at), T) + rem(packed_half(a, 16i32) * packed_byte(b, $next), T)
end
@inline packed_half(x::UInt32, at) = rem((x >> at) & 0x0000ffff, Int32)
@inline packed_half(x::Int32, at) = (x << (16i32 - at)) >> 16i32

# Funnel shifts of the 64 bits hi:lo. A left shift returns the high word, a right shift the low word. The count is
# taken modulo 32, or clamped to 32 by the functions that end in c.
@inline funnelshift_l(lo::Word, hi::Word, shift) = ccall("llvm.fshl.i32", llvmcall, UInt32, (UInt32, UInt32, UInt32), rem(hi, UInt32), rem(lo, UInt32), rem(shift, UInt32))
@inline funnelshift_r(lo::Word, hi::Word, shift) = ccall("llvm.fshr.i32", llvmcall, UInt32, (UInt32, UInt32, UInt32), rem(hi, UInt32), rem(lo, UInt32), rem(shift, UInt32))
@inline funnel(lo, hi) = or_int(shl_int(zext_int(UInt64, rem(hi, UInt32)), 32), zext_int(UInt64, rem(lo, UInt32)))
@inline funnelshift_lc(lo::Word, hi::Word, shift) = trunc_int(UInt32, lshr_int(shl_int(funnel(lo, hi), min(rem(shift, UInt32), 0x00000020)), 32))
@inline funnelshift_rc(lo::Word, hi::Word, shift) = trunc_int(UInt32, lshr_int(funnel(lo, hi), min(rem(shift, UInt32), 0x00000020)))

# Any bitwise function of three words. Constant `table` is the function's value for a = 0xf0, b = 0xcc, c = 0xaa.
@inline function lop3(a::Word, b::Word, c::Word, ::Val{table}) where {table}
    x, y, z = rem(a, UInt32), rem(b, UInt32), rem(c, UInt32)
    out = 0x00000000
    @nexprs 8 i -> out |= lop3_term(Val((table >> (i - 1)) & 1 != 0), ((i - 1) & 4 != 0 ? x : ~x) & ((i - 1) & 2 != 0 ? y : ~y) & ((i - 1) & 1 != 0 ? z : ~z))
    return out
end
@inline lop3_term(::Val{true}, bits) = bits
@inline lop3_term(::Val{false}, bits) = 0x00000000
# |a - b| + c
@inline sad(a::Int32, b::Int32, c::UInt32) = rem(abs(Int64(a) - Int64(b)), UInt32) + c
@inline sad(a::UInt32, b::UInt32, c::UInt32) = (max(a, b) - min(a, b)) + c
# Products of the low 24 bits of two integers.
@inline mul24(a::Int32, b::Int32) = ((a << 8i32) >> 8i32) * ((b << 8i32) >> 8i32)
@inline mul24(a::UInt32, b::UInt32) = (a & 0x00ffffff) * (b & 0x00ffffff)
