# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/atomics
# Atomic operations with an ordering and a scope: Val(:unordered), :monotonic, :acquire, :release, :acq_rel, :seq_cst; Val(:block),
# :device, :system, or :none, which means the device. On the CPU the scope is the process. GPU targets overlay all
# functions of this file.

@inline ordered_modify(op, p::LLVMPtr, v, order, scope) = atomic_modify(op, p, v, order)
@inline ordered_modify(::Val{:fadd}, p::LLVMPtr{BFloat16}, v, order, scope) = ordered_update(nothing, +, p, v, order, scope) # LLVM would call a library function for an atomic BFloat16 sum
@inline ordered_replace(p::LLVMPtr, cmp, v, order, scope) = atomic_replace(p, cmp, v, order)
@inline ordered_load(p::LLVMPtr, order, scope) = atomic_load(p, order)
@inline ordered_store(p::LLVMPtr, v, order, scope) = atomic_store(p, v, order)
@inline ordered_fence(order, scope) = memory_fence(order)

# Finds the atomic instruction for a function of two values. nothing: the update needs compare-and-swap.
@inline modify_operation(op, ::Type) = nothing
for (op, signed, unsigned) in ((:+, :add, :add), (:-, :sub, :sub), (:&, :and, :and), (:|, :or, :or), (:⊻, :xor, :xor), (:max, :max, :umax), (:min, :min, :umin))
    @eval begin
        @inline modify_operation(::typeof($op), ::Type{T}) where {T<:BitSigned} = Val($(QuoteNode(signed)))
        @inline modify_operation(::typeof($op), ::Type{T}) where {T<:BitUnsigned} = Val($(QuoteNode(unsigned)))
    end
end
@inline modify_operation(::typeof(+), ::Type{T}) where {T<:AtomicFloat} = Val(:fadd)

# Computes p[] = op(p[], v) atomically and returns the old value.
@inline ordered_update(op, p::LLVMPtr{T}, v::T, order, scope) where {T} = ordered_update(modify_operation(op, T), op, p, v, order, scope)
@inline ordered_update(operation::Val, op, p, v, order, scope) = ordered_modify(operation, p, v, order, scope)
@inline function ordered_update(operation::Nothing, op, p::LLVMPtr{T}, v, order, scope) where {T}
    old = ordered_load(p, Val(:monotonic), scope)
    while true
        found = ordered_replace(p, old, convert(T, op(old, v)), order, scope)
        found === old && return old
        old = found
    end
end

# Functions that @atomic expands to: reads, writes, and updates that return the old and the new value.
@inline atomic_get(p) = ordered_load(p, Val(:monotonic), Val(:none))
@inline atomic_set(p, v) = (ordered_store(p, convert(eltype(typeof(p)), v), Val(:monotonic), Val(:none)); v)
@inline function atomic_pair(op, p, x)
    v = convert(eltype(typeof(p)), x)
    old = ordered_update(op, p, v, Val(:monotonic), Val(:none))
    return old => convert(typeof(old), op(old, v))
end
