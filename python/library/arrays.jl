# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Python's arrays in kernels. Parameters: element type T, N dimensions, address space A, read-only flag R. CArray is
# row-major, FArray column-major; SArray has arbitrary strides in bytes. A launch passes an array's fields in this
# order.

abstract type Arrays{T,N,A,R} end
struct CArray{T,N,A,R} <: Arrays{T,N,A,R}
    ptr::LLVMPtr{T,A}
    shape::NTuple{N,Int64}
end
struct FArray{T,N,A,R} <: Arrays{T,N,A,R}
    ptr::LLVMPtr{T,A}
    shape::NTuple{N,Int64}
end
struct SArray{T,N,A,R} <: Arrays{T,N,A,R}
    ptr::LLVMPtr{T,A}
    shape::NTuple{N,Int64}
    steps::NTuple{N,Int64}
end
@inline shape(a::Arrays) = getfield(a, :shape)
@inline pointer_of(a::Arrays) = getfield(a, :ptr)

# Strides in bytes.
@inline strides_of(a::SArray) = getfield(a, :steps)
@inline strides_of(a::CArray{T}) where {T} = row_strides(shape(a), sizeof_type(T))
@inline strides_of(a::FArray{T}) where {T} = column_strides(shape(a), sizeof_type(T))
@inline row_strides(::Tuple{}, size) = ()
@inline row_strides(s::Tuple{Int64}, size) = (size,)
@inline row_strides(s::Tuple, size) = (r = row_strides(Base.tail(s), size); (mul_nsw(getfield(r, 1), getfield(s, 2)), r...))
@inline column_strides(::Tuple{}, size) = ()
@inline column_strides(s::Tuple, size) = (size, column_strides(Base.tail(s), mul_nsw(size, getfield(s, 1)))...)
@inline as_strided(a::SArray) = a
@inline as_strided(a::Arrays{T,N,A,R}) where {T,N,A,R} = SArray{T,N,A,R}(pointer_of(a), shape(a), strides_of(a))
@inline cast(::Type{SArray{T,N,A,R}}, a::Arrays{T,N,B}) where {T,N,A,B,R} =
    SArray{T,N,A,R}(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), shape(a), strides_of(a))
@inline cast(::Type{CArray{T,N,A,R}}, a::CArray{T,N,B}) where {T,N,A,B,R} = CArray{T,N,A,R}(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), shape(a))
@inline cast(::Type{FArray{T,N,A,R}}, a::FArray{T,N,B}) where {T,N,A,B,R} = FArray{T,N,A,R}(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), shape(a))

# ---- elements
@inline indices(a, I) = wrap_all(I, shape(a))
@inline wrap_all(::Tuple{}, s) = ()
@inline wrap_all(I::Tuple, s) = (wrapped(getfield(I, 1), getfield(s, 1)), wrap_all(Base.tail(I), Base.tail(s))...)
# Offset of an element from the first one, counted in elements. Indices are from 0.
@inline offset(a::CArray, I::Tuple{Int64}) = getfield(I, 1)
@inline offset(a::CArray, I::Tuple{Int64,Int64}) = add_nsw(mul_nsw(getfield(I, 1), getfield(shape(a), 2)), getfield(I, 2))
@inline offset(a::CArray, I::Tuple{Int64,Int64,Int64}) =
    add_nsw(mul_nsw(add_nsw(mul_nsw(getfield(I, 1), getfield(shape(a), 2)), getfield(I, 2)), getfield(shape(a), 3)), getfield(I, 3))
@inline offset(a::CArray, I::Tuple) = row_offset(0, I, shape(a))
@inline row_offset(k, ::Tuple{}, s) = k
@inline row_offset(k, I::Tuple, s) = row_offset(add_nsw(mul_nsw(k, getfield(s, 1)), getfield(I, 1)), Base.tail(I), Base.tail(s))
@inline offset(a::FArray, I::Tuple) = column_offset(I, shape(a))
@inline column_offset(::Tuple{}, s) = 0
@inline column_offset(I::Tuple, s) = add_nsw(getfield(I, 1), mul_nsw(getfield(s, 1), column_offset(Base.tail(I), Base.tail(s))))
@inline dot(::Tuple{}, s) = 0
@inline dot(I::Tuple, s) = add_nsw(mul_nsw(getfield(I, 1), getfield(s, 1)), dot(Base.tail(I), Base.tail(s)))
@inline place(a::Union{CArray,FArray}, I::Tuple) = (pointer_of(a), offset(a, I))
@inline place(a::SArray, I::Tuple) = (pointer_add(pointer_of(a), dot(I, strides_of(a))), 0)
@inline element_pointer(a::Arrays{T}, I::Tuple) where {T} = (p = place(a, I); pointer_add(getfield(p, 1), mul_nsw(getfield(p, 2), sizeof_type(T))))

