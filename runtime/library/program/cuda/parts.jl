# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/growth
# Parts of device matrices, transposes and triangles; parts of wrapped device arrays; copies from part to part.

storage(A::CuArray) = A.storage
storage(A::AnyCuArray) = storage(parent(A))
const DataRef = DeviceBuffer

# ---- constructors for another size or kind of memory, and arrays similar to a type
(::Type{CuArray{T,1}})() where {T} = new_array(T, (0,))
(::Type{CuArray{T,2}})() where {T} = new_array(T, (0, 0))
Base.similar(::Type{A}, dims::Dims) where {T,A<:CuArray{T}} = new_array(T, dims)
Base.similar(::Type{A}, dims::Integer...) where {T,A<:CuArray{T}} = new_array(T, dims)
Base.similar(b::Base.Broadcasted{Nothing}, ::Type{T}) where {T} = new_array(T, Base.broadcast_size(b))
Base.similar(b::Base.Broadcasted{Nothing}, ::Type{T}, dims::Tuple) where {T} = new_array(T, dims)
identity_matrix(::Type{T}, J, m, n) where {T} = CuArray(Base.__identity(T, J, Int(m), Int(n)))
CuArray(J::Base.UniformScaling, m::Integer, n::Integer) = identity_matrix(typeof(J.λ), J, m, n)
CuArray(J::Base.UniformScaling, dims::Tuple) = CuArray(J, dims...)
(::Type{CuArray{T}})(J::Base.UniformScaling, m::Integer, n::Integer) where {T} = identity_matrix(T, J, m, n)
(::Type{CuArray{T}})(J::Base.UniformScaling, dims::Tuple) where {T} = identity_matrix(T, J, dims...)
(::Type{CuArray{T,2}})(J::Base.UniformScaling, m::Integer, n::Integer) where {T} = identity_matrix(T, J, m, n)
(::Type{CuArray{T,2}})(J::Base.UniformScaling, dims::Tuple) where {T} = identity_matrix(T, J, dims...)
Base.copyto!(A::CuArray{T,2}, J::Base.UniformScaling) where {T} = copyto!(A, Base.__identity(T, J, size(A, 1), size(A, 2)))
Base.oneunit(A::CuArray{T,2}) where {T} = one(A)

# ---- indexing of wrapped device arrays: copies the array and indexes the copy
Base.__get(::Val{true}, A::WrappedCuArray, I) = (check_part(A, flat_views(I)); copy(A)[I...])
Base.__set(::Val{true}, A::WrappedCuArray, x, I) = (check_part(A, flat_views(I)); store_wrapped(A, x, I))
Base.__set(::Val{true}, A::CuSubArray, x, I) = (V = view(A, I...); V isa AnyCuArray ? store_part(A, V, x) : store_wrapped(A, x, I))
function store_wrapped(A, x, I)
    B = copy(A)
    B[I...] = x
    copyto!(A, B)
    return A
end

# ---- copies between parts
Base.copyto!(B::AnyCuArray, to::AbstractRange, A::AbstractArray, from::AbstractRange) = copy_part(B, CartesianIndices((to,)), A, CartesianIndices((from,)))
Base.copyto!(B::AbstractArray, to::AbstractRange, A::AnyCuArray, from::AbstractRange) = copy_part(B, CartesianIndices((to,)), A, CartesianIndices((from,)))
Base.copyto!(B::AnyCuArray, to::AbstractRange, A::AnyCuArray, from::AbstractRange) = copy_part(B, CartesianIndices((to,)), A, CartesianIndices((from,)))
Base.copyto!(B::AnyCuArray, to::CartesianIndices, A::AbstractArray, from::CartesianIndices) = copy_part(B, to, A, from)
Base.copyto!(B::AbstractArray, to::CartesianIndices, A::AnyCuArray, from::CartesianIndices) = copy_part(B, to, A, from)
Base.copyto!(B::AnyCuArray, to::CartesianIndices, A::AnyCuArray, from::CartesianIndices) = copy_part(B, to, A, from)
function copy_part(B, to, A, from)
    size(to) == size(from) || throw(ArgumentError(string("source and destination must have same size (got ", size(from), " and ", size(to), ")")))
    length(to) == 0 && return B
    P = A[from.indices...]
    if B isa AnyCuArray
        copyto!(view(B, to.indices...), P isa AnyCuArray ? P : CuArray(P))
    else
        copyto!(B, to, P isa AnyCuArray ? Array(P) : P, CartesianIndices(size(P)))
    end
    return B
end
Base.copy!(B::AnyCuArray, A::AbstractArray) = copy_whole(B, A)
Base.copy!(B::AbstractArray, A::AnyCuArray) = copy_whole(B, A)
Base.copy!(B::AnyCuArray, A::AnyCuArray) = copy_whole(B, A)
function copy_whole(B, A)
    ndims(A) == 1 && ndims(B) == 1 && length(A) != length(B) && resize!(B, length(A))
    size(A) == size(B) || throw(ArgumentError("arrays must have the same axes for copy! (consider using `copyto!`)"))
    return copyto!(B, A)
