# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; after: device/floats
# Atomic functions of pointers, and the implementation of @atomic. The functions return the old value. For @atomic
# with an operator that has no instruction, a compare-and-swap loop returns the new value.

const AtomicInteger = Union{Int8,Int16,Int32,Int64,UInt8,UInt16,UInt32,UInt64}
const AtomicFloat = Union{Float16,BFloat16,Float32,Float64}

# Atomics work in generic, global and shared memory. Memory private to a thread has none.
@inline atomic_space(::Val{0}) = nothing
@inline atomic_space(::Val{1}) = nothing
@inline atomic_space(::Val{3}) = nothing
@inline atomic_space(::Val{A}) where {A} = static_error("atomics require a generic, global, or shared address space")

@inline function atomic_cas!(ptr::LLVMPtr{T,A}, cmp::T, val::T) where {T,A}
    atomic_space(Val(A))
    return atomic_replace(ptr, cmp, val)
end
for (f, signed, unsigned) in (
    (:atomic_xchg!, :xchg, :xchg), (:atomic_add!, :add, :add), (:atomic_sub!, :sub, :sub), (:atomic_and!, :and, :and),
    (:atomic_or!, :or, :or), (:atomic_xor!, :xor, :xor), (:atomic_min!, :min, :umin), (:atomic_max!, :max, :umax))
    @eval begin
        @inline function $f(ptr::LLVMPtr{T,A}, val::T) where {T<:BitSigned,A}
            atomic_space(Val(A))
            return atomic_modify(Val($(QuoteNode(signed))), ptr, val)
        end
        @inline function $f(ptr::LLVMPtr{T,A}, val::T) where {T<:BitUnsigned,A}
            atomic_space(Val(A))
            return atomic_modify(Val($(QuoteNode(unsigned))), ptr, val)
        end
    end
end
for (f, op) in ((:atomic_inc!, :inc), (:atomic_dec!, :dec))
    @eval @inline function $f(ptr::LLVMPtr{T,A}, val::T) where {T<:Union{Int32,UInt32},A}
        atomic_space(Val(A))
        return atomic_modify(Val($(QuoteNode(op))), ptr, val)
    end
end
@inline function atomic_xchg!(ptr::LLVMPtr{T,A}, val::T) where {T<:AtomicFloat,A}
    atomic_space(Val(A))
    return atomic_modify(Val(:xchg), ptr, val)
end
@inline function atomic_add!(ptr::LLVMPtr{T,A}, val::T) where {T<:AtomicFloat,A}
    atomic_space(Val(A))
    return atomic_modify(Val(:fadd), ptr, val)
end
@inline function atomic_add!(ptr::LLVMPtr{BFloat16,A}, val::BFloat16) where {A}
    atomic_space(Val(A))
    return ordered_modify(Val(:fadd), ptr, val, Val(:monotonic), Val(:device))
end
@inline atomic_sub!(ptr::LLVMPtr{T}, val::T) where {T<:AtomicFloat} = atomic_add!(ptr, -val)

@inline function atomic_op!(ptr::LLVMPtr{T,A}, op, val) where {T,A}
    atomic_space(Val(A))
    old = atomic_load(ptr)
    while true
        new = convert(T, op(old, val))
        found = atomic_cas!(ptr, old, new)
        found === old && return new
        old = found
    end
end

# ---- elements of arrays
@inline element_pointer(A::AbstractArray, I::Tuple{Integer}) = pointer(A, getfield(I, 1))
@inline element_pointer(A::AbstractArray, I::Tuple) = pointer(A, add_int(Base.offset_of(size(A), Base.flat_indices(I)), 1))
@inline atomic_swap(ptr::LLVMPtr{T}, val) where {T} = atomic_xchg!(ptr, convert(T, val))
@inline function atomic_replace_pair(ptr::LLVMPtr{T}, p::Pair) where {T}
    cmp = convert(T, p.first)
    old = atomic_cas!(ptr, cmp, convert(T, p.second))
    return (old=old, success=old === cmp)
end
@inline atomic_arrayset(A::AbstractArray{T}, I::Tuple, op, val) where {T} =
    atomic_arrayset(A, add_int(Base.offset_of(size(A), Base.flat_indices(I)), 1), op, convert(T, val))
@inline atomic_arrayset(A::AbstractArray{T}, I::Tuple{Integer}, op, val) where {T} = atomic_arrayset(A, rem(getfield(I, 1), Int), op, convert(T, val))
@inline atomic_arrayset(A::AbstractArray{T}, i::Integer, op, val) where {T} = atomic_op!(pointer(A, i), op, val)
const WideInteger = Union{UInt32,Int32,UInt64,Int64}
const AddedNatively = Union{WideInteger,AtomicFloat}
const SubtractedNatively = Union{WideInteger,Float32}
for (op, f, T) in (
    (:+, :atomic_add!, :AddedNatively), (:-, :atomic_sub!, :SubtractedNatively), (:&, :atomic_and!, :WideInteger), (:|, :atomic_or!, :WideInteger),
    (:⊻, :atomic_xor!, :WideInteger), (:max, :atomic_max!, :WideInteger), (:min, :atomic_min!, :WideInteger))
    @eval begin
        @inline atomic_arrayset(A::AbstractArray{E}, i::Integer, ::typeof($op), val::E) where {E<:$T} = $f(pointer(A, i), val)
        @inline atomic_new(::typeof($op), p::LLVMPtr{E}, x) where {E<:$T} = $op($f(p, convert(E, x)), convert(E, x))
    end
end
@inline atomic_new(op, p, x) = atomic_pair(op, p, x).second # result of Atomix's @atomic p[] op= x
