# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/test
# Host arrays in compiled code of programs (lib/programs/hot_code.h). In compiled code, an array is the address of its
# header. The header has the layout of a CuDeviceArray and does not move while the code runs. The interpreter uses its
# own functions instead of these.
@inline __memory(A::Array) = static_error("this uses an array of the host, which a kernel cannot reach") # for the host: domain.jl
@inline size(A::Array{T}) where {T} = isbitstype(T) ? size(__memory(A)) : __list_size(A)
@inline length(A::Array{T}) where {T} = isbitstype(T) ? length(__memory(A)) : __list_length(A)
@inline function getindex(A::Array{T}, I::Integer...) where {T}
    isbitstype(T) || return __list_item(A, I...)
    @boundscheck checkbounds(Bool, __memory(A), I...) || __out_of_bounds(A, flat_indices(I))
    return @inbounds getindex(__memory(A), I...)
end
@inline function setindex!(A::Array, v, I::Integer...)
    @boundscheck checkbounds(Bool, __memory(A), I...) || __out_of_bounds(A, flat_indices(I))
    @inbounds setindex!(__memory(A), v, I...)
    return A
end
@inline __nth(I, k) = k <= nfields(I) ? getfield(I, k) : 0
# Reports the array's header and type and the indices to the host, which makes the exception's fields from them.
@noinline function __out_of_bounds(A, I)
    exception_fields(typeof(A))
    ccall("extern kiln_out_of_bounds", llvmcall, Nothing, (Ptr{Nothing}, Int, Int, Int, Int, Int), retype_scalars(Ptr{Nothing}, A), nfields(I), __nth(I, 1), __nth(I, 2), __nth(I, 3), __nth(I, 4))
    throw(BoundsError())
end

# Calls a function with arguments that the host packed. In T, arrays of x are addresses, and structs with arrays are
# tuples.
__run_compiled(::Type{T}, x) where {T} = __called(retype_scalars(T, x)...)
@inline __called(f, args...) = f(args...)

# Calls a packed function whose result contains arrays. Returns the scalars of P, in which arrays are addresses of
# headers.
__run_giving(::Type{T}, x, ::Type{P}) where {T,P} = retype_scalars(P, __called(retype_scalars(T, x)...))

# Calls a packed function whose result has one of the types of the tuple S. Returns which, counted from 0, and stores
# the result as the scalars of the same type of P.
__run_either(::Type{T}, x, out::Ptr{Nothing}, ::Type{S}, ::Type{P}) where {T,S,P} = __store_either(out, __called(retype_scalars(T, x)...), S, P)
@inline @generated function __store_either(out, x, ::Type{S}, ::Type{P}) where {S,P}
    stores = [:(if x isa $(fieldtype(S, k))
        $(sizeof_type(fieldtype(P, k)) == 0 ? :nothing : :(pointer_store(pointer_cast(Ptr{$(fieldtype(P, k))}, out), retype_scalars($(fieldtype(P, k)), x), 0, Val(0))))
        return $(UInt8(k - 1))
    end) for k in 1:fieldcount(S)]
    return :($(stores...); 0xff)
end

# ---- loops of the library that the host compiles if they process many elements
function __next_of(iter)
    y = iterate(iter)
    y === nothing && throw(ArgumentError("collection is empty"))
    z = iterate(iter, y[2])
    return z === nothing ? y[1] : z[1]
end
function __append_from!(A, iter)
    for x in iter
        push!(A, x)
    end
    return length(A)
end
function __fill_from!(A, iter)
    k = 0
    for x in iter
        k += 1
        A[k] = x
    end
    return k
end
# Maximum number of elements of an iterator; 0: unknown.
__bound(x) = (s = __shape(x); s === nothing ? 0 : prod(s))
__bound(g::Generator) = __bound(g.iter)
__bound(f::Filtered) = __bound(f.iter)
__bound(f::Flatten) = 8 * __bound(f.it) # an estimate
function __accumulate!(out, op, v)
    isempty(v) && return out
    total = v[1]
    out[1] = total
    for k in 2:length(v)
        total = op(total, v[k])
        out[k] = total
    end
    return out
end
__broadcast_element(b, dims) = broadcast_at(b, split_offset(dims, 0))
function __broadcast_into!(A, b, dims)
    if is_linear_in(dims, b)
        for k in 1:length(A)
            @inbounds A[k] = broadcast_at(b, k)
        end
    else
        for k in 1:length(A)
            @inbounds A[k] = broadcast_at(b, split_offset(dims, k - 1))
        end
    end
    return nothing
end
# Stable merge sort of positions by their keys. The sorted positions are in the first array at the end.
function __merge_order!(order, other, keys, less, reversed)
    n = length(keys)
    for k in 1:n
        order[k] = k
    end
    from, to = order, other
    width = 1
    while width < n
        start = 1
        while start <= n
            middle = min(start + width, n + 1)
            stop = min(start + 2 * width, n + 1)
            i, j = start, middle
            for k in start:stop-1
                take_second = i == middle
                if i < middle && j < stop
                    a, b = keys[from[i]], keys[from[j]]
                    take_second = reversed ? less(a, b) : less(b, a)
                end
                if take_second
                    to[k] = from[j]
                    j += 1
                else
                    to[k] = from[i]
                    i += 1
                end
            end
            start = stop
        end
        from, to = to, from
        width *= 2
    end
    if from !== order
        for k in 1:n
            order[k] = from[k]
        end
    end
    return nothing
end
