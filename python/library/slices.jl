# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Assigns to parts of arrays: a[2:5] = x, where x is a number, a tuple, or an array that is broadcast as in NumPy.

@inline function fill(a::Arrays{T,N}, x) where {T,N}
    v = element_of(T, x)
    n = product(shape(a))
    k = 0
    while slt_int(k, n)
        store(a, v, unravel(k, shape(a)))
        k = add_int(k, 1)
    end
    return
end
@inline assign(a::Arrays, x::AnyNumber) = fill(a, x)
@inline assign(a::Arrays, x::Named) = assign(a, items_of(x))
@inline assign(a::Arrays, x) = static_error("an assignment to a part of an array takes a number, a tuple or an array, not a value of type ", typeof(x))

# ---- assignment of a tuple: its items go along the last dimension
@inline check_item(x::AnyNumber) = nothing
@inline check_item(x) = static_error("a tuple that is assigned to a part of an array holds numbers, not a value of type ", typeof(x))
@inline assign(a::Arrays{T,N}, ::Tuple{}) where {T,N} = product(shape(a)) === 0 ? nothing : py_raise("ValueError: cannot assign slice from input of different size")
@inline function assign(a::Arrays{T,N}, t::Tuple) where {T,N}
    map(check_item, t)
    N === 0 && static_error("a tuple cannot be assigned to one element of an array")
    n = getfield(shape(a), N)
    if nfields(t) === 1
        return fill(a, getfield(t, 1))
    elseif n !== nfields(t)
        return py_raise("ValueError: cannot assign slice from input of different size")
    end
    return assign_items(a, map(Base.Fix1(element_of, T), t))
end
@inline assign_items(a::Arrays{T,1}, items::Tuple) where {T} = store_items(a, items, Val(1))
@inline store_items(a, items, ::Val{k}) where {k} = k > nfields(items) ? nothing : (store(a, getfield(items, k), (k - 1,)); store_items(a, items, Val(k + 1)))
@inline function assign_items(a::Arrays{T,N}, items::Tuple) where {T,N}
    k, n = 0, product(shape(a))
    while slt_int(k, n)
        I = unravel(k, shape(a))
        store(a, getfield(items, add_int(getfield(I, N), 1)), I)
        k = add_int(k, 1)
    end
    return
end

# ---- assignment of an array: reads each source element before that element is overwritten
@inline function assign(a::Arrays{T,N}, x::Arrays) where {T,N}
    from = broadcast_to(x, shape(a))
    n = product(shape(a))
    n === 0 && return
    d = share_memory(a, from) ? sub_int(address_of(a), address_of(from)) : 0
    if not_int(share_memory(a, from) && overlap(a, from, d))
        return copy_forward(a, from, n)
    elseif strides_of(a) === strides_of(from)
        if N === 1
            is_backward = slt_int(0, d) === slt_int(0, getfield(strides_of(a), 1))
            return is_backward ? copy_backward(a, from, n) : copy_forward(a, from, n)
        elseif are_nested(shape(a), strides_of(a))
            return slt_int(0, d) ? copy_backward(a, from, n) : copy_forward(a, from, n)
        end
    elseif N === 1 && getfield(strides_of(a), 1) === neg_int(getfield(strides_of(from), 1))
        return copy_reversed(a, from, n, neg_int(d))
    end
    py_raise("ValueError: the array that is assigned overlaps the part of the array that it is assigned to: copy it first")
end
# True if two arrays may share memory. Shared and local memory have their own address spaces; global memory (1) and
# constants (0) share one.
@inline share_memory(a::Arrays{T,N,A}, b::Arrays{S,M,B}) where {T,N,A,S,M,B} = A === B || A <= 1 && B <= 1
@inline address_of(a::Arrays) = i64(CUDA.pointer_to_int(pointer_of(a)))
# Byte offsets of the elements at the lowest and at the highest address, from the element with index 0.
@inline lowest(::Tuple{}, steps) = 0
@inline lowest(s::Tuple, steps) = (d = mul_int(sub_int(getfield(s, 1), 1), getfield(steps, 1)); add_int(slt_int(d, 0) ? d : 0, lowest(Base.tail(s), Base.tail(steps))))
@inline highest(::Tuple{}, steps) = 0
@inline highest(s::Tuple, steps) = (d = mul_int(sub_int(getfield(s, 1), 1), getfield(steps, 1)); add_int(slt_int(0, d) ? d : 0, highest(Base.tail(s), Base.tail(steps))))
@inline function overlap(a::Arrays{T}, b::Arrays{S}, d) where {T,S}
    low_a, end_a = add_int(d, lowest(shape(a), strides_of(a))), add_int(d, add_int(highest(shape(a), strides_of(a)), sizeof_type(T)))
    low_b, end_b = lowest(shape(b), strides_of(b)), add_int(highest(shape(b), strides_of(b)), sizeof_type(S))
    return slt_int(low_a, end_b) && slt_int(low_b, end_a)
end
# True if an array's addresses increase with the indices in row-major order.
@inline are_nested(::Tuple{}, steps) = true
@inline are_nested(s::Tuple, steps) = sle_int(add_int(highest(Base.tail(s), Base.tail(steps)), 1), getfield(steps, 1)) && are_nested(Base.tail(s), Base.tail(steps))
@inline copy_element(a::Arrays{T}, from, k) where {T} = (I = unravel(k, shape(a)); store(a, element_of(T, load(from, I)), I))
@inline function copy_forward(a, from, n)
    k = 0
    while slt_int(k, n)
        copy_element(a, from, k)
        k = add_int(k, 1)
    end
    return
end
@inline function copy_backward(a, from, n)
    k = sub_int(n, 1)
    while sle_int(0, k)
        copy_element(a, from, k)
        k = sub_int(k, 1)
    end
    return
end
# Copies between overlapping arrays of opposite direction. Element i of `a` overlaps element c - i of `from`, so both
# elements of a pair are read before one is written.
@inline function copy_reversed(a::Arrays{T}, from, n, d) where {T}
    step = getfield(strides_of(a), 1)
    c = rem(d, step) === 0 ? div(d, step) : -1
    k = 0
    while slt_int(k, n)
        other = sub_int(c, k)
        if slt_int(other, 0) || sle_int(n, other)
            copy_element(a, from, k)
        elseif sle_int(k, other)
            x, y = element_of(T, load(from, (k,))), element_of(T, load(from, (other,)))
            store(a, x, (k,))
            store(a, y, (other,))
        end
        k = add_int(k, 1)
    end
    return
end
