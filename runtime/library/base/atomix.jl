# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/meta
# Modules UnsafeAtomics and Atomix, named like the packages: atomic operations with ordering and scope on pointers, and on
# elements of arrays. The default order is sequentially consistent in UnsafeAtomics, and relaxed (as in CUDA) in Atomix.

module UnsafeAtomics
struct Ordering{name} end
const unordered = Ordering{:unordered}()
const monotonic = Ordering{:monotonic}()
const acquire = Ordering{:acquire}()
const release = Ordering{:release}()
const acq_rel = Ordering{:acq_rel}()
const seq_cst = Ordering{:seq_cst}()
const acquire_release = acq_rel
const sequentially_consistent = seq_cst
struct SyncScope{name} end
const none = SyncScope{:none}()
const singlethread = SyncScope{:singlethread}()
const block = SyncScope{:block}()
const device = SyncScope{:device}()
const system = SyncScope{:system}()

@inline name_of(::Ordering{name}) where {name} = Val(name)
@inline name_of(::SyncScope{name}) where {name} = Val(name)
@inline device_pointer(p::LLVMPtr) = p
@inline device_pointer(p::Ptr{T}) where {T} = pointer_cast(LLVMPtr{T,0}, p)
const Pointer{T} = Union{Ptr{T},LLVMPtr{T}}
@inline right(_, x) = x

@inline load(p::Union{Ptr,LLVMPtr}, order::Ordering=seq_cst, scope::SyncScope=none) = CUDA.ordered_load(device_pointer(p), name_of(order), name_of(scope))
@inline function store!(p::Union{Ptr,LLVMPtr}, v, order::Ordering=seq_cst, scope::SyncScope=none)
    CUDA.ordered_store(device_pointer(p), convert(eltype(typeof(p)), v), name_of(order), name_of(scope))
    return
end
# A failed compare-and-swap has the same ordering as a successful one.
@inline function cas!(p::Union{Ptr,LLVMPtr}, cmp, new, success::Ordering=seq_cst, failure::Ordering=success, scope::SyncScope=none)
    T = eltype(typeof(p))
    expected = convert(T, cmp)
    old = CUDA.ordered_replace(device_pointer(p), expected, convert(T, new), name_of(success), name_of(scope))
    return (old=old, success=old === expected)
end
@inline function modify!(p::Union{Ptr,LLVMPtr}, op, x, order::Ordering=seq_cst, scope::SyncScope=none)
    v = convert(eltype(typeof(p)), x)
    old = CUDA.ordered_update(op, device_pointer(p), v, name_of(order), name_of(scope))
    return old => convert(typeof(old), op(old, v))
end
@inline modify!(p::Union{Ptr,LLVMPtr}, op::typeof(right), x, order::Ordering=seq_cst, scope::SyncScope=none) = xchg!(p, x, order, scope) => convert(eltype(typeof(p)), x)
@inline xchg!(p::Union{Ptr,LLVMPtr}, x, order::Ordering=seq_cst, scope::SyncScope=none) =
    CUDA.ordered_modify(Val(:xchg), device_pointer(p), convert(eltype(typeof(p)), x), name_of(order), name_of(scope))
@inline fence(order::Ordering=seq_cst, scope::SyncScope=none) = CUDA.ordered_fence(name_of(order), name_of(scope))
@inline nand(x, y) = ~(x & y)
for (f, op) in ((:add!, :+), (:sub!, :-), (:and!, :&), (:nand!, :nand), (:or!, :|), (:xor!, :⊻), (:max!, :max), (:min!, :min))
    @eval @inline $f(p::Union{Ptr,LLVMPtr}, x, order::Ordering=seq_cst, scope::SyncScope=none) =
        CUDA.ordered_update($op, device_pointer(p), convert(eltype(typeof(p)), x), name_of(order), name_of(scope))
end
end

module Atomix
import Base.UnsafeAtomics: UnsafeAtomics, Ordering, unordered, monotonic, acquire, release, acq_rel, seq_cst, acquire_release, sequentially_consistent, right
struct IndexableRef{A,I<:Tuple}
    data::A
    indices::I
end
@inline IndexableRef(data, indices::Tuple) = IndexableRef{typeof(data),typeof(indices)}(data, indices)
@inline Base.eltype(::Type{<:IndexableRef{A}}) where {A} = eltype(A)
@inline pointer(r::IndexableRef) = CUDA.element_pointer(r.data, r.indices)
@inline Base.getindex(r::IndexableRef) = get(r)
@inline get(r::IndexableRef, order::Ordering=monotonic) = UnsafeAtomics.load(pointer(r), order)
@inline set!(r::IndexableRef, v, order::Ordering=monotonic) = UnsafeAtomics.store!(pointer(r), v, order)
@inline swap!(r::IndexableRef, v, order::Ordering=monotonic) = UnsafeAtomics.xchg!(pointer(r), v, order)
@inline replace!(r::IndexableRef, expected, desired, success::Ordering=monotonic, failure::Ordering=success) = UnsafeAtomics.cas!(pointer(r), expected, desired, success, failure)
@inline modify!(r::IndexableRef, op, x, order::Ordering=monotonic) = UnsafeAtomics.modify!(pointer(r), op, x, order)
module Internal
import Base.Atomix: IndexableRef
# An array of the references to another array's elements.
struct ReferenceableArray{N,A<:Base.AbstractArray} <: Base.AbstractArray{IndexableRef,N}
    data::A
end
@inline referenceable(A::Base.AbstractArray{T,N}) where {T,N} = ReferenceableArray{N,typeof(A)}(A)
@inline Base.size(r::ReferenceableArray) = Base.size(r.data)
@inline Base.IndexStyle(::Type{<:ReferenceableArray{N,A}}) where {N,A} = Base.IndexStyle(A)
@inline Base.getindex(r::ReferenceableArray, I::Int...) = IndexableRef(r.data, I)
end
end