const Ints1 = Tuple{AnyInt}
@inline load(a::Arrays, I::Tuple) = (p = place(a, I); pointer_load(getfield(p, 1), getfield(p, 2), Val{0}()))
# Arrays frozen into the code (address space 0, read-only) may have any alignment.
@inline load(a::Arrays{T,N,0,true}, I::Tuple) where {T,N} = (p = place(a, I); pointer_load(getfield(p, 1), getfield(p, 2), Val{1}()))
@inline store(a::Arrays{T}, x, I::Tuple) where {T} = (p = place(a, I); pointer_store(getfield(p, 1), element_of(T, x), getfield(p, 2), Val{0}()); nothing)
@inline element_of(::Type{T}, x) where {T} = cast(T, x)
@inline element_of(::Type{T}, x::Tuple) where {T<:AnyNumber} = static_error("a tuple cannot be stored in an array of ", T, ": store its items")
@inline element_of(::Type{T}, x::Complex) where {T<:AnyReal} = static_error("a complex number cannot be stored in an array of ", T)
@inline py_getitem(a::Arrays{T,1}, i::AnyInt) where {T} = load(a, (wrapped(i, getfield(shape(a), 1)),))
@inline py_getitem(a::Arrays{T,2}, i::AnyInt, j::AnyInt) where {T} =
    load(a, (wrapped(i, getfield(shape(a), 1)), wrapped(j, getfield(shape(a), 2))))
@inline py_getitem(a::Arrays{T,3}, i::AnyInt, j::AnyInt, k::AnyInt) where {T} =
    load(a, (wrapped(i, getfield(shape(a), 1)), wrapped(j, getfield(shape(a), 2)), wrapped(k, getfield(shape(a), 3))))
@inline py_setitem(a::Arrays{T,1,A,false}, x, i::AnyInt) where {T,A} = store(a, x, (wrapped(i, getfield(shape(a), 1)),))
@inline py_setitem(a::Arrays{T,2,A,false}, x, i::AnyInt, j::AnyInt) where {T,A} =
    store(a, x, (wrapped(i, getfield(shape(a), 1)), wrapped(j, getfield(shape(a), 2))))
@inline py_setitem(a::Arrays{T,3,A,false}, x, i::AnyInt, j::AnyInt, k::AnyInt) where {T,A} =
    store(a, x, (wrapped(i, getfield(shape(a), 1)), wrapped(j, getfield(shape(a), 2)), wrapped(k, getfield(shape(a), 3))))

# ---- indices other than one integer per dimension: tuples, slices, `...`, None, fewer indices
@inline py_getitem(a::Arrays, t::Tuple) = py_getitem(a, t...)
@inline py_getitem(a::Arrays) = select(a)
@inline py_getitem(a::Arrays, I...) = select(a, I...)
@inline py_setitem(a::Arrays{T,N,A,false}, x, t::Tuple) where {T,N,A} = py_setitem(a, x, t...)
@inline py_setitem(a::Arrays{T,N,A,true}, x, I...) where {T,N,A} = static_error("cannot modify a read-only array")
@inline py_setitem(a::Arrays{T,N,A,false}, x, I...) where {T,N,A} = fill_or_store(a, x, I...)
@inline all_ints(::Tuple{}) = true
@inline all_ints(I::Tuple) = getfield(I, 1) isa AnyInt && all_ints(Base.tail(I))
@inline function select(a::Arrays{T,N,A,R}, I...) where {T,N,A,R}
    if nfields(I) === N && all_ints(I)
        return load(a, indices(a, I))
    end
    return view_of(a, I...)
