# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/random
# Methods that take a host array, as counterparts of those for device arrays. They name Array: in Kiln, methods for
# AbstractArray do not apply to host arrays (lib/world/dispatch.cpp).

(::Type{CuArray{T}})(A::Array) where {T} = converted_elements(T, CuArray(A))
(::Type{CuArray{T,N}})(A::Array) where {T,N} = ndims(A) == N ? converted_elements(T, CuArray(A)) : throw(MethodError(CuArray{T,N}, (A,)))
(::Type{CuArray{T,N,M}})(A::Array) where {T,N,M<:AnyMemory} = as_memory(CuArray{T,N}(A), M)
(::Type{CuVector})(A::Array) = vector_of(CuArray(A))
(::Type{CuMatrix})(A::Array) = matrix_of(CuArray(A))
Base.copyto!(B::WrappedCuArray, A::Array) = copyto!(B, CuArray(A))
store_part(A, V, x::Array) = store_array(A, V, x)
Base.:(==)(A::AnyCuArray, B::Array) = size(A) == size(B) && same_elements(download(A), B)
Base.:(==)(A::Array, B::AnyCuArray) = size(A) == size(B) && same_elements(A, download(B))
function same_elements(A, B)
    for k in 1:length(A)
        A[k] == B[k] || return false
    end
    return true
end
Base.isapprox(A::AnyCuArray, B::Array; keywords...) = isapprox(A, CuArray(B); keywords...)
Base.isapprox(A::Array, B::AnyCuArray; keywords...) = isapprox(CuArray(A), B; keywords...)
# Reductions with keyword dims call along_dims, as for host arrays.
for f in (:sum, :prod, :maximum, :minimum, :extrema, :any, :all, :count, :findmax, :findmin, :argmax, :argmin, :cumsum, :cumprod, :sort)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(Base.$f), A::AnyCuArray) = along_dims(Base.$f, kw.dims, A)
end
for f in (:sum, :prod, :maximum, :minimum, :extrema, :any, :all, :count, :findmax, :findmin)
    @eval Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(Base.$f), g, A::AnyCuArray) = along_dims(Base.$f, kw.dims, g, A)
end
along_dims(::typeof(Base.sum), dims, A) = reduce_to(Base.add_sum, nest_of(identity, A), dims, InitialValue())
along_dims(::typeof(Base.sum), dims, g, A) = reduce_to(Base.add_sum, nest_of(g, A), dims, InitialValue())
along_dims(::typeof(Base.prod), dims, A) = reduce_to(Base.mul_prod, nest_of(identity, A), dims, InitialValue())
along_dims(::typeof(Base.prod), dims, g, A) = reduce_to(Base.mul_prod, nest_of(g, A), dims, InitialValue())
along_dims(::typeof(Base.maximum), dims, A) = reduce_to(max, nest_of(identity, A), dims, InitialValue())
along_dims(::typeof(Base.maximum), dims, g, A) = reduce_to(max, nest_of(g, A), dims, InitialValue())
along_dims(::typeof(Base.minimum), dims, A) = reduce_to(min, nest_of(identity, A), dims, InitialValue())
along_dims(::typeof(Base.minimum), dims, g, A) = reduce_to(min, nest_of(g, A), dims, InitialValue())
along_dims(::typeof(Base.extrema), dims, A) = reduce_to(Base.meet_extrema, nest_of(Base.Twin(identity), A), dims, InitialValue())
along_dims(::typeof(Base.extrema), dims, g, A) = reduce_to(Base.meet_extrema, nest_of(Base.Twin(as_function(g)), A), dims, InitialValue())
along_dims(::typeof(Base.any), dims, A) = reduce_to(|, nest_of(identity, A), dims, false)
along_dims(::typeof(Base.any), dims, g, A) = reduce_to(|, nest_of(g, A), dims, false)
along_dims(::typeof(Base.all), dims, A) = reduce_to(&, nest_of(identity, A), dims, true)
along_dims(::typeof(Base.all), dims, g, A) = reduce_to(&, nest_of(g, A), dims, true)
along_dims(::typeof(Base.count), dims, A) = reduce_to(+, nest_of(Base.CountIf(identity), A), dims, 0)
along_dims(::typeof(Base.count), dims, g, A) = reduce_to(+, nest_of(Base.CountIf(as_function(g)), A), dims, 0)
along_dims(::typeof(Base.findmax), dims, A) = found(A, dims, best(isless, identity, A, dims))
along_dims(::typeof(Base.findmax), dims, g, A) = found(A, dims, best(isless, g, A, dims))
along_dims(::typeof(Base.findmin), dims, A) = found(A, dims, best(Base.isgreater, identity, A, dims))
along_dims(::typeof(Base.findmin), dims, g, A) = found(A, dims, best(Base.isgreater, g, A, dims))
along_dims(::typeof(Base.argmax), dims, A) = along_dims(Base.findmax, dims, A)[2]
along_dims(::typeof(Base.argmin), dims, A) = along_dims(Base.findmin, dims, A)[2]
along_dims(::typeof(Base.cumsum), dims, A) = accumulated(Base.add_sum, A, dims, InitialValue())
along_dims(::typeof(Base.cumprod), dims, A) = accumulated(Base.mul_prod, A, dims, InitialValue())
along_dims(::typeof(Base.sort), dims, A) = merge_sort!(copy(A), Order(identity, isless, false), Int(dims))
for f in (:sum, :prod, :maximum, :minimum)
    op = f === :sum ? :(Base.add_sum) : f === :prod ? :(Base.mul_prod) : f === :maximum ? :max : :min
    @eval Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(Base.$f), A::AnyCuArray) = reduce_to($op, nest_of(identity, A), :, kw.init)
    @eval Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(Base.$f), g, A::AnyCuArray) = reduce_to($op, nest_of(g, A), :, kw.init)
end
for f in (:reduce, :foldl)
    @eval Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(Base.$f), op, A::AnyCuArray) = reduce_to(op, nest_of(identity, A), :, kw.init)
end
Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(Base.mapreduce), g, op, A::AnyCuArray) = reduce_to(op, nest_of(g, A), :, kw.init)
# Copies between the device and an array of the host whose bits have another type.
const ReinterpretedHost{T,N} = Base.ReinterpretArray{T,N,S,A} where {S,A<:Array}
shared_bits(A::ReinterpretedHost{T}) where {T} = Base.__reinterpreted(T, parent(A), size(A))
Base.copyto!(B::ReinterpretedHost, A::AnyCuArray) = (copyto!(shared_bits(B), A); B)
Base.copyto!(B::ReinterpretedHost, i::Integer, A::AnyCuArray, j::Integer=1, n::Integer=length(A) - j + 1) = (copyto!(shared_bits(B), i, A, j, n); B)
Base.copyto!(B::AnyCuArray, i::Integer, A::ReinterpretedHost, j::Integer=1, n::Integer=length(A) - j + 1) = copyto!(B, i, shared_bits(A), j, n)