end

# ---- matrices whose elements are computed from their position
struct Indices{N} <: AbstractArray{NTuple{N,Int},N}
    dims::NTuple{N,Int}
end
@inline Base.size(A::Indices) = A.dims
@inline Base.getindex(A::Indices{N}, I::Vararg{Int,N}) where {N} = I
@inline Base.getindex(A::Indices, i::Int) = Base.split_offset(A.dims, i - 1)
@inline Base.IndexStyle(::Type{A}) where {A<:Indices} = IndexCartesian()
by_place(f, A::AbstractArray, rest...) = Base.materialize(Base.Broadcasted(f, (A, Indices{2}(size(A)), rest...)))
by_place!(B, f, A::AbstractArray, rest...) = Base.materialize!(B, Base.Broadcasted(f, (A, Indices{2}(size(A)), rest...)))
@inline above(x, I, k) = I[2] - I[1] >= k ? x : zero(x)
@inline below(x, I, k) = I[2] - I[1] <= k ? x : zero(x)
const CuDense = Union{CuFlat{T,2} where {T},CuTransposed,CuPermuted}
Base.triu(A::CuDense, k::Integer=0) = by_place(above, A, Int(k))
Base.tril(A::CuDense, k::Integer=0) = by_place(below, A, Int(k))
Base.triu!(A::CuDense, k::Integer=0) = by_place!(A, above, A, Int(k))
Base.tril!(A::CuDense, k::Integer=0) = by_place!(A, below, A, Int(k))
@inline clear_above(x, I, k) = I[2] - I[1] <= k || iszero(x)
@inline clear_below(x, I, k) = I[2] - I[1] >= k || iszero(x)
Base.istriu(A::CuDense, k::Integer=0) = all(Base.Broadcasted(clear_below, (A, Indices{2}(size(A)), Int(k))))
Base.istril(A::CuDense, k::Integer=0) = all(Base.Broadcasted(clear_above, (A, Indices{2}(size(A)), Int(k))))
Base.issymmetric(A::CuDense) = size(A, 1) == size(A, 2) && all(Base.Broadcasted(==, (A, transpose(A))))
Base.ishermitian(A::CuDense) = size(A, 1) == size(A, 2) && all(Base.Broadcasted(==, (A, adjoint(A))))
@inline add_on_diagonal(x, I, y) = I[1] == I[2] ? x + y : x
Base.__add_to_diagonal!(C::CuDense, x) = by_place!(C, add_on_diagonal, C, x)
Base.transpose!(B::CuFlat, A::CuFlat) = transposed_into!(B, A, transpose)
Base.adjoint!(B::CuFlat, A::CuFlat) = transposed_into!(B, A, adjoint)
function transposed_into!(B, A, f)
    (size(B, 1), size(B, 2)) == (size(A, 2), size(A, 1)) || throw(DimensionMismatch(string(f, "!: the destination has not the size of the result")))
    length(A) == 0 || Base.materialize!(as_matrix(B), Base.broadcasted(identity, f(as_matrix(A))))
    return B
end
function Base.copytri!(A::CuDense, uplo::AbstractChar, conjugate::Bool=false, diag::Bool=false)
    checksquare(A)
    (uplo == 'U' || uplo == 'L') || throw(ArgumentError(string("uplo argument must be 'U' (upper) or 'L' (lower), got ", uplo)))
    T = conjugate ? copy(adjoint(A)) : copy(transpose(A))
    return by_place!(A, uplo == 'U' ? OtherBelow(diag) : OtherAbove(diag), A, T)
end
struct OtherBelow <: Function
    diag::Bool
end
@inline (o::OtherBelow)(x, I, y) = I[1] > I[2] || (o.diag && I[1] == I[2]) ? y : x
struct OtherAbove <: Function
    diag::Bool
end
@inline (o::OtherAbove)(x, I, y) = I[1] < I[2] || (o.diag && I[1] == I[2]) ? y : x
function Base.copytrito!(B::CuDense, A::CuDense, uplo::AbstractChar)
    (uplo == 'U' || uplo == 'L') || throw(ArgumentError(string("uplo argument must be 'U' (upper) or 'L' (lower), got ", uplo)))
    n = uplo == 'U' ? min(size(A, 1), size(A, 2)) : size(A, 1)
    m = uplo == 'U' ? size(A, 2) : min(size(A, 1), size(A, 2))
    V = view(B, 1:n, 1:m)
    by_place!(V, uplo == 'U' ? OtherAbove(true) : OtherBelow(true), V, copy(view(A, 1:n, 1:m)))
    return B
