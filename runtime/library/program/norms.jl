# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/copies
# Norms of arrays. Sums of powers of Base's numbers use Float64, as in Julia. If the sum would overflow or underflow, all elements are
# first divided by the greatest element.

norm(A::AbstractArray) = norm(A, 2)
function norm(A::AbstractArray, p::Real)
    T = eltype(A) <: Number || isempty(A) ? typeof(float(abs(zero(eltype(A))))) : typeof(float(norm(first(A))))
    length(A) == 0 && return zero(T)
    p == Inf && return T(__greatest(A))
    p == -Inf && return T(minimum(float_abs, A))
    p == 0 && return T(count(!iszero, A))
    s = p == 2 ? __sum_of(__square, A) : __sum_of(__Powers(p, nothing), A)
    p == 1 && return T(s)
    if isfinite(s) && s > floatmin(Float64) / eps(Float64)
        return T(p == 2 ? sqrt(s) : s^inv(__wide(p)))
    end
    greatest = __greatest(A)
    (iszero(greatest) || !isfinite(greatest)) && p > 0 && return T(greatest)
    s = __sum_of(__Powers(p, greatest), A)
    return T(__wide(greatest) * (p == 2 ? sqrt(s) : s^inv(__wide(p))))
end
@inline __square(x) = abs2(__wide(x))
@inline __wide(x::Union{AbstractFloat,Integer,Rational,AbstractIrrational}) = Float64(x)
@inline __wide(x::Real) = x                        # a package's number
@inline __wide(x::Complex) = Complex(__wide(x.re), __wide(x.im))
@inline __wide(x) = __wide(float_abs(x))
@inline __wide(x::AbstractArray) = __wide(norm(x))
@inline float_abs(x::AbstractArray) = norm(x)
iszero(A::AbstractArray) = all(iszero, A)
struct __Powers{P,T} <: Function
    p::P
    unit::T                                        # or nothing
end
@inline __over(a, unit) = a / __wide(unit)
@inline __over(a, ::Nothing) = a
@inline (f::__Powers)(x) = (a = __over(__wide(float_abs(x)), f.unit); f.p == 2 ? a * a : f.p == 1 ? a : a^__wide(f.p))
__greatest(A) = maximum(float_abs, A)
__sum_of(f, A) = __sum_into(f, A)
function __sum_into(f, A)
    s = 0.0
    for x in A
        s += f(x)
    end
    return s
end
normalize(A::AbstractArray, p::Real=2) = A ./ norm(A, p)
conj(A::AbstractArray) = conj.(A)
real(A::AbstractArray) = real.(A)
complex(A::AbstractArray) = complex.(A)
imag(A::AbstractArray) = imag.(A)
# The type of the numbers in an array: by the values if the element type is abstract.
promote_leaf_eltypes(A::Array) = (T = leaf_type(typeof(A)); T <: Number && T !== Number && T !== Real ? T : __leaf_type_of_values(A))
promote_leaf_eltypes(t::Tuple) = __leaf_type_of_values(t)
promote_leaf_eltypes(x) = typeof(x)
__leaf_type_of_values(A) = mapreduce(promote_leaf_eltypes, promote_type, A; init=Bool)
function isapprox(A::AbstractArray, B::AbstractArray; atol::Real=0, rtol::Real=rtoldefault(promote_leaf_eltypes(A), promote_leaf_eltypes(B), atol), nans::Bool=false)
    __same_size(A, B)
    length(A) == 0 && return true
    (C, D) = (collect(A), collect(B))
    d = norm(C .- D)
    isfinite(d) && return iszero(rtol) ? d <= atol : d <= max(atol, rtol * max(norm(C), norm(D)))
    return all(k -> isapprox(C[k], D[k]; atol=atol, rtol=rtol, nans=nans), 1:length(C))
end
Core.kwcall(kw::NamedTuple, ::typeof(isapprox), x::Number, y::Number) = __isapprox(x, y; kw...)
function __isapprox(x, y; atol::Real=0, rtol::Real=rtoldefault(typeof(x), typeof(y), atol), nans::Bool=false)
    return isapprox(x, y, atol, rtol) || (nans && isnan(x) && isnan(y))
end
