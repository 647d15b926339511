# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Norms and products of vectors, and the module that has them in Julia.

@inline norm(x::Number) = float(abs(x))
@inline norm(x) = sqrt(sum(abs2, x))
@inline norm(x::Tuple) = sqrt(sum(abs2, x))
@inline norm(x, p::Real) = p == 1 ? sum(float_abs, x) : p == 2 ? norm(x) : p == Inf ? maximum(float_abs, x) : sum(PowerOfAbs(p), x)^inv(float(p))
@inline float_abs(x) = float(abs(x))
struct PowerOfAbs{P} <: Function
    p::P
end
@inline (f::PowerOfAbs)(x) = float_abs(x)^f.p
@inline cross(a, b) = (a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1])
const × = cross
const ⋅ = dot
@inline normalize(t::Tuple) = map(Fix2(/, norm(t)), t)
module LinearAlgebra
import Base: dot, norm, cross, normalize, adjoint, transpose, ×, ⋅, Transpose, Adjoint
export dot, norm, cross, normalize, adjoint, transpose, ×, ⋅, Transpose, Adjoint
end
