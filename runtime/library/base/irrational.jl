# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/rational
# Irrational constants. In arithmetic they convert to the float type of the other operand.

struct Irrational{name} <: AbstractIrrational end
@inline float(::Type{<:AbstractIrrational}) = Float64
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
export π, pi, ℯ, e, φ, golden, γ, eulergamma
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
@inline promote_rule(::Type{Bool}, ::Type{I}) where {I<:AbstractIrrational} = Float64
@inline promote_rule(::Type{I}, ::Type{Rational{T}}) where {I<:AbstractIrrational,T} = Float64
@inline promote_rule(::Type{I}, ::Type{J}) where {I<:AbstractIrrational,J<:AbstractIrrational} = Float64
for op in (:+, :-, :*, :/, :^, :rem, :mod, :div, :fld, :cld, :min, :max, :hypot, :atan)
    @eval @inline $op(x::AbstractIrrational, y::AbstractIrrational) = $op(Float64(x), Float64(y))
end
@inline *(x::Bool, y::AbstractIrrational) = ifelse(x, Float64(y), 0.0)
@inline *(x::AbstractIrrational, y::Bool) = y * x
# No float or fraction equals an irrational number. Comparisons use the two Float64 neighbours of the irrational.
@inline ==(x::AbstractIrrational, y::AbstractIrrational) = x === y
@inline ==(x::AbstractIrrational, y::Real) = false
@inline ==(x::Real, y::AbstractIrrational) = false
@inline isequal(x::AbstractIrrational, y::AbstractIrrational) = x === y
@inline isequal(x::AbstractIrrational, y::AbstractFloat) = false
@inline isequal(x::AbstractFloat, y::AbstractIrrational) = false
@inline float_below(x::Irrational{:π}) = Float64(x)
@inline float_below(x::Irrational{:ℯ}) = Float64(x)
@inline float_below(x::AbstractIrrational) = prevfloat(Float64(x)) # for φ and γ, the nearest Float64 is larger than the constant
@inline <(x::AbstractIrrational, y::AbstractIrrational) = Float64(x) < Float64(y)
@inline <=(x::AbstractIrrational, y::AbstractIrrational) = Float64(x) <= Float64(y)
@inline isless(x::AbstractIrrational, y::AbstractIrrational) = x < y
@inline isless(x::AbstractIrrational, y::AbstractFloat) = isnan(y) | (x < y)
@inline isless(x::AbstractFloat, y::AbstractIrrational) = x < y
for F in (:AbstractFloat, :Rational), op in (:<, :<=)
    @eval begin
        @inline $op(x::AbstractIrrational, y::$F) = float_below(x) < y
        @inline $op(x::$F, y::AbstractIrrational) = x <= float_below(y)
    end
end
@inline -(x::AbstractIrrational) = -Float64(x)
@inline abs(x::AbstractIrrational) = Float64(x)
@inline inv(x::AbstractIrrational) = inv(Float64(x))
@inline signbit(x::AbstractIrrational) = false
@inline sign(x::AbstractIrrational) = 1.0
@inline isinteger(x::AbstractIrrational) = false
@inline isfinite(x::AbstractIrrational) = true
@inline isinf(x::AbstractIrrational) = false
@inline isnan(x::AbstractIrrational) = false
@inline iszero(x::AbstractIrrational) = false
@inline isone(x::AbstractIrrational) = false
@inline zero(::Type{I}) where {I<:AbstractIrrational} = false
@inline one(::Type{I}) where {I<:AbstractIrrational} = true
@inline ^(::Irrational{:ℯ}, x::AbstractFloat) = exp(x)
@inline ^(::Irrational{:ℯ}, x::BitInteger) = exp(Float64(x))
@inline ^(::Irrational{:ℯ}, x::Rational) = exp(Float64(x))
@inline ^(::Irrational{:ℯ}, x::AbstractIrrational) = exp(Float64(x))
@inline ^(::Irrational{:ℯ}, x::Complex) = exp(x)
@inline log(::Irrational{:ℯ}) = 1
@inline log(::Irrational{:ℯ}, x::Number) = log(x)
# Exact results for Irrational π, as in Julia; functions of Float64(π) give rounded ones.
@inline sin(::Irrational{:π}) = 0.0
@inline cos(::Irrational{:π}) = -1.0
@inline tan(::Irrational{:π}) = 0.0
@inline sincos(::Irrational{:π}) = (0.0, -1.0)
@inline ^(x::AbstractIrrational, p::BitInteger) = Float64(x)^p
@inline literal_pow(f::typeof(^), x::AbstractIrrational, ::Val{p}) where {p} = literal_power(Float64(x), Val(p))
