# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In the place of GPUArrays.jl's test/testsuite.jl: what the files of its folder testsuite use of it.
using Test, Random, LinearAlgebra, Statistics
using CUDA, GPUArrays, KernelAbstractions, Adapt

module TestSuite
using Test, Random, LinearAlgebra, Statistics
using CUDA, GPUArrays, KernelAbstractions, Adapt

isrealtype(T) = T <: Real
iscomplextype(T) = T <: Complex
isrealfloattype(T) = T <: AbstractFloat
isfloattype(T) = T <: AbstractFloat || T <: Complex{<:AbstractFloat}
NaN_T(T::Type{<:AbstractFloat}) = T(NaN)
NaN_T(T::Type{<:Complex{<:AbstractFloat}}) = T(NaN, NaN)
sparse_types(T) = (CUDA.CUSPARSE.CuSparseVector, CUDA.CUSPARSE.CuSparseMatrixCSC, CUDA.CUSPARSE.CuSparseMatrixCSR)

# compare(f, AT, xs...): f of host arrays and f of arrays of the device give the same. A Ref is passed as what it holds.
host_argument(x) = x isa Base.RefValue ? x[] : deepcopy(x)
device_argument(T, x) = x isa Base.RefValue ? x[] : adapt(T, x)
function compare(f, T, xs...; keywords...)
    expected = f(map(host_argument, xs)...)
    found = f(map(x -> device_argument(T, x), xs)...)
    return is_same(expected, found; keywords...)
end
is_same(a, b; keywords...) = a == b
is_same(a::Nothing, b::Nothing; keywords...) = true
is_same(a::Nothing, b; keywords...) = false
is_same(a, b::Nothing; keywords...) = false
is_same(a::Number, b::Number; keywords...) = isapprox(a, b; keywords...)
is_same(a::Missing, b::Missing; keywords...) = true
is_same(a::Missing, b::Number; keywords...) = false
is_same(a::Number, b::Missing; keywords...) = false
is_same(a::Tuple, b::Tuple; keywords...) = length(a) == length(b) && all(i -> is_same(a[i], b[i]; keywords...), 1:length(a))
function is_same(a::AbstractArray, b::AbstractArray; keywords...)
    T = eltype(a)
    size(a) == size(b) || return false
    if eltype(b) === T && T <: Number
        return isapprox(collect(a), collect(b); keywords...)
    elseif eltype(b) === T && T <: Tuple
        return all(map((x, y) -> is_same(x, y; keywords...), collect(a), collect(b)))
    end
    return collect(a) == collect(b)
end

const tests = Any[]
macro testsuite(name, body)
    return :(push!(tests, ($name, $(esc(body)))))
end
const element_types = (Int16, Int32, Int64, Float16, Float32, Float64, ComplexF16, ComplexF32, ComplexF64, Complex{Int16}, Complex{Int32}, Complex{Int64})
end

# Each suite of the file, with CUDA.jl's element types.
function run_file(path)
    Core.eval(TestSuite, :(include($path)))
    for (name, body) in TestSuite.tests
        @testset "$name" begin
            body(CuArray, Any[TestSuite.element_types...])
        end
    end
end
