module Calls
using OpenLibm_jll: libopenlibm
using OpenSpecFun_jll: libopenspecfun
using Base.MathConstants
import Base.@deprecate_binding
export @described, @doubled, own_gamma, bessel, N0f4, N4f0, order

own_gamma(x::Float64) = ccall((:tgamma, libopenlibm), Float64, (Float64,), x)
own_gamma(x::Float32) = ccall((:tgammaf, libopenlibm), Float32, (Float32,), x)
scaled(x) = ccall((:Faddeeva_erfcx_re, libopenspecfun), Float64, (Float64,), x)
for (f, name) in ((:first_kind, :j0), (:second_kind, :y1))
    @eval $f(x::Float64) = ccall(($(QuoteNode(name)), libopenlibm), Float64, (Float64,), x)
end
bessel(n, x) = ccall((:jn, libopenlibm), Float64, (Cint, Float64), n, x)
airy(x) = ccall((:zairy_, libopenspecfun), Float64, (Float64,), x)
constants() = eulergamma + 0.0

function prepare()
    ccall(:jl_generating_output, Cint, ()) == 1 || return nothing
    error("this is no precompilation")
end
prepare()

struct Part{T,N}
    value::T
end
for n in (0, 4)
    P = Part{Float64,n}
    sym = Symbol(:N, n, 'f', 4 - n)
    @eval const $sym = $P
end
struct Square{T<:Real}
    side::T
    name::Symbol
end
for S in [Square, Part]
    @eval $(Symbol(:order_of_, lowercase(string(nameof(S)))))() = $(length(fieldnames(S)))
end
const small = (Int8, Int16)
const large = (Int64,)
for T in (small..., large...)
    @eval order(::$T) = sizeof($T)
end
struct Pair2{T,D}
    data::D
    Pair2{T,D}(data) where {T,D} = new{T,D}(data)
    function (Pair2{T,Tuple{T,T}} where {T})(x)
        new{typeof(x),Tuple{typeof(x),typeof(x)}}((x, x))
    end
end
twice(x) = (Pair2{T,Tuple{T,T}} where {T})(x).data
@deprecate_binding old_order order

macro doubled(definition)
    name, fields = definition.args[2], definition.args[3]
    fields.args = Any[fields.args..., :(second::Int)]
    return esc(quote
        Base.@__doc__ $definition
        total(x::$name) = x.first + x.second
    end)
end
macro described(x)
    return string("one: ", x)
end
macro described(args...)
    return string(length(args), " in all")
end
end
