# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Irrational constants take the float type of what they meet.

struct Irrational{name} <: AbstractIrrational end
const π = Irrational{:π}()
const pi = π
const ℯ = Irrational{:ℯ}()
const φ = Irrational{:φ}()
const γ = Irrational{:γ}()
module MathConstants
import Base: π, pi, ℯ, φ, γ
const e = ℯ
const golden = φ
const eulergamma = γ
end
Float64(::Irrational{:π}) = 3.141592653589793
Float64(::Irrational{:ℯ}) = 2.718281828459045
Float64(::Irrational{:φ}) = 1.618033988749895
Float64(::Irrational{:γ}) = 0.5772156649015329
@inline Float32(x::AbstractIrrational) = Float32(Float64(x))
@inline Float16(x::AbstractIrrational) = Float16(Float64(x))
@inline BFloat16(x::AbstractIrrational) = BFloat16(Float32(x))
@inline AbstractFloat(x::AbstractIrrational) = Float64(x)
@inline float(x::AbstractIrrational) = Float64(x)
@inline promote_rule(::Type{I}, ::Type{F}) where {I<:AbstractIrrational,F<:AbstractFloat} = F
@inline promote_rule(::Type{I}, ::Type{T}) where {I<:AbstractIrrational,T<:BitInt} = Float64
@inline promote_rule(::Type{I}, ::Type{J}) where {I<:AbstractIrrational,J<:AbstractIrrational} = Float64
for op in (:+, :-, :*, :/, :^, :<, :<=, :rem, :mod, :div, :atan)
    @eval @inline $op(x::AbstractIrrational, y::AbstractIrrational) = $op(Float64(x), Float64(y))
end
@inline ==(x::AbstractIrrational, y::AbstractIrrational) = x === y
@inline -(x::AbstractIrrational) = -Float64(x)
@inline abs(x::AbstractIrrational) = Float64(x)
@inline inv(x::AbstractIrrational) = inv(Float64(x))
@inline signbit(x::AbstractIrrational) = false
@inline zero(::Type{I}) where {I<:AbstractIrrational} = false
@inline one(::Type{I}) where {I<:AbstractIrrational} = true
@inline ^(::Irrational{:ℯ}, x::AbstractFloat) = exp(x)
@inline ^(::Irrational{:ℯ}, x::BitInteger) = exp(Float64(x))
@inline ^(x::AbstractIrrational, p::BitInteger) = Float64(x)^p
@inline literal_pow(f::typeof(^), x::AbstractIrrational, ::Val{p}) where {p} = literal_power(Float64(x), Val(p))
