# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; with: program/cuda/abstractions
# Packages that programs use with CUDA: Adapt, GPUArrays, GPUArraysCore; and LinearAlgebra's functions for device
# arrays.

module Adapt
import CUDA: adapt, adapt_structure, adapt_storage, adapt_fields
macro adapt_structure(T)
    return Expr(:(=), Expr(:call, :(Adapt.adapt_structure), :to, Expr(:(::), :x, esc(T))), Expr(:call, :(Adapt.adapt_fields), esc(T), :to, :x))
end
export adapt, @adapt_structure
end

module GPUArraysCore
import CUDA: AbstractGPUArray, AbstractGPUVector, AbstractGPUMatrix, allowscalar, assertscalar, AnyCuArray
import CUDA: @allowscalar
const AnyGPUArray = AnyCuArray
const AnyGPUVector = Union{CUDA.CuFlat{T,1} where {T}}
const AnyGPUMatrix = Union{CUDA.CuFlat{T,2} where {T},CUDA.CuTransposed}
const WrappedGPUArray = CUDA.WrappedCuArray
const AbstractGPUVecOrMat = Union{AbstractGPUVector,AbstractGPUMatrix}
backend(A) = Base.KernelAbstractions.get_backend(A)
export AbstractGPUArray, AbstractGPUVector, AbstractGPUMatrix, AbstractGPUVecOrMat, AnyGPUArray, AnyGPUVector, AnyGPUMatrix, WrappedGPUArray, allowscalar, @allowscalar, assertscalar
end

module GPUArrays
import CUDA: CuArray, storage, DataRef, unsafe_free!, RNG, _permutedims!, AbstractGPUArray, AbstractGPUVector, AbstractGPUMatrix, allowscalar, assertscalar, AnyCuArray, neutral_element, mapreducedim!
import CUDA: @allowscalar
const AnyGPUArray = AnyCuArray
dense_array_type(A) = CuArray # of a device array or its type
generic_matmatmul!(C::AbstractArray, A::AbstractArray, B::AbstractArray, alpha::Number, beta::Number) = Base.mul!(C, A, B, alpha, beta)
export AbstractGPUArray, AbstractGPUVector, AbstractGPUMatrix, AnyGPUArray, allowscalar, @allowscalar
end

module Experimental
import CUDA: Const
end

struct KernelError <: Exception
    msg::String
end

module LinearAlgebra
import Base: mul!, axpy!, axpby!, rmul!, lmul!
export mul!, axpy!, axpby!, rmul!, lmul!
end
