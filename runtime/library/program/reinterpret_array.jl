# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/copies; when: reinterpret, ReinterpretArray
# Arrays that read the elements of their parent as bits of another type, without a copy. Device arrays have methods of
# their own, which return device arrays.

struct PaddingError <: Exception
    S::Type
    T::Type
end
showerror(io::IO, e::PaddingError) = print(io, "Padding of type ", e.S, " is not compatible with type ", e.T, ".")

# ---- construction, with Julia's errors
@inline reinterpret(::Type{T}, A::AbstractArray{T}) where {T} = A
@inline reinterpret(::Type{T}, A::NonReshapedReinterpretArray) where {T} = reinterpret(T, parent(A))
@inline reinterpret(::Type{T}, A::NonReshapedReinterpretArray{T}) where {T} = A
@inline function reinterpret(::Type{T}, A::AbstractArray{S,N}) where {T,S,N}
    __check_bits(S, T)
    if sizeof_type(T) !== sizeof_type(S)
        N === 0 && throw(ArgumentError(message("cannot reinterpret a zero-dimensional `", S, "` array to `", T, "` which is of a different size")))
        side = getfield(axes(A), 1)
        if sizeof_type(T) === 0
            throw(ArgumentError(message("cannot reinterpret a `", S, "` array to `", T, "` which is a singleton type")))
        elseif rem(length(side) * sizeof_type(S), sizeof_type(T)) !== 0
            __has_no_whole_rows(S, T, length(side))
        elseif first(side) !== 1
            throw(ArgumentError(message("cannot reinterpret a `", S, "` array to `", T, "` when the first axis is ", side, ". Try reshaping first.")))
        end
    end
    return ReinterpretArray{T,N,S,typeof(A),false}(A, __keeps_padding(T, S), __keeps_padding(S, T))
end
__has_no_whole_rows(S, T, n) = throw(ArgumentError(message("cannot reinterpret an `", S, "` array to `", T, "` whose first dimension has size `", n, "`.\nThe resulting array would have a non-integral first dimension.\n")))
@inline reinterpret(::typeof(reshape), ::Type{T}, A::AbstractArray{T}) where {T} = A
@inline reinterpret(::typeof(reshape), ::Type{T}, A::ReshapedReinterpretArray) where {T} = reinterpret(reshape, T, parent(A))
@inline reinterpret(::typeof(reshape), ::Type{T}, A::ReshapedReinterpretArray{T}) where {T} = A
@inline function reinterpret(::typeof(reshape), ::Type{T}, A::AbstractArray{S,N}) where {T,S,N}
    __check_bits(S, T)
    (t, s) = (sizeof_type(T), sizeof_type(S))
    if t > s
        s === 0 && throw(ArgumentError(message("`reinterpret(reshape, ", T, ", a)` where `eltype(a)` is ", S, " requires that ", T, " be a singleton type, since ", S, " is one")))
        rem(t, s) === 0 || __has_no_whole_ratio(t, s)
        N === 0 && throw(ArgumentError(message("cannot reinterpret a zero-dimensional `", S, "` array to `", T, "` which is of a larger size")))
        axes(A, 1) == OneTo(div(t, s)) || throw(ArgumentError(message("`reinterpret(reshape, ", T, ", a)` where `eltype(a)` is ", S, " requires that `axes(a, 1)` (got ", axes(A, 1), ") be equal to 1:", div(t, s), " (from the ratio of element sizes)")))
    elseif t < s
        t === 0 && throw(ArgumentError(message("cannot reinterpret a `", S, "` array to `", T, "` which is a singleton type")))
        rem(s, t) === 0 || __has_no_whole_ratio(t, s)
    end
    return ReinterpretArray{T,t === s ? N : t > s ? N - 1 : N + 1,S,typeof(A),true}(A, __keeps_padding(T, S), __keeps_padding(S, T))
end
__has_no_whole_ratio(t, s) = throw(ArgumentError(message("`reinterpret(reshape, T, a)` requires that one of `sizeof(T)` (got ", t, ") and `sizeof(eltype(a))` (got ", s, ") be an integer multiple of the other")))
@inline function __check_bits(::Type{S}, ::Type{T}) where {S,T}
    isbitstype(T) || throw(ArgumentError(message("cannot reinterpret `", S, "` as `", T, "`, type `", T, "` is not a bits type")))
    isbitstype(S) || throw(ArgumentError(message("cannot reinterpret `", S, "` as `", T, "`, type `", S, "` is not a bits type")))
    return nothing