end
@inline function fill_or_store(a::Arrays{T,N}, x, I...) where {T,N}
    if nfields(I) === N && all_ints(I)
        return store(a, x, indices(a, I))
    end
    return assign(view_of(a, I...), x)
end
@inline consumed(::Tuple{}) = 0
@inline consumed(I::Tuple) = (getfield(I, 1) isa AnyInt || getfield(I, 1) isa Slice ? 1 : 0) + consumed(Base.tail(I))
@inline check_index(i::Union{AnyInt,Slice,Nothing,Dots}) = nothing
@inline check_index(i) = static_error("an array cannot be indexed by a value of type ", typeof(i))
@inline function view_of(a::Arrays{T,N,A,R}, I...) where {T,N,A,R}
    map(check_index, I)
    if consumed(I) > N
        static_error("too many indices for an array of ", N, " dimensions")
    end
    # A view stays row-major for leading integer indices, and for a single slice without a step.
    if a isa CArray && all_ints(I)
        d = drop(shape(a), Val(nfields(I)))
        k = row_offset(0, (wrap_all(I, shape(a))..., zeros_like(d)...), shape(a))
        return CArray{T,nfields(d),A,R}(pointer_add(pointer_of(a), mul_nsw(k, sizeof_type(T))), d)
    elseif a isa CArray && nfields(I) === 1 && getfield(I, 1) isa Slice && N >= 1
        s = getfield(I, 1)
        if s.step === nothing
            b = slice_bounds(s, getfield(shape(a), 1))
            d = (getfield(b, 2), Base.tail(shape(a))...)
            k = mul_nsw(getfield(b, 1), product(Base.tail(shape(a))))
            return CArray{T,N,A,R}(pointer_add(pointer_of(a), mul_nsw(k, sizeof_type(T))), d)
        end
    end
    v = walk(0, (), (), shape(a), strides_of(a), I, N - consumed(I))
    return SArray{T,nfields(getfield(v, 2)),A,R}(pointer_add(pointer_of(a), getfield(v, 1)), getfield(v, 2), getfield(v, 3))
end
@inline zeros_like(t::Tuple) = map(x -> 0, t)
@inline drop(t::Tuple, ::Val{n}) where {n} = n === 0 ? t : drop(Base.tail(t), Val(n - 1))
@inline product(::Tuple{}) = 1
@inline product(t::Tuple) = mul_nsw(getfield(t, 1), product(Base.tail(t)))
# Applies the indices I one by one. `at`, `s`, `t`: byte offset, shape and strides of the view so far.
@inline walk(at, s, t, shape, strides, ::Tuple{}, open) = (at, (s..., shape...), (t..., strides...))
@inline walk(at, s, t, shape, strides, I::Tuple, open) = step_on(getfield(I, 1), at, s, t, shape, strides, Base.tail(I), open)
@inline step_on(i::AnyInt, at, s, t, shape, strides, rest, open) =
    walk(add_nsw(at, mul_nsw(wrapped(i, getfield(shape, 1)), getfield(strides, 1))), s, t, Base.tail(shape), Base.tail(strides), rest, open)
@inline step_on(::Nothing, at, s, t, shape, strides, rest, open) = walk(at, (s..., 1), (t..., 0), shape, strides, rest, open)
@inline function step_on(i::Slice, at, s, t, shape, strides, rest, open)
    b = slice_bounds(i, getfield(shape, 1))
    return walk(add_nsw(at, mul_nsw(getfield(b, 1), getfield(strides, 1))), (s..., getfield(b, 2)), (t..., mul_nsw(getfield(b, 3), getfield(strides, 1))),
        Base.tail(shape), Base.tail(strides), rest, open)
end
@inline step_on(::Dots, at, s, t, shape, strides, rest, open) =
    walk(at, (s..., first_of(shape, Val(open))...), (t..., first_of(strides, Val(open))...), drop(shape, Val(open)), drop(strides, Val(open)), rest, 0)
@inline first_of(t::Tuple, ::Val{n}) where {n} = ntuple(Base.Fix1(getfield, t), Val(n))

# Indices of the k-th element in row-major order; k and the indices count from 0.
@inline unravel(k, ::Tuple{}) = ()
@inline unravel(k, s::Tuple{Int64}) = (k,)
@inline unravel(k, s::Tuple) = (n = product(Base.tail(s)); q = sdiv_int(k, n); (q, unravel(sub_int(k, mul_int(q, n)), Base.tail(s))...))

