# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/iterators
# Host pointers (Ptr) and pointers in an address space (LLVMPtr). unsafe_load has 1-based element indices; p + n
# counts bytes.

for P in (:Ptr, :LLVMPtr)
    @eval begin
        @inline unsafe_load(p::$P) = pointer_load(p, 0, Val(0))
        @inline unsafe_load(p::$P, i::Integer) = pointer_load(p, sub_int(rem(i, Int), 1), Val(0))
        @inline unsafe_load(p::$P, i::Integer, ::Val{align}) where {align} = pointer_load(p, sub_int(rem(i, Int), 1), Val(align))
        @inline +(p::$P, n::Integer) = pointer_add(p, rem(n, Int))
        @inline +(n::Integer, p::$P) = pointer_add(p, rem(n, Int))
        @inline -(p::$P, n::Integer) = pointer_add(p, neg_int(rem(n, Int)))
        @inline -(p::$P, q::$P) = rem(sub_int(pointer_to_int(p), pointer_to_int(q)), Int)
        @inline ==(p::$P, q::$P) = eq_int(pointer_to_int(p), pointer_to_int(q))
        @inline isless(p::$P, q::$P) = ult_int(pointer_to_int(p), pointer_to_int(q))
        @inline UInt64(p::$P) = rem(pointer_to_int(p), UInt64)
        @inline Int64(p::$P) = rem(pointer_to_int(p), Int64)
        @inline reinterpret(::Type{Q}, p::$P) where {Q<:$P} = pointer_cast(Q, p)
        @inline convert(::Type{Q}, p::Q) where {Q<:$P} = p
        @inline convert(::Type{Q}, p::$P) where {Q<:$P} = pointer_cast(Q, p)
    end
end
@inline (::Type{Q})(p::Ptr) where {Q<:Ptr} = pointer_cast(Q, p)
@inline (::Type{Q})(n::UInt64) where {Q<:Ptr} = int_to_pointer(Q, n)
@inline (::Type{Q})(p::LLVMPtr) where {Q<:LLVMPtr} = pointer_cast(Q, p)
@inline (::Type{Q})(n::UInt64) where {Q<:LLVMPtr} = int_to_pointer(Q, n)
@inline eltype(::Type{Ptr{T}}) where {T} = T
@inline eltype(::Type{LLVMPtr{T,A}}) where {T,A} = T
@inline unsafe_store!(p::Ptr{T}, v, i::Integer=1) where {T} = (pointer_store(p, convert(T, v), sub_int(rem(i, Int), 1), Val(0)); p)
@inline unsafe_store!(p::LLVMPtr{T,A}, v, i::Integer=1) where {T,A} = (pointer_store(p, convert(T, v), sub_int(rem(i, Int), 1), Val(0)); p)
@inline unsafe_store!(p::LLVMPtr{T,A}, v, i::Integer, ::Val{align}) where {T,A,align} = (pointer_store(p, convert(T, v), sub_int(rem(i, Int), 1), Val(align)); p)
@inline unsafe_store!(p::Ptr{T}, v, i::Integer, ::Val{align}) where {T,align} = (pointer_store(p, convert(T, v), sub_int(rem(i, Int), 1), Val(align)); p)
