# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/small_floats
# Arithmetic on pairs of Float32. Each operation is rounded once and never contracted with another. On ptx from sm_100
# on, a sum or fma of both elements is one PTX instruction (runtime/library/device/ptx/small_floats.jl).

const FloatPair = NTuple{2,Float32}

@inline add_pair(a, b) = (Base.rounded_sum(getfield(a, 1), getfield(b, 1)), Base.rounded_sum(getfield(a, 2), getfield(b, 2)))
@inline sub_pair(a, b) = (Base.rounded_sum(getfield(a, 1), -getfield(b, 1)), Base.rounded_sum(getfield(a, 2), -getfield(b, 2)))
@inline mul_pair(a, b) = (Base.rounded_product(getfield(a, 1), getfield(b, 1)), Base.rounded_product(getfield(a, 2), getfield(b, 2)))
@inline fma_pair(a, b, c) = (fma(getfield(a, 1), getfield(b, 1), getfield(c, 1)), fma(getfield(a, 2), getfield(b, 2), getfield(c, 2)))

@inline add_f32x2(a::FloatPair, b::FloatPair) = add_pair(a, b)
@inline sub_f32x2(a::FloatPair, b::FloatPair) = sub_pair(a, b)
@inline mul_f32x2(a::FloatPair, b::FloatPair) = mul_pair(a, b)
@inline fma_f32x2(a::FloatPair, b::FloatPair, c::FloatPair) = fma_pair(a, b, c)
