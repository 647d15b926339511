# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/boot
# Promotion of two number types to a common type, and arithmetic of mixed number types by promotion.

@inline promote_rule(::Type{T}, ::Type{S}) where {T,S} = Union{}
@inline promote_rule(::Type{Bool}, ::Type{T}) where {T<:Number} = T
@inline function promote_rule(::Type{F}, ::Type{G}) where {F<:AbstractFloat,G<:AbstractFloat}
    if slt_int(sizeof_type(G), sizeof_type(F))
        return F
    elseif slt_int(sizeof_type(F), sizeof_type(G))
        return G
    end
    return F === G ? F : Float32                   # Float16 and BFloat16
end

@inline promote_type() = Union{}
@inline promote_type(::Type{T}) where {T} = T
@inline promote_type(::Type{T}, ::Type{T}) where {T} = T
@inline promote_type(::Type{T}, ::Type{Union{}}) where {T} = T
@inline promote_type(::Type{Union{}}, ::Type{T}) where {T} = T
@inline promote_type(::Type{Union{}}, ::Type{Union{}}) = Union{}
@inline function promote_type(::Type{T}, ::Type{S}) where {T,S}
    R = promote_rule(T, S)
    if R === Union{}
        R = promote_rule(S, T)
    end
    return R === Union{} ? unrelated_type(T, S) : R
end
@inline unrelated_type(T, S) = Union{}             # for programs, Julia's typejoin: domain.jl
# promote_type for the most frequent pairs, without promote_rule.
@inline promote_type(::Type{T}, ::Type{T}) where {T<:BitInteger} = T
@inline function promote_type(::Type{T}, ::Type{S}) where {T<:BitInteger,S<:BitInteger}
    # the result is the wider type; for equal widths, the unsigned one
    if slt_int(sizeof_type(S), sizeof_type(T))
        return T
    elseif slt_int(sizeof_type(T), sizeof_type(S))
        return S
    end
    return T <: Unsigned ? T : S
end
for N in (:BitInteger, :AbstractFloat, :BitInt)     # Union{} is a subtype of all of them
    @eval begin
        @inline promote_type(::Type{T}, ::Type{Union{}}) where {T<:$N} = T
        @inline promote_type(::Type{Union{}}, ::Type{T}) where {T<:$N} = T
    end
end
@inline promote_type(::Type{F}, ::Type{T}) where {F<:AbstractFloat,T<:BitInt} = F
@inline promote_type(::Type{T}, ::Type{F}) where {F<:AbstractFloat,T<:BitInt} = F
@inline promote_type(T, S, U, rest...) = promote_type(promote_type(T, S), U, rest...)
@inline promote_typeof(x, y) = promote_type(typeof(x), typeof(y))
@inline typejoin(T, S) = T === S ? T : T <: S ? S : S <: T ? T : Any
@inline promote_typejoin(T, S) = typejoin(T, S)    # for programs, with Nothing and Missing as members of a Union: domain.jl

@inline promote(x) = (x,)
@inline promote(x::T, y::T) where {T} = (x, y)
@inline function promote(x::T, y::S) where {T,S}
    R = promote_type(T, S)
    return (convert(R, x), convert(R, y))
end
@inline function promote(x, y, z)
    R = promote_type(typeof(x), typeof(y), typeof(z))
    return (convert(R, x), convert(R, y), convert(R, z))
end
@inline function promote(x, y, z, rest...)
    R = promote_type(typeof(x), typeof(y), typeof(z), map(typeof, rest)...)
    return map(Fix1(convert, R), (x, y, z, rest...))
end

# Finds the common type for operator `f` of two number types. Equal types reach this function only if `f` has no
# method for them.
@inline function meeting_type(f, ::Type{T}, ::Type{S}) where {T,S}
    if T === S
        static_error("no method of this operator for two numbers of type ", T)
    end
    R = promote_type(T, S)
    if R === Union{} || !isconcrete_type(R)
        static_error("no common type of ", T, " and ", S)
    end
    return R
end

for (kind, ops) in ((:Number, (:+, :-, :*, :/, :^, :(==), :hypot)),
                    (:Real, (:<, :<=, :isless, :min, :max, :div, :rem, :mod, :fld, :cld, :mod1, :fld1, :atan, :gcd, :lcm)))
    for op in ops
        @eval @inline function $op(x::T, y::S) where {T<:$kind,S<:$kind}
            R = meeting_type($op, T, S)
            return $op(convert(R, x), convert(R, y))
        end
    end
end
@inline (::Type{T})(x::T) where {T<:Number} = x
# A number type defines `<` and `==` alone: the other comparisons of two of its numbers follow.
@inline isless(x::T, y::T) where {T<:Real} = x < y
@inline isequal(x::T, y::T) where {T<:Number} = x == y
@inline ==(x::T, y::T) where {T<:Number} = x === y
@inline max(x::T, y::T) where {T<:Real} = ifelse(y < x, x, y)
@inline min(x::T, y::T) where {T<:Real} = ifelse(y < x, y, x)
for op in (:&, :|, :xor)
    @eval @inline function $op(x::T, y::S) where {T<:Integer,S<:Integer}
        R = meeting_type($op, T, S)
        return $op(convert(R, x), convert(R, y))
    end
end
@inline muladd(x::Number, y::Number, z::Number) = muladd_same(promote(x, y, z)...)
@inline muladd(x, y, z) = x * y + z
@inline fma(x::Number, y::Number, z::Number) = fma_same(promote(x, y, z)...)
@inline muladd_same(x::T, y::T, z::T) where {T<:AbstractFloat} = muladd_float(x, y, z)
@inline muladd_same(x, y, z) = x * y + z
@inline fma_same(x::T, y::T, z::T) where {T<:AbstractFloat} = fma_float(x, y, z)
@inline fma_same(x, y, z) = x * y + z