# ---- attributes
@inline py_getattr(a::Arrays, ::Val{:shape}) = shape(a)
@inline py_getattr(a::Arrays, ::Val{:strides}) = strides_of(a)
@inline py_getattr(a::Arrays{T,N}, ::Val{:ndim}) where {T,N} = N
@inline py_getattr(a::Arrays, ::Val{:size}) = product(shape(a))
@inline py_getattr(a::Arrays{T}, ::Val{:itemsize}) where {T} = sizeof_type(T)
@inline py_getattr(a::Arrays{T}, ::Val{:nbytes}) where {T} = product(shape(a)) * sizeof_type(T)
@inline py_getattr(a::Arrays{T}, ::Val{:dtype}) where {T} = T
@inline py_getattr(a::CArray{T,N,A,R}, ::Val{:T}) where {T,N,A,R} = FArray{T,N,A,R}(pointer_of(a), reversed(shape(a)))
@inline py_getattr(a::FArray{T,N,A,R}, ::Val{:T}) where {T,N,A,R} = CArray{T,N,A,R}(pointer_of(a), reversed(shape(a)))
@inline py_getattr(a::SArray{T,N,A,R}, ::Val{:T}) where {T,N,A,R} = SArray{T,N,A,R}(pointer_of(a), reversed(shape(a)), reversed(strides_of(a)))
@inline py_getattr(a::Arrays{T,1}, ::Val{:T}) where {T} = a
@inline reversed(::Tuple{}) = ()
@inline reversed(t::Tuple) = (reversed(Base.tail(t))..., getfield(t, 1))
@inline py_getattr(a::Arrays{T}, ::Val{:real}) where {T<:AnyReal} = a
@inline py_getattr(a::Arrays{Complex{T},N,A,R}, ::Val{:real}) where {T,N,A,R} =
    SArray{T,N,A,R}(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), shape(a), strides_of(a))
@inline py_getattr(a::Arrays{Complex{T},N,A,R}, ::Val{:imag}) where {T,N,A,R} =
    SArray{T,N,A,R}(pointer_add(pointer_cast(LLVMPtr{T,A}, pointer_of(a)), sizeof_type(T)), shape(a), strides_of(a))
struct Ctypes{P}
    ptr::P
end
@inline py_getattr(a::Arrays, ::Val{:ctypes}) = Ctypes{typeof(pointer_of(a))}(pointer_of(a))
@inline py_getattr(c::Ctypes, ::Val{:data}) = CUDA.pointer_to_int(getfield(c, :ptr))
@inline py_getattr(a::Arrays, ::Val{:flat}) = Flat{typeof(a)}(a)
@inline py_getattr(a::Arrays{T}, ::Val{S}) where {T,S} = T <: Record ? field_view(a, Val(S)) : static_error("an array has no attribute ", S)
@inline py_getattr(x::AnyNumber, ::Val{:real}) = py_real(x)
@inline py_getattr(x::AnyNumber, ::Val{:imag}) = py_imag(x)
@inline py_getattr(x::NamedTuple, ::Val{S}) where {S} = getfield(x, S)
@inline py_getattr(x, ::Val{S}) where {S} = static_error("a value of type ", typeof(x), " has no attribute ", S)
struct Flat{X}
    a::X
end
@inline py_iterator(f::Flat) = f
@inline py_count(f::Flat) = product(shape(f.a))
@inline py_len(f::Flat) = product(shape(f.a))
@inline py_item(f::Flat, k::Int64) = load(f.a, unravel(k, shape(f.a)))
@inline py_getitem(f::Flat, i::AnyInt) = load(f.a, unravel(wrapped(i, py_len(f)), shape(f.a)))
@inline py_setitem(f::Flat, x, i::AnyInt) = store(f.a, x, unravel(wrapped(i, py_len(f)), shape(f.a)))

@inline py_len(a::Arrays) = getfield(shape(a), 1)
@inline py_truth(a::Arrays{T,0}) where {T} = py_truth(load(a, ()))
@inline py_iterator(a::Arrays) = a
@inline py_count(a::Arrays) = getfield(shape(a), 1)
@inline py_item(a::Arrays, k::Int64) = py_getitem(a, k)
@inline unpack_array(a::Arrays, ::Val{n}) where {n} = ntuple(ItemOf(a), Val(n))