end
# True if all padding of `From` is also padding of `To`, in arrays of whole elements of both types.
@inline @generated __keeps_padding(::Type{To}, ::Type{From}) where {To,From} = __covers_padding(To, From)
function __covers_padding(To, From)
    source = __padding(From)
    any(source) || return true
    kept = __padding(To)
    isempty(kept) && return false
    return all(k -> !source[mod1(k, length(source))] || kept[mod1(k, length(kept))], 1:lcm(length(source), length(kept)))
end
# True for each byte of an element that belongs to no field.
function __padding(T)
    fieldcount(T) == 0 && return fill(false, sizeof_type(T))
    is_padding = fill(true, sizeof_type(T))
    for k in 1:fieldcount(T)
        inner = __padding(fieldtype(T, k))
        is_padding[fieldoffset(T, k).+(1:length(inner))] = inner
    end
    return is_padding
end

# ---- shape
@inline parent(R::ReinterpretArray) = getfield(R, :parent)
@inline axes(R::ReinterpretArray{T,N,S}) where {T,N,S} = sizeof_type(T) === sizeof_type(S) ? axes(parent(R)) : __other_axes(R, axes(parent(R)))
@inline __other_axes(R::NonReshapedReinterpretArray{T,N,S}, sides) where {T,N,S} = (OneTo(div(length(getfield(sides, 1)) * sizeof_type(S), sizeof_type(T))), tail(sides)...)
@inline __other_axes(R::ReshapedReinterpretArray{T,N,S}, sides) where {T,N,S} = sizeof_type(T) > sizeof_type(S) ? tail(sides) : (OneTo(div(sizeof_type(S), sizeof_type(T))), sides...)
@inline size(R::ReinterpretArray) = map(length, axes(R))
@inline length(R::ReinterpretArray{T,N,S}) where {T,N,S} = sizeof_type(T) === sizeof_type(S) ? length(parent(R)) : div(length(parent(R)) * sizeof_type(S), sizeof_type(T))
@inline sizeof(R::ReinterpretArray) = length(R) * sizeof_type(eltype(R))
@inline IndexStyle(::Type{<:ReinterpretArray{T,N,S,A}}) where {T,N,S,A} = IndexStyle(A)
similar(R::ReinterpretArray, ::Type{T}, dims::Dims) where {T} = similar(parent(R), T, dims)
unaliascopy(R::ReinterpretArray{T,N,S,A,B}) where {T,N,S,A,B} = ReinterpretArray{T,N,S,A,B}(unaliascopy(parent(R)), R.readable, R.writable)

# ---- elements
@propagate_inbounds getindex(R::ReinterpretArray, I::Int...) = __load_bits(IndexStyle(R), R, I)
@propagate_inbounds setindex!(R::ReinterpretArray, v, I::Int...) = __store_bits!(IndexStyle(R), R, v, I)
@inline __is_own_index(::IndexLinear, R, I) = nfields(I) === 1
@inline __is_own_index(::IndexCartesian, R::ReinterpretArray{T,N}, I) where {T,N} = nfields(I) === N
@noinline __padding_differs(S, T) = throw(PaddingError(S, T))
@propagate_inbounds function __load_bits(style, R::ReinterpretArray{T,N,S,P}, I::Tuple) where {T,N,S,P}
    __is_own_index(style, R, I) || return get_flat(style, R, I)
    @boundscheck checkbounds(Bool, R, I...) || throw(BoundsError(R, I))
    R.readable || __padding_differs(T, S)
    P <: Array && return __bits_at(T, parent(R), sub_int(getfield(I, 1), 1) * sizeof_type(T))
    sizeof_type(T) === sizeof_type(S) && return __bits_at(T, (@inbounds(parent(R)[I...]),), 0)
    (first, rest, skip) = __first_of_parent(style, R, I)
    return __bits_at(T, __items_of_parent(R, first, rest), skip)
end
@propagate_inbounds function __store_bits!(style, R::ReinterpretArray{T,N,S,P}, v, I::Tuple) where {T,N,S,P}
    __is_own_index(style, R, I) || return set_flat(style, R, v, I)
    @boundscheck checkbounds(Bool, R, I...) || throw(BoundsError(R, I))
    R.writable || __padding_differs(T, S)
    x = convert(T, v)
    if P <: Array
        __set_bits!(parent(R), x, sub_int(getfield(I, 1), 1) * sizeof_type(T))
    elseif sizeof_type(T) === sizeof_type(S)
        @inbounds parent(R)[I...] = __bits_at(S, (x,), 0)
    else
        (first, rest, skip) = __first_of_parent(style, R, I)
        items = __with_bits(__items_of_parent(R, first, rest), x, skip)
        k = 0
        while k * sizeof_type(S) < skip + sizeof_type(T)
            @inbounds parent(R)[first+k, rest...] = items[k+1]
            k += 1
        end
    end
    return R