end
Base.diag(A::CuDense, k::Integer=0) = copy(A)[Base.diagind(A, k)]
Base.diagm(v::CuFlat{T,1}) where {T} = diagm(0 => v)
function Base.diagm(ps::Pair{<:Integer,<:CuFlat}...)
    n = maximum(map(p -> length(p.second) + abs(Int(p.first)), ps))
    A = fill!(new_array(promote_type(map(p -> eltype(p.second), ps)...), (n, n)), 0)
    for p in ps
        k = Int(p.first)
        r = Base.diagind(A, k)
        V = view(vec(A), first(r):step(r):(first(r)+(length(p.second)-1)*step(r)))
        V .+= p.second
    end
    return A
end
Base.circshift(A::CuFlat, k::Integer) = circshift(A, (k,))
function Base.circshift(A::CuFlat, shifts::Tuple)
    I = ntuple(d -> (k = d <= length(shifts) ? Int(shifts[d]) : 0; CuArray([mod1(i - k, size(A, d)) for i in 1:size(A, d)])), ndims(A))
    return unchecked_part(A, I)
end
Base.diff(A::AnyCuArray) = ndims(A) == 1 ? differences(A, 1) : throw(ArgumentError("diff of arrays of several dimensions takes dims"))
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(Base.diff), A::AnyCuArray) = differences(A, Int(kw.dims))
function differences(A, d)
    1 <= d <= ndims(A) || throw(ArgumentError(string("dimension ", d, " out of range (1:", ndims(A), ")")))
    later = view(A, ntuple(k -> k == d ? (2:size(A, k)) : (1:size(A, k)), ndims(A))...)
    sooner = view(A, ntuple(k -> k == d ? (1:size(A, k)-1) : (1:size(A, k)), ndims(A))...)
    return later .- sooner
end
Base.clamp!(A::AnyCuArray, low, high) = (A .= clamp.(A, low, high); A)
const CuOperand = Union{AbstractGPUArray,WrappedCuArray}
function Base.rotate!(x::CuOperand, y::CuOperand, c::Number, s::Number)
    (a, b) = (copy(x), copy(y))
    x .= times.(c, a) .+ times.(s, b)
    y .= times.(c, b) .- times.(conj(s), a)
    return (x, y)
end
function Base.reflect!(x::CuOperand, y::CuOperand, c::Number, s::Number)
    (a, b) = (copy(x), copy(y))
    x .= times.(c, a) .+ times.(s, b)
    y .= times.(conj(s), a) .- times.(c, b)
    return (x, y)
end
# Product whose factor `false` gives zero even for NaN, as in Julia.
@inline times(a, x) = a * x
@inline times(a::Bool, x) = a ? one(a) * x : zero(x)

# ---- ordering
struct Unordered{O} <: Function
    before::O
end
@inline (u::Unordered)(x, y) = !u.before(y, x)
function Base.issorted(A::AnyCuArray; lt=isless, by=identity, rev=nothing, order=nothing)
    n = length(A)
    back = rev === true
    if order !== nothing
        order isa typeof(Base.Order.Forward) || order isa typeof(Base.Order.Reverse) || throw(ArgumentError("issorted of arrays of the device takes the orders Forward and Reverse"))
        order isa typeof(Base.Order.Reverse) && (back = !back)
    end
    n <= 1 && return true
    V = vec(A)
    return all(Base.Broadcasted(Unordered(Order(by, lt, back)), (view(V, 1:n-1), view(V, 2:n))))
end

# ---- deepcopy, permutedims!, kron, and conversions to Array
Base.deepcopy(A::AnyCuArray) = copy(A)
_permutedims!(::Type, B::CuArray, A::AnyCuArray, perm) = copyto!(B, Base.PermutedDimsArray(A, perm))
_permutedims!(B::CuArray, A::AnyCuArray, perm) = copyto!(B, Base.PermutedDimsArray(A, perm))
Base.kron(A::CuDense, B::CuDense) = kron_of(A, B)
Base.kron(a::CuFlat{T,1}, b::CuFlat{S,1}) where {T,S} = vec(kron_of(as_matrix(a), as_matrix(b)))
Base.kron(A::CuDense, b::CuFlat{T,1}) where {T} = kron_of(A, as_matrix(b))
Base.kron(a::CuFlat{T,1}, B::CuDense) where {T} = kron_of(as_matrix(a), B)
# Kronecker product. Reshapes A to (1, m, 1, n) and B to (p, 1, q, 1), so that one dotted product computes all
# elements.
function kron_of(A, B)
    (m, n) = size(A)
    (p, q) = size(B)
    return reshape(reshape(copy(A), (1, m, 1, n)) .* reshape(copy(B), (p, 1, q, 1)), (m * p, n * q))
end
Base.kron!(C::CuFlat, A::AnyCuArray, B::AnyCuArray) = copyto!(C, kron(A, B))
Base.convert(::Type{Array}, A::AnyCuArray) = download(A)
Base.convert(::Type{Array{T}}, A::AnyCuArray) where {T} = collected(T, A)
Base.convert(::Type{Array{T,N}}, A::AnyCuArray) where {T,N} = ndims(A) == N ? collected(T, A) : throw(MethodError(convert, (Array{T,N}, A)))