# ---- methods
@inline py_method(x::AnyInt, ::Val{:bit_count}) = py_popc(x)
@inline py_method(x::Complex, ::Val{:conjugate}) = py_conjugate(x)
@inline py_method(x::AnyReal, ::Val{:conjugate}) = x
@inline py_method(a::Arrays, ::Val{:reshape}, dims...) = reshaped(a, dims)
@inline py_method(a::Arrays, ::Val{:reshape}, dims::Tuple) = reshaped(a, dims)
@inline py_method(a::CArray, ::Val{:ravel}) = reshaped(a, (product(shape(a)),))
@inline py_method(a::CArray, ::Val{:flatten}) = reshaped(a, (product(shape(a)),))
@inline py_method(a::Arrays, ::Val{:transpose}) = py_getattr(a, Val(:T))
@inline reshaped(a::CArray{T,N,A,R}, dims::Tuple) where {T,N,A,R} =
    (given = map(i64, dims); left = product(shape(a)); known = product(map(one_if_open, given));
     CArray{T,nfields(dims),A,R}(pointer_of(a), map(Base.Fix2(open_filled, known === 0 ? 0 : div(left, known)), given)))
@inline reshaped(a::Arrays, dims::Tuple) = static_error("reshape takes an array whose elements lie in rows without gaps")
@inline one_if_open(n) = n === -1 ? 1 : n
@inline open_filled(n, left) = n === -1 ? left : n
@inline py_method(a::Arrays{T,N,A,R}, ::Val{:view}, ::Type{S}) where {T,N,A,R,S} = viewed(a, S)
@inline py_method(a::Arrays, ::Val{:view}, s::Val) = viewed(a, py_type(s))
@inline function viewed(a::CArray{T,N,A,R}, ::Type{S}) where {T,N,A,R,S}
    p = pointer_cast(LLVMPtr{S,A}, pointer_of(a))
    sizeof_type(S) === sizeof_type(T) && return CArray{S,N,A,R}(p, shape(a))
    return CArray{S,N,A,R}(p, last_scaled(shape(a), sizeof_type(T), sizeof_type(S)))
end
@inline viewed(a::SArray{T,N,A,R}, ::Type{S}) where {T,N,A,R,S} =
    sizeof_type(S) === sizeof_type(T) ? SArray{S,N,A,R}(pointer_cast(LLVMPtr{S,A}, pointer_of(a)), shape(a), strides_of(a)) :
    static_error("view with a type of another size takes an array whose elements lie in rows without gaps")
@inline last_scaled(s::Tuple{Int64}, from, to) = (div(s[1] * from, to),)
@inline last_scaled(s::Tuple, from, to) = (getfield(s, 1), last_scaled(Base.tail(s), from, to)...)
@inline sum_type(::Type{T}) where {T} = T <: UInts ? UInt64 : T <: AnyInt ? Int64 : T
@inline function folded(f, start, a::Arrays)
    s = start
    for k in 0:product(shape(a))-1
        s = f(s, load(a, unravel(k, shape(a))))
    end
    return s
end
@inline py_method(a::Arrays{T}, ::Val{:sum}) where {T} = folded((s, x) -> cast(sum_type(T), py_add(s, x)), cast(sum_type(T), 0), a)
@inline py_method(a::Arrays{T}, ::Val{:prod}) where {T} = folded((s, x) -> cast(sum_type(T), py_mul(s, x)), cast(sum_type(T), 1), a)
@inline py_method(a::Arrays, ::Val{:mean}) = py_truediv(py_method(a, Val(:sum)), product(shape(a)))
@inline py_method(a::Arrays{T,N}, ::Val{:min}) where {T,N} = folded(least, load(a, unravel(0, shape(a))), a)
@inline py_method(a::Arrays{T,N}, ::Val{:max}) where {T,N} = folded(most, load(a, unravel(0, shape(a))), a)
@inline py_method(a::Arrays, ::Val{:all}) = folded((s, x) -> s & py_truth(x), true, a)
@inline py_method(a::Arrays, ::Val{:any}) = folded((s, x) -> s | py_truth(x), false, a)
@inline function extreme(a::Arrays, better)
    best, at = load(a, unravel(0, shape(a))), 0
    for k in 1:product(shape(a))-1
        x = load(a, unravel(k, shape(a)))
        if better(x, best)
            best, at = x, k
        end
    end
    return at
