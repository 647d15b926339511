# RUN: %kiln script --device cpu %s | %filecheck %s
# Reductions without elements, factors that solve in place, limits of BigFloat, modules of types, and texts of views
using LinearAlgebra, Atomix
# CHECK: (0.0, 0, 1, 0) (Inf, -Inf, 3, true)
println((Base.reduce_empty(+, Float64), Base.reduce_empty(+, Bool), Base.reduce_empty(*, Int8), Base.reduce_empty(Base.add_sum, Int8)), " ",
        (Float64(typemax(BigFloat)), Float64(typemin(BigFloat)), Int64(BigFloat(3)), Bool(big"1.0")))
positive = [4.0 2.0; 2.0 3.0]
# CHECK-NEXT: true true Float64
println(ldiv!(zeros(2), cholesky(positive), positive * [1.0, 2.0]) ≈ [1.0, 2.0], " ", ldiv!(cholesky(positive), [8.0, 8.0]) ≈ [1.0, 2.0], " ", Base._return_type(+, Tuple{Int,Float64}))
# CHECK-NEXT: , 1:3, Base.OneTo(2) 2×3 view(::Matrix{Float64}, 1:2, :) with eltype Float64
println(sprint((io, i...) -> Base.showindices(io, i...), 1:3, Base.OneTo(2)), " ", summary(view(ones(3, 3), 1:2, :)))
permuted = PermutedDimsArray(ones(2, 3), (2, 1))
# CHECK-NEXT: Base.PermutedDimsArrays PermutedDimsArray{Float64, 2, (2, 1), (2, 1), Matrix{Float64}}
println(parentmodule(typeof(permuted)), " ", typeof(permuted))
references = Atomix.Internal.referenceable([1 2 3])
# CHECK-NEXT: (1, 3) 2
println(size(references), " ", Atomix.get(references[1, 2]))

# The parts of a KernelAbstractions kernel, and its @print outside of kernels
using KernelAbstractions, SparseArrays
using KernelAbstractions.NDIteration
@kernel function doubles(A)
    I = @index(Global)
    A[I] *= 2
end
by_64 = KernelAbstractions.Kernel{CPU,StaticSize{(64,)},DynamicSize,typeof(identity)}(CPU(), identity)
(space, check) = KernelAbstractions.partition(by_64, (129,), nothing)
# CHECK-NEXT: 3 true (64,) true true
println(length(blocks(space)), " ", check isa DynamicCheck, " ", size(workitems(space)), " ", KernelAbstractions.partition(by_64, (128,), (64,))[2] isa NoDynamicCheck, " ",
        doubles(CPU(), 64) isa KernelAbstractions.Kernel{typeof(CPU()),StaticSize{(64,)},DynamicSize})
# CHECK-NEXT: Static WorkgroupSize (64,) and launch WorkgroupSize (65,) differ
println(try KernelAbstractions.partition(by_64, (129,), (65,)) catch e; e.msg end)
numbers = [1, 2, 3]
doubles(CPU(), 2, 3)(numbers)
doubles(CPU())(numbers; ndrange=2)
# CHECK-NEXT: [4, 8, 6] true
println(numbers, " ", get_backend(sparse([1.0 0.0])) isa CPU)
# CHECK-NEXT: 100% of 3
KernelAbstractions.@print("100% of ", 3, "\n")
