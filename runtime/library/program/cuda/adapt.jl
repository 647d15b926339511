# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/pointers
# Adapt.jl's functions, and the adaptor of function cu. Structures are rebuilt from their adapted fields: tuples,
# closures, dotted calls, wrapped arrays, and types for which packages and programs define methods.

struct KernelAdaptor end
struct HostAdaptor end
struct CuArrayAdaptor{M} end # adaptor of function cu; M: kind of memory
cudaconvert(x) = __convert(x)
adapt(::KernelAdaptor, x) = __convert(x)
adapt(::HostAdaptor, x) = __convert(x, true)
adapt(to, x) = adapt_structure(to, x)
adapt(to) = x -> adapt(to, x)
adapt_fields(T, to, x) = T(ntuple(k -> adapt(to, getfield(x, k)), nfields(x))...)
adapted_fields(to, x) = ntuple(k -> adapt(to, getfield(x, k)), nfields(x))

# ---- structures
adapt_structure(to, x) = adapt_storage(to, x)
adapt_structure(to, t::Tuple) = map(x -> adapt(to, x), t)
adapt_structure(to, x::NamedTuple) = NamedTuple{keys(x)}(map(y -> adapt(to, y), Tuple(x)))
adapt_structure(to, f::Function) = nfields(f) == 0 ? f : __with_fields(f, adapted_fields(to, f))
adapt_structure(to, b::Base.Broadcasted) = __with_fields(b, (b.style, adapt(to, b.f), adapt(to, b.args), b.axes))
adapt_structure(to, A::Transpose) = transpose(adapt(to, parent(A)))
adapt_structure(to, A::Adjoint) = adjoint(adapt(to, parent(A)))
adapt_structure(to, A::SubArray) = view(adapt(to, parent(A)), adapt(to, A.indices)...)
adapt_structure(to, A::Base.ReshapedArray) = reshape(adapt(to, parent(A)), size(A))
adapt_structure(to, A::Base.ReinterpretArray{T,N,S,P,IsReshaped}) where {T,N,S,P,IsReshaped} = IsReshaped ? reinterpret(reshape, T, adapt(to, parent(A))) : reinterpret(T, adapt(to, parent(A)))
adapt_structure(to, A::Base.PermutedDimsArray{T,N,perm}) where {T,N,perm} = Base.PermutedDimsArray(adapt(to, parent(A)), perm)
function adapt_structure(to, A::AbstractArray)
    B = Base.__map_parent(P -> adapt(to, P), A) # nothing unless A is a triangular, symmetric or diagonal matrix
    return B === nothing ? adapt_storage(to, A) : B
end

# ---- storage
adapt_storage(to, x) = x
adapt_storage(::KernelAdaptor, x) = x
adapt_storage(::HostAdaptor, x) = x
adapt_storage(::KernelAdaptor, x::Union{CuArray,CuPtr,Base.RefValue}) = __convert(x)
adapt_storage(::HostAdaptor, x::Union{Array,CuArray,CuPtr,Base.RefValue}) = __convert(x, true)
holds_bits(A) = isbitstype(typeof(A)) # true for types such as ranges and static arrays, which need no adaptation
adapt_storage(::Type{T}, A::Union{Array,AbstractArray}) where {T<:CuArray} = holds_bits(A) ? A : convert(T, A)
adapt_storage(::Type{T}, A::Union{Array,AbstractArray}) where {T<:Array} = A isa T ? A : T(A)
adapt_storage(::CuArrayAdaptor{M}, A::Union{Array,AbstractArray}) where {M} = holds_bits(A) ? A : in_memory(M, cu_element(eltype(A)), A)
cu_element(::Type{T}) where {T} = T
cu_element(::Type{T}) where {T<:AbstractFloat} = sizeof(T) == 2 ? T : Float32
cu_element(::Type{Complex{T}}) where {T<:AbstractFloat} = Complex{Float32}
in_memory(M, T, A) = as_memory(eltype(A) === T ? CuArray(A) : CuArray{T}(A), M)
in_memory(M, T, A::CuArray{S,N,L}) where {S,N,L} = S === T && L === M ? A : as_memory(S === T ? A : T.(A), M)

# ---- cu: floats become Float32
cu(x) = adapt(CuArrayAdaptor{DeviceMemory}(), x)
function Core.kwcall(kw::NamedTuple, ::typeof(cu), x)
    kinds = (device=DeviceMemory, unified=UnifiedMemory, host=HostMemory)
    chosen = filter(k -> kw[k], keys(kw))
    length(chosen) > 1 && throw(ArgumentError("Can only specify one of `device`, `unified`, or `host`"))
    return isempty(chosen) ? cu(x) : adapt(CuArrayAdaptor{kinds[chosen[1]]}(), x)
end
Base.getindex(::typeof(cu), items...) = CuArray([items...])
