# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Random numbers by xoroshiro128+. The generator's states are an array of records (s0, s1). Results equal Numba's bit
# for bit. A uniform float64 is made from the top 53 bits of a word. A normal number takes two uniform ones
# (Box-Muller).

@inline rotl(x::UInt64, k) = or_int(shl_int(x, k), lshr_int(x, sub_int(64, k)))
@inline function xoroshiro_next(r)
    s0 = py_getattr(r, Val(:s0))
    s1 = py_getattr(r, Val(:s1))
    result = add_int(s0, s1)
    s1 = xor_int(s1, s0)
    py_setattr(r, xor_int(xor_int(rotl(s0, 55), s1), shl_int(s1, 14)), Val(:s0))
    py_setattr(r, rotl(s1, 36), Val(:s1))
    return result
end
@inline unit_float(x::UInt64) = mul_float(uitofp(Float64, lshr_int(x, 11)), 1.1102230246251565e-16)
@inline py_xoroshiro128p_next(states, i) = xoroshiro_next(py_getitem(states, i))
@inline py_xoroshiro128p_uniform_float64(states, i) = unit_float(xoroshiro_next(py_getitem(states, i)))
@inline py_xoroshiro128p_uniform_float32(states, i) = fptrunc(Float32, unit_float(xoroshiro_next(py_getitem(states, i))))
@inline function py_xoroshiro128p_normal_float32(states, i)
    u = py_xoroshiro128p_uniform_float32(states, i)
    v = py_xoroshiro128p_uniform_float32(states, i)
    return mul_float(sqrt_llvm(mul_float(fptrunc(Float32, -2.0), Base.log(u))), Base.cos(mul_float(fptrunc(Float32, 6.283185307179586), v)))
end
@inline function py_xoroshiro128p_normal_float64(states, i)
    u = py_xoroshiro128p_uniform_float64(states, i)
    v = py_xoroshiro128p_uniform_float64(states, i)
    return mul_float(sqrt_llvm(mul_float(-2.0, Base.log(u))), Base.cos(mul_float(6.283185307179586, v)))
end