end
# Indices of the parent's first element that has bits of element I, and the number of bytes before those bits.
@inline __first_of_parent(style, R, I) = __first_along_rows(R, I)
@inline function __first_along_rows(R::ReinterpretArray{T,N,S}, I) where {T,N,S}
    before = sub_int(getfield(I, 1), 1) * sizeof_type(T)
    return (div(before, sizeof_type(S)) + 1, tail(I), rem(before, sizeof_type(S)))
end
@inline function __first_of_parent(::IndexCartesian, R::ReshapedReinterpretArray{T,N,S}, I) where {T,N,S}
    sizeof_type(T) > sizeof_type(S) && return (1, I, 0)
    J = tail(I)
    return (nfields(J) === 0 ? 1 : getfield(J, 1), nfields(J) === 0 ? () : tail(J), sub_int(getfield(I, 1), 1) * sizeof_type(T))
end
# The elements of the parent that may have bits of one element.
@inline function __items_of_parent(R::ReinterpretArray{T,N,S,P}, first, rest) where {T,N,S,P}
    (t, s) = (sizeof_type(T), sizeof_type(S))
    n = rem(t, s) === 0 ? div(t, s) : rem(s, t) === 0 ? 1 : div(t + 2 * s - 2, s)
    last = nfields(rest) === 0 ? length(parent(R)) : size(parent(R), 1)
    return ntuple(__ItemsFrom{P,typeof(rest)}(parent(R), first, last, rest), Val(n))
end
struct __ItemsFrom{P,R} <: Function
    items::P
    first::Int
    last::Int
    rest::R
end
@inline (f::__ItemsFrom)(k) = @inbounds f.items[min(f.first + k - 1, f.last), f.rest...]

# Bits of an array or a tuple of elements. The interpreter has host functions of these names (lib/programs/bits.cpp).
@inline function __bits_at(::Type{T}, items::Tuple, skip::Int) where {T}
    memory = stack_alloc(typeof(items), Val(1))
    pointer_store(memory, items, 0, Val(0))
    return pointer_load(pointer_cast(LLVMPtr{T,5}, pointer_add(memory, skip)), 0, Val(1))
end
@inline __bits_at(::Type{T}, A::Array, skip::Int) where {T} = pointer_load(pointer_cast(LLVMPtr{T,1}, pointer_add(__memory(A).ptr, skip)), 0, Val(1))
@inline function __with_bits(items::Tuple, x, skip::Int)
    memory = stack_alloc(typeof(items), Val(1))
    pointer_store(memory, items, 0, Val(0))
    pointer_store(pointer_cast(LLVMPtr{typeof(x),5}, pointer_add(memory, skip)), x, 0, Val(1))
    return pointer_load(memory, 0, Val(0))
end
@inline __set_bits!(A::Array, x, skip::Int) = (pointer_store(pointer_cast(LLVMPtr{typeof(x),1}, pointer_add(__memory(A).ptr, skip)), x, 0, Val(1)); nothing)

# ---- strides and addresses
function strides(R::ReinterpretArray{T,N,S,A,IsReshaped}) where {T,N,S,A,IsReshaped}
    steps = strides(parent(R))
    (t, s) = (sizeof(T), sizeof(S))
    t == s && return steps
    IsReshaped && t < s && return (1, __scaled_strides(steps, t, s)...)
    steps[1] == 1 || throw(ArgumentError("Parent must be contiguous in the 1st dimension!"))
    return IsReshaped ? __scaled_strides(tail(steps), t, s) : (1, __scaled_strides(tail(steps), t, s)...)
end
function __scaled_strides(steps, t, s)
    all(n -> (s * n) % t == 0, steps) || throw(ArgumentError("Parent's strides could not be exactly divided!"))
    return map(n -> div(s * n, t), steps)
end
pointer(R::ReinterpretArray{T}) where {T} = Ptr{T}(pointer(parent(R)))
unsafe_convert(::Type{Ptr{T}}, R::ReinterpretArray{T}) where {T} = pointer(R)

# ---- text
showarg(io::IO, R::NonReshapedReinterpretArray{T}, is_top) where {T} = print(io, "reinterpret(", T, ", ", __argument_text(parent(R)), ")")
showarg(io::IO, R::ReshapedReinterpretArray{T}, is_top) where {T} = print(io, "reinterpret(reshape, ", T, ", ", __argument_text(parent(R)), ")", is_top ? string(" with eltype ", T) : "")
