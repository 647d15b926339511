# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: CUDA; with: program/cuda/wmma
# Dotted calls with a device array: one kernel per statement. The host checks shapes, overlaps and types by the type
# of the lazy call (lib/programs/cuda_broadcast.cpp).

struct OfDevice end
Base.kind_rank(::OfDevice) = 6 # precedes packages
Base.broadcast_kind(A::AnyCuArray) = OfDevice()
Base.materialize_as(::OfDevice, b) = new_of_nest(b)
Base.materialize!(A::AnyCuArray, b) = __broadcast_into(A, Base.broadcasted(identity, b))
Base.materialize!(A::AnyCuArray, b::Base.Broadcasted) = __broadcast_into(A, b)
Base.copyto!(A::CuArray, b::Base.Broadcasted) = __broadcast_into(A, b)

function new_of_nest(b)
    dims = __broadcast_size(b)
    T = element_of(b)
    A = has_other_memory ? new_array(T, dims, something(memory_of_nest(b), DeviceMemory)) : new_array(T, dims)
    __broadcast_into(A, b)
    return dims === () ? load_element(A, 1) : A
end
# Kind of memory for the result: the kind of all arrays in the lazy call, or unified memory if their kinds differ.
memory_of_nest(x) = nothing
memory_of_nest(A::AnyCuArray) = memory_kind(A)
function memory_of_nest(b::Base.Broadcasted)
    M = nothing
    for x in b.args
        L = memory_of_nest(x)
        M = M === nothing || M === L ? L : L === nothing ? M : UnifiedMemory
    end
    return M
end
function element_of(b)
    T = __broadcast_element(b)
    isbitstype(T) || throw(ArgumentError(string("broadcast operation resulting in ", T, " is not GPU compatible")))
    return T
end

# ---- one element per thread
@inline global_index() = (Int(blockIdx().x) - 1) * Int(blockDim().x) + Int(threadIdx().x)
function broadcast_linear(A, b)
    i = global_index()
    if i <= length(A)
        @inbounds A[i] = Base.broadcast_at(b, i)
    end
    return nothing
end
function broadcast_cartesian(A, b)
    i = global_index()
    if i <= length(A)
        I = Base.split_offset(size(A), i - 1)
        @inbounds A[I...] = Base.broadcast_at(b, I)
    end
    return nothing
end

# ---- map: a dotted call if the arrays have equal sizes; else element by element, up to the shortest length
Base.map(f, A::AnyCuArray) = keep_array(f, A)
Base.map(f, A::AnyCuArray, B::AbstractArray) = map_of(f, A, B)
Base.map(f, A::AbstractArray, B::AnyCuArray) = map_of(f, A, B)
Base.map(f, A::AnyCuArray, B::AnyCuArray) = map_of(f, A, B)
Base.map(f, A::AnyCuArray, B::AbstractArray, C::AbstractArray, rest::AbstractArray...) = map_of(f, A, B, C, rest...)
function keep_array(f, A)
    b = Base.broadcasted(f, A)
    B = new_array(element_of(b), size(A))
    return __broadcast_into(B, b)
end
function map_of(f, arrays...)
    dims = size(arrays[1])
    same = true
    n = length(arrays[1])
    for A in arrays
        same = same && size(A) == dims
        n = min(n, length(A))
    end
    if !same
        arrays = map(A -> view(vec(A), 1:n), arrays)
        dims = (n,)
    end
    b = Base.Broadcasted(as_function(f), arrays)
    B = new_array(element_of(b), dims)
    return __broadcast_into(B, b)
end
function Base.map!(f, B::AnyCuArray, arrays::AbstractArray...)
    dims = size(B)
    same = true
    n = length(B)
    for A in arrays
        same = same && size(A) == dims
        n = min(n, length(A))
    end
    if same
        __broadcast_into(B, Base.Broadcasted(as_function(f), arrays))
    else
        __broadcast_into(view(vec(B), 1:n), Base.Broadcasted(as_function(f), map(A -> view(vec(A), 1:n), arrays)))
    end
    return B
end

# ---- vector space operations: sum, difference, and product with a number
Base.:+(A::AnyCuArray, B::AnyCuArray) = same_size(+, A, B)
Base.:-(A::AnyCuArray, B::AnyCuArray) = same_size(-, A, B)
function same_size(f, A, B)
    size(A) == size(B) || throw(DimensionMismatch(string("dimensions must match: a has dims ", axes_text(A), ", b has dims ", axes_text(B))))
    return Base.materialize(Base.broadcasted(f, A, B))
end
function axes_text(A)
    text = "("
    for n in size(A)
        text = string(text, text == "(" ? "" : ", ", "Base.OneTo(", n, ")")
    end
    return string(text, ndims(A) == 1 ? ",)" : ")")
end
Base.:-(A::AnyCuArray) = (-).(A)
Base.:+(A::AnyCuArray) = A
Base.:*(A::AnyCuArray, x::Number) = A .* x
Base.:*(x::Number, A::AnyCuArray) = x .* A
Base.:/(A::AnyCuArray, x::Number) = A ./ x
Base.:\(x::Number, A::AnyCuArray) = x .\ A
Base.conj(A::AnyCuArray) = conj.(A)
Base.real(A::AnyCuArray) = real.(A)
Base.imag(A::AnyCuArray) = imag.(A)
