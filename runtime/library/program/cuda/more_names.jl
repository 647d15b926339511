# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/modules
# Names of CUDA.jl and GPUArrays that few programs use: scans and permutations into existing arrays, lazy dotted calls
# in reductions, and properties of the device.
const AnyCuVector{T} = Union{CuFlat{T,1},CuPermuted{T,1}}
const AnyCuMatrix{T} = Union{CuFlat{T,2},CuTransposed{T},CuPermuted{T,2}}
const AnyCuVecOrMat{T} = Union{AnyCuVector{T},AnyCuMatrix{T}}
const DenseCuVecOrMat = CuVecOrMat

# ---- scans, permutations and shifts into arrays that exist
Core.kwcall(kw::NamedTuple{(:init,)}, ::typeof(Base.accumulate!), op, B::CuArray, A::AnyCuArray) = copyto!(B, accumulated(op, A, nothing, kw.init))
Core.kwcall(kw::NamedTuple{(:dims, :init)}, ::typeof(Base.accumulate!), op, B::CuArray, A::AnyCuArray) = copyto!(B, accumulated(op, A, kw.dims, kw.init))
Core.kwcall(kw::NamedTuple{(:init, :dims)}, ::typeof(Base.accumulate!), op, B::CuArray, A::AnyCuArray) = copyto!(B, accumulated(op, A, kw.dims, kw.init))
Core.kwcall(kw::NamedTuple{(:dims,)}, ::typeof(scan!), op, B::AnyCuArray, A::AnyCuArray) = copyto!(B, accumulated(op, A, kw.dims, InitialValue()))
Core.kwcall(kw::NamedTuple{(:dims, :init)}, ::typeof(scan!), op, B::AnyCuArray, A::AnyCuArray) = copyto!(B, accumulated(op, A, kw.dims, kw.init))
Base.permutedims!(B::AnyCuArray, A::AnyCuArray, perm) = copyto!(B, permutedims(A, perm))
Base.circshift!(B::AnyCuArray, A::AnyCuArray, shifts::Integer) = copyto!(B, circshift(A, shifts))
Base.circshift!(B::AnyCuArray, A::AnyCuArray, shifts::Tuple) = copyto!(B, circshift(A, shifts))
Base.rot180(A::AnyCuArray) = reverse(A)
Base.rotl90(A::AnyCuArray) = reverse(copy(transpose(A)); dims=1)
Base.rotr90(A::AnyCuArray) = reverse(copy(transpose(A)); dims=2)
struct Replaced{P} <: Function
    changes::P
end
@inline (r::Replaced)(x) = replaced_by(x, r.changes)
@inline replaced_by(x, ::Tuple{}) = x
@inline replaced_by(x, changes::Tuple) = isequal(x, changes[1].first) ? oftype(x, changes[1].second) : replaced_by(x, Base.tail(changes))
Base.replace(A::AnyCuArray, changes::Pair...) = map(Replaced(changes), A)
Base.replace!(A::AnyCuArray, changes::Pair...) = (A .= Replaced(changes).(A); A)
Base.replace!(f::Function, A::AnyCuArray) = (A .= f.(A); A)

# ---- reductions of lazy dotted calls over arrays of the device
is_of_device(b) = Base.broadcast_kind(b) isa OfDevice
for (name, op) in ((:sum, :(Base.add_sum)), (:prod, :(Base.mul_prod)), (:maximum, :max), (:minimum, :min))
    @eval Base.$name(b::Base.Broadcasted; dims=:, init=InitialValue()) = is_of_device(b) ? reduce_to($op, b, dims, init) : on_host($name, b, dims, init)
    @eval Base.$name(f, b::Base.Broadcasted; dims=:, init=InitialValue()) = $name(Base.broadcasted(f, b); dims=dims, init=init)
end
Base.mapreduce(f, op, b::Base.Broadcasted; dims=:, init=InitialValue()) = is_of_device(b) ? reduce_to(op, Base.broadcasted(f, b), dims, init) : on_host((A; keywords...) -> mapreduce(f, op, A; keywords...), b, dims, init)
on_host(reduction, b, dims, ::InitialValue) = dims isa Colon ? reduction(Base.materialize(b)) : reduction(Base.materialize(b); dims=dims)
on_host(reduction, b, dims, init) = reduction(Base.materialize(b); dims=dims, init=init)
Base.reduce(op, b::Base.Broadcasted; dims=:, init=InitialValue()) = mapreduce(identity, op, b; dims=dims, init=init)

# ---- memory and the device: one device with one context, and one pool that Kiln keeps
pool_status() = memory_status()
pool_status(io) = print(io, "Memory pool usage: ", used_memory(), " bytes (", cached_memory(), " bytes reserved)\n")
pin(A::Array) = A                                   # copies of host arrays need no pinned memory
is_pinned(A) = false
cuda_rng() = default_rng()
has_context() = true
has_device() = true
isactive(c::CuContext) = true
can_access_peer(a::CuDevice, b::CuDevice) = a == b
unified_addressing(d::CuDevice) = true
supports_hmm(d) = false
legacy_stream() = default_stream()
per_thread_stream() = default_stream()
memory_type(A::AnyCuArray) = memory_kind(A)
compute_capability(d::CuDevice=device()) = capability(d)
quicksort!(A::AnyCuArray; keywords...) = sort!(A; keywords...)
bitonic_sort!(A::AnyCuArray; keywords...) = sort!(A; keywords...)
@inline vote_all(predicate) = vote_all_sync(FULL_MASK, predicate)
@inline vote_any(predicate) = vote_any_sync(FULL_MASK, predicate)
@inline vote_ballot(predicate) = vote_ballot_sync(FULL_MASK, predicate)
export AnyCuArray, AnyCuVector, AnyCuMatrix, AnyCuVecOrMat, DenseCuVecOrMat, pin, is_pinned, has_context, has_device, isactive, can_access_peer, unified_addressing, memory_type
