# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/integers
# Float functions with CUDA.jl's names that Base lacks.

# Clamps x to [0, 1]; NaN becomes 0. GPUs have an instruction for it.
@inline saturate(x::Float32) = x > 0.0f0 ? min(x, 1.0f0) : 0.0f0

# ---- sums, products, quotients and fma with a rounding direction: rn nearest, rz towards zero, rm down, rp up. GPUs
# have instructions for them. On the CPU, the exact error of the nearest result decides whether its neighbour is
# returned.
@inline rounded(::Val{:rn}, s, missed) = s
@inline rounded(::Val{:rp}, s, missed) = missed > zero(missed) ? nextfloat(s) : s
@inline rounded(::Val{:rm}, s, missed) = missed < zero(missed) ? prevfloat(s) : s
@inline rounded(::Val{:rz}, s, missed) = ifelse(s > zero(s), missed < zero(missed), missed > zero(missed)) ? towards_zero(s) : s
@inline towards_zero(s) = s > zero(s) ? prevfloat(s) : s < zero(s) ? nextfloat(s) : s
# Rounding errors of a sum and of an fma rounded to nearest. They are exact unless the result overflows or underflows.
@inline missed_by_sum(x, y, s) = (z = Base.rounded_sum(s, -x); Base.rounded_sum(Base.rounded_sum(x, -Base.rounded_sum(s, -z)), Base.rounded_sum(y, -z)))
@inline missed_by_fma(x, y, z, s) = (p = Base.rounded_product(x, y); e = fma(x, y, -p); t = Base.rounded_sum(p, z); Base.rounded_sum(Base.rounded_sum(Base.rounded_sum(t, -s), missed_by_sum(p, z, t)), e))
for mode in (:rn, :rz, :rm, :rp)
    (add, sub, mul, divide, multiply_add) = (Symbol(:add_, mode), Symbol(:sub_, mode), Symbol(:mul_, mode), Symbol(:div_, mode), Symbol(:fma_, mode))
    @eval begin
        @inline $add(x::T, y::T) where {T<:Union{Float32,Float64}} = (s = Base.rounded_sum(x, y); rounded(Val($(QuoteNode(mode))), s, missed_by_sum(x, y, s)))
        @inline $sub(x::T, y::T) where {T<:Union{Float32,Float64}} = $add(x, -y)
        @inline $mul(x::T, y::T) where {T<:Union{Float32,Float64}} = (p = Base.rounded_product(x, y); rounded(Val($(QuoteNode(mode))), p, fma(x, y, -p)))
        @inline $divide(x::T, y::T) where {T<:Union{Float32,Float64}} = (q = x / y; r = fma(-q, y, x); rounded(Val($(QuoteNode(mode))), q, ifelse(signbit(y), -r, r)))
        @inline $multiply_add(x::T, y::T, z::T) where {T<:Union{Float32,Float64}} = (s = fma(x, y, z); rounded(Val($(QuoteNode(mode))), s, missed_by_fma(x, y, z, s)))
    end
end
