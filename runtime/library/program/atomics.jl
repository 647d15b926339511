# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: base/atomix; when: atomic, atomicswap, atomicreplace, Atomix, UnsafeAtomics
# Atomic operations of programs on elements of host arrays: plain updates, since a program has one thread. A host array
# has no address, so that an element is its array and indices.

struct HostElement{A,I}
    array::A
    indices::I
end
const HostArrays = Union{Array,Base.SubArray{T,N,<:Array} where {T,N},Base.Adjoint{T,<:Array} where {T},Base.Transpose{T,<:Array} where {T}}
element_pointer(A::HostArrays, I::Tuple) = HostElement(A, I)
element_pointer(A::HostArrays, I::Tuple{Integer}) = HostElement(A, I)
atomic_get(p::HostElement) = p.array[p.indices...]
function atomic_set(p::HostElement, v)
    p.array[p.indices...] = v
    return v
end
function atomic_swap(p::HostElement, v)
    old = p.array[p.indices...]
    p.array[p.indices...] = v
    return old
end
function atomic_pair(op, p::HostElement, x)
    old = p.array[p.indices...]
    new = convert(typeof(old), op(old, x))
    p.array[p.indices...] = new
    return old => new
end
function atomic_replace_pair(p::HostElement, change::Pair)
    old = p.array[p.indices...]
    success = old === convert(typeof(old), change.first)
    success && (p.array[p.indices...] = change.second)
    return (old=old, success=success)
end
atomic_arrayset(A::HostArrays, I::Tuple, op, v) = atomic_pair(op, HostElement(A, I), v).first
atomic_arrayset(A::HostArrays, I::Tuple{Integer}, op, v) = atomic_pair(op, HostElement(A, I), v).first

# UnsafeAtomics' names for these operations, which Atomix.IndexableRef uses.
const AtomicOrder = Base.UnsafeAtomics.Ordering
Base.UnsafeAtomics.load(p::HostElement, ::AtomicOrder) = atomic_get(p)
Base.UnsafeAtomics.store!(p::HostElement, v, ::AtomicOrder) = (atomic_set(p, v); nothing)
Base.UnsafeAtomics.xchg!(p::HostElement, v, ::AtomicOrder) = atomic_swap(p, v)
Base.UnsafeAtomics.modify!(p::HostElement, op, x, ::AtomicOrder) = atomic_pair(op, p, x)
Base.UnsafeAtomics.cas!(p::HostElement, expected, v, ::AtomicOrder, ::AtomicOrder) = atomic_replace_pair(p, expected => v)
