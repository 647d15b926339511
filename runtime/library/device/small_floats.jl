# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/hopper
# Floats of 8, 6 and 4 bits. Pairs of Float32 convert to pairs of codes, element 1 in the low bits; codes convert to
# Float16. This file converts by integer arithmetic; GPU targets overlay conversions that have an instruction.
# Sources: PTX ISA 9.0, "cvt"; OCP Microscaling Formats (MX) 1.0.

# Properties of a format: mantissa bits, exponent bias, largest finite code, code of NaN, sign bit. A format without
# NaN has the code of its largest number in place of NaN's.
@inline small_format(::Val{:e4m3}) = (3i32, 7i32, 0x0000007e, 0x0000007f, 0x00000080)
@inline small_format(::Val{:e5m2}) = (2i32, 15i32, 0x0000007b, 0x0000007f, 0x00000080)
@inline small_format(::Val{:e2m3}) = (3i32, 1i32, 0x0000001f, 0x0000001f, 0x00000020)
@inline small_format(::Val{:e3m2}) = (2i32, 3i32, 0x0000001f, 0x0000001f, 0x00000020)
@inline small_format(::Val{:e2m1}) = (1i32, 1i32, 0x00000007, 0x00000007, 0x00000008)

# Rounds x to the nearest code, ties to even. Numbers beyond the largest finite code give that code. NaN has no sign.
@inline function small_code(x::Float32, format::Val)
    m, bias, largest, nan, sign = small_format(format)
    bits = reinterpret(UInt32, x)
    magnitude = bits & 0x7fffffff
    e = rem(lshr_int(magnitude, 23), Int32)
    mantissa = ifelse(e == 0i32, 0x00000000, (magnitude & 0x007fffff) | 0x00800000) # a subnormal Float32 is less than half of the smallest positive number of every format
    shift = min(23i32 - m + max(0i32, 128i32 - bias - e), 31i32)
    half = shl_int(0x00000001, shift - 1i32) - 0x00000001
    rounded = lshr_int(mantissa + half + (lshr_int(mantissa, shift) & 0x00000001), shift)
    code = min(shl_int(rem(max(e - 127i32 + bias, 1i32) - 1i32, UInt32), m) + rounded, largest)
    return ifelse(magnitude > 0x7f800000, nan, ifelse(bits == magnitude, code, code | sign))
end
# Bits of the Float16 with exactly the value of `code`.
@inline function small_half(code::UInt32, format::Val)
    m, bias, largest, nan, sign = small_format(format)
    magnitude = code & (sign - 0x00000001)
    fraction = magnitude & (shl_int(0x00000001, m) - 0x00000001)
    top = 31i32 - rem(leading_zeros(fraction | 0x00000001), Int32)
    normal = shl_int(magnitude, 10i32 - m) + shl_int(rem(15i32 - bias, UInt32), 10i32)
    subnormal = shl_int(rem(16i32 - bias - m + top, UInt32), 10i32) | (shl_int(fraction, 10i32 - top) & 0x000003ff)
    half = ifelse(lshr_int(magnitude, m) != 0x00000000, normal, ifelse(fraction == 0x00000000, 0x00000000, subnormal))
    half |= ifelse(code & sign == 0x00000000, 0x00000000, 0x00008000)
    return ifelse((nan != largest) & (magnitude == nan), 0x00007fff, half)
end
@inline function small_half(code::UInt32, ::Val{:e5m2})
    half = shl_int(code & 0x000000ff, 8i32)
    return ifelse(half & 0x00007fff > 0x00007c00, 0x00007fff, half)
end
@inline small_value(code::UInt32, format::Val) = reinterpret(Float16, trunc_int(UInt16, small_half(code, format)))

# Code of the power-of-two scale 2^(code - 127) for |x|, rounded towards zero or up. NaN gives 0xff; infinity gives
# the largest finite scale.
@inline function scale_code(x::Float32, ::Val{mode}) where {mode}
    magnitude = reinterpret(UInt32, x) & 0x7fffffff
    up = (mode === :rp) & (magnitude & 0x007fffff != 0x00000000) & (magnitude > 0x00400000)
    code = min(lshr_int(magnitude, 23) + ifelse(up, 0x00000001, 0x00000000), 0x000000fe)
    return ifelse(magnitude > 0x7f800000, 0x000000ff, code)
end
@inline function scale_value(code::UInt32)
    bits = ifelse(code == 0x00000000, 0x00000040, ifelse(code == 0x000000ff, 0x00007fff, shl_int(code, 7i32)))
    return reinterpret(BFloat16, trunc_int(UInt16, bits))
end

# ---- pairs, in software
@inline code_pair(x::NTuple{2,Float32}, format::Val) =
    trunc_int(UInt16, small_code(getfield(x, 1), format) | shl_int(small_code(getfield(x, 2), format), 8i32))
@inline code_pair(x::NTuple{2,Float32}, format::Val{:e2m1}) =
    trunc_int(UInt8, small_code(getfield(x, 1), format) | shl_int(small_code(getfield(x, 2), format), 4i32))
@inline value_pair(codes::UInt16, format::Val) =
    (small_value(zext_int(UInt32, codes) & 0x000000ff, format), small_value(lshr_int(zext_int(UInt32, codes), 8i32), format))
@inline value_pair(codes::UInt8, format::Val{:e2m1}) =
    (small_value(zext_int(UInt32, codes) & 0x0000000f, format), small_value(lshr_int(zext_int(UInt32, codes), 4i32), format))
@inline scale_pair(x::NTuple{2,Float32}, mode::Val) =
    trunc_int(UInt16, scale_code(getfield(x, 1), mode) | shl_int(scale_code(getfield(x, 2), mode), 8i32))
@inline scale_values(codes::UInt16) = (scale_value(zext_int(UInt32, codes) & 0x000000ff), scale_value(lshr_int(zext_int(UInt32, codes), 8i32)))
@inline scale_mode(::Val{mode}) where {mode} = (mode === :rz) | (mode === :rp) || static_error("ue8m0 rounds towards zero, Val(:rz), or up, Val(:rp)")

# ---- functions for kernels: conversions of pairs. Codes have one byte each, but four bits for e2m1.
for format in (:e4m3, :e5m2, :e2m3, :e3m2, :e2m1)
    @eval @inline $(Symbol(:to_, format, :x2))(x::NTuple{2,Float32}) = code_pair(x, Val($(QuoteNode(format))))
    @eval @inline $(Symbol(:from_, format, :x2))(codes::$(format === :e2m1 ? :UInt8 : :UInt16)) = value_pair(codes, Val($(QuoteNode(format))))
end
@inline to_ue8m0x2(x::NTuple{2,Float32}, mode::Val) = (scale_mode(mode); scale_pair(x, mode))
@inline from_ue8m0x2(codes::UInt16) = scale_values(codes)
