# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
module Definitions
using OpenLibm_jll: libopenlibm

struct Near end
struct Far{T}
    a::T
    b::T
end
abstract type Kind{T} end
struct Sort{T} <: Kind{T} end

const near = (Near,)
const far = (Far,)
for M in (near..., far..., Int)
    @eval rank(::Type{<:$M}) = $(M === Int ? 3 : M === Near ? 1 : 2)
end
# Names that are put together of letters and numbers of every kind.
alias(n) = Symbol(:N, 0, 'f', n)
for T in (UInt8, UInt16)
    name = alias(UInt8(8sizeof(T)))
    @eval const $name = sizeof($T)
end
# A tuple of integers is before any tuple of something.
picked(A, I::Tuple{Vararg{Integer}}) = 1
picked(A, I::Tuple{Any,Vararg{Any}}) = 2
let v = 2.5, w = 2v
    Base.:+(::Near, x::Float64) = x + v
    doubled(x) = x * w
end
Base.@deprecate old_name(x) new_name(x, 1)
Base.@deprecate_binding OldFar Far
new_name(x, y) = x + y

j0(x::Float64) = ccall((:j0, libopenlibm), Float64, (Float64,), x)
jn(n, x) = ccall((:jn, libopenlibm), Float64, (Int32, Float64), n, x)
erfcx(x) = ccall((:Faddeeva_erfcx_re, :libopenspecfun), Float64, (Float64,), x)
unknown(x) = ccall((:nothing_of_that_name, libopenlibm), Float64, (Float64,), x)
_precompile_() = (ccall(:jl_generating_output, Cint, ()) == 1 || return nothing; missing_name())
_precompile_()
end
