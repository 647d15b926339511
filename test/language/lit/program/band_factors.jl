# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# LU factors of tridiagonal matrices, and `new` with fewer values than an immutable struct has fields.
#
# RUN: %kiln script %s | %filecheck %s
using LinearAlgebra
dense = [1.0 2 0 0; 4 1 3 0; 0 5 1 2; 0 0 6 1] # each step but the last exchanges two rows
A = Tridiagonal(diag(dense, -1), diag(dense), diag(dense, 1))
F = lu!(A)
# CHECK: true [2, 3, 4, 4] (4, 4)
println(F isa LU{Float64,<:Tridiagonal{Float64}}, " ", F.ipiv, " ", size(F))
b = [1.0, 2, 3, 4]
# CHECK-NEXT: true true true true true true
println(Matrix(F) ≈ dense, " ", F.L * F.U ≈ dense[F.p, :], " ", det(F) ≈ det(dense), " ", dense * (F \ b) ≈ b, " ", dense * ldiv!(F, copy(b)) ≈ b,
        " ", dense * (F \ [b 2b]) ≈ [b 2b])
B = Tridiagonal([2.0, 1], [4.0, 3, 3], [2.0, 2])
full = collect(B)
(L, U, p) = G = lu!(B, NoPivot())
# By hand: 2 / 4 = 0.5, 3 - 0.5 * 2 = 2, 1 / 2 = 0.5, 3 - 0.5 * 2 = 2. The factors replace the bands of B.
# CHECK-NEXT: [0.5, 0.5] [4.0, 2.0, 2.0] [2.0, 2.0] [0.0] [1, 2, 3]
println(B.dl, " ", B.d, " ", G.factors.du, " ", G.factors.du2, " ", p)
# CHECK-NEXT: true true
println(L * U == full, " ", full * (G \ [1.0, 2, 3]) ≈ [1, 2, 3])
try lu!(Tridiagonal([0.0], [0.0, 1.0], [0.0])) catch e println(e) end
# CHECK-NEXT: SingularException(1)
try F \ [1.0, 2] catch e println(typeof(e)) end
# CHECK-NEXT: DimensionMismatch

struct Perhaps{T}
    has::Bool
    value::T
    Perhaps{T}() where {T} = new{T}(false)
    Perhaps{T}(x) where {T} = new{T}(true, x)
end
# Fields of bits always have a value. Others are undefined.
# CHECK-NEXT: true true false Perhaps{String}(false, #undef)
println(isdefined(Perhaps{Int}(), :value), " ", isdefined(Perhaps{String}("a"), :value), " ",
        isdefined(Perhaps{String}(), :value), " ", Perhaps{String}())
try Perhaps{String}().value catch e println(e) end
# CHECK-NEXT: UndefRefError()
println(Perhaps{String}() === Perhaps{String}(), " ", Perhaps{String}() === Perhaps{String}("a"))
# CHECK-NEXT: true false
# Loops that are compiled leave values with undefined fields to the interpreter.
search(x) = (for i in 1:100_000; x.has && return i; end; 0)
# CHECK-NEXT: 0 1 true
println(search(Perhaps{String}()), " ", search(Perhaps{String}("a")), " ", Dict(Perhaps{String}() => true)[Perhaps{String}()])