end
@inline py_method(a::Arrays, ::Val{:argmax}) = extreme(a, py_gt)
@inline py_method(a::Arrays, ::Val{:argmin}) = extreme(a, py_lt)
@inline py_method(a::Arrays, ::Val{:fill}, x) = fill(a, x)
@inline py_method(a::Arrays{T}, ::Val{:item}) where {T} = load(a, unravel(0, shape(a)))
@inline py_method(x, ::Val{S}, args...) where {S} = static_error("a value of type ", typeof(x), " has no method ", S)
for op in (:py_add, :py_sub, :py_mul, :py_truediv, :py_floordiv, :py_mod, :py_pow, :py_lt, :py_le, :py_eq, :py_ne)
    @eval @inline $op(a::Arrays, b::Union{Arrays,AnyNumber}) = no_arrays()
    @eval @inline $op(a::AnyNumber, b::Arrays) = no_arrays()
end
@inline no_arrays() = static_error("an operation on a whole array would have to allocate its result: write a loop over the elements")

# Makes a constant array from bytes in the code: a NumPy array of the program, frozen when the kernel is compiled.
@inline py_constant_array(::Type{T}, shape::Tuple, bytes::Val) where {T} =
    CArray{T,nfields(shape),0,true}(pointer_cast(LLVMPtr{T,0}, int_to_pointer(LLVMPtr{UInt8,0}, pointer_to_int(device_string(bytes)))), shape)

# Makes an array at a fixed address: a device array of the program. Only its address and shape are constants of the
# code.
@inline placed(::Type{T}, address) where {T} = int_to_pointer(LLVMPtr{T,1}, u64(address))
@inline py_placed_array(::Type{T}, address, shape::Tuple, ::Val{:C}) where {T} = CArray{T,nfields(shape),1,false}(placed(T, address), shape)
@inline py_placed_array(::Type{T}, address, shape::Tuple, ::Val{:F}) where {T} = FArray{T,nfields(shape),1,false}(placed(T, address), shape)
@inline py_placed_array(::Type{T}, address, shape::Tuple, steps::Tuple) where {T} = SArray{T,nfields(shape),1,false}(placed(T, address), shape, steps)

# Makes an array at a pointer that the caller of a linked function passed: row-major, or with `steps`, strides in bytes.
@inline py_array_at(p::LLVMPtr{T,A}, shape::Tuple) where {T,A} = CArray{T,nfields(shape),A,false}(p, shape)
@inline py_array_at(p::LLVMPtr{T,A}, shape::Tuple, steps::Tuple) where {T,A} = SArray{T,nfields(shape),A,false}(p, shape, steps)

# Types by their NumPy names.
for (T, names) in ((:Int8, (:i1, :int8)), (:Int16, (:i2, :int16)), (:Int32, (:i4, :int32)), (:Int64, (:i8, :int64)), (:UInt8, (:u1, :uint8)), (:UInt16, (:u2, :uint16)),
    (:UInt32, (:u4, :uint32)), (:UInt64, (:u8, :uint64)), (:Float16, (:f2, :float16)), (:Float32, (:f4, :float32)), (:Float64, (:f8, :float64)),
    (:ComplexF32, (:c8, :complex64)), (:ComplexF64, (:c16, :complex128)), (:Bool, (:bool, :b1)))
    for name in names
        @eval @inline py_type(::Val{$(QuoteNode(name))}) = $T
    end
end
@inline py_type(::Type{T}) where {T} = T
@inline py_type(::Val{S}) where {S} = static_error("Invalid NumPy dtype specified: '", S, "'")
@inline py_setattr(x, v, ::Val{S}) where {S} = static_error("the attribute ", S, " of a value of type ", typeof(x), " cannot be assigned to")
@inline py_matmul(a, b) = static_error("@ would have to allocate its result: write a loop over the elements")
@inline py_unknown_operator(a...) = static_error("there is no such operator in kernels")
