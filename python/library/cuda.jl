# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Functions of numba.cuda in kernels. Indices count from 0 here, and from 1 in Kiln's Julia module CUDA.

for (name, f, one) in ((:threadIdx, :threadIdx, 1), (:blockIdx, :blockIdx, 1), (:blockDim, :blockDim, 0), (:gridDim, :gridDim, 0)), axis in (:x, :y, :z)
    @eval @inline $(Symbol(:py_, name, :_, axis))() = sub_int(CUDA.$(Symbol(f, :_, axis))(), trunc_int(Int32, $one))
end
# Three dimensions as one value.
struct Dim3
    x::Int32
    y::Int32
    z::Int32
end
for name in (:threadIdx, :blockIdx, :blockDim, :gridDim)
    @eval @inline $(Symbol(:py_, name))() = Dim3($(Symbol(:py_, name, :_x))(), $(Symbol(:py_, name, :_y))(), $(Symbol(:py_, name, :_z))())
end
@inline py_getattr(d::Dim3, ::Val{:x}) = getfield(d, :x)
@inline py_getattr(d::Dim3, ::Val{:y}) = getfield(d, :y)
@inline py_getattr(d::Dim3, ::Val{:z}) = getfield(d, :z)
@inline py_laneid() = sub_int(CUDA.laneid(), trunc_int(Int32, 1))
@inline py_warpsize() = trunc_int(Int32, 32)
@inline wide(x::Int32) = zext_int(Int64, x)
@inline grid_x() = add_nuw_nsw(mul_nuw_nsw(wide(py_blockIdx_x()), wide(py_blockDim_x())), wide(py_threadIdx_x()))
@inline grid_y() = add_nuw_nsw(mul_nuw_nsw(wide(py_blockIdx_y()), wide(py_blockDim_y())), wide(py_threadIdx_y()))
@inline grid_z() = add_nuw_nsw(mul_nuw_nsw(wide(py_blockIdx_z()), wide(py_blockDim_z())), wide(py_threadIdx_z()))
@inline py_grid(n) = n === 1 ? grid_x() : n === 2 ? (grid_x(), grid_y()) : n === 3 ? (grid_x(), grid_y(), grid_z()) : static_error(:RequireLiteralValue, "cuda.grid takes the literal 1, 2 or 3")
@inline size_x() = mul_nuw_nsw(wide(py_gridDim_x()), wide(py_blockDim_x()))
@inline size_y() = mul_nuw_nsw(wide(py_gridDim_y()), wide(py_blockDim_y()))
@inline size_z() = mul_nuw_nsw(wide(py_gridDim_z()), wide(py_blockDim_z()))
@inline py_gridsize(n) = n === 1 ? size_x() : n === 2 ? (size_x(), size_y()) : n === 3 ? (size_x(), size_y(), size_z()) : static_error(:RequireLiteralValue, "cuda.gridsize takes the literal 1, 2 or 3")

# ---- barriers, fences
@inline py_syncthreads() = CUDA.sync_threads()
@inline py_syncthreads_count(p::Union{SInt,UInts}) = CUDA.sync_threads_count(i64(p) !== 0)
@inline py_syncthreads_and(p::Union{SInt,UInts}) = rem(CUDA.sync_threads_and(i64(p) !== 0), Int32)
@inline py_syncthreads_or(p::Union{SInt,UInts}) = rem(CUDA.sync_threads_or(i64(p) !== 0), Int32)
@inline py_syncwarp() = CUDA.sync_warp()
@inline py_syncwarp(mask) = CUDA.sync_warp(cast(UInt32, mask))
@inline py_threadfence() = CUDA.threadfence()
@inline py_threadfence_block() = CUDA.threadfence_block()
@inline py_threadfence_system() = CUDA.threadfence_system()
@inline py_nanosleep(t) = CUDA.nanosleep(cast(UInt32, t))

# ---- shared memory of the block, local memory of the thread
@inline dims_of(n::AnyInt) = (extent(i64(n)),)
@inline dims_of(t::Tuple) = map(extent_of, t)
@inline dims_of(n) = static_error("a shape is made of integers, not of a value of type ", typeof(n))
@inline extent_of(n::AnyInt) = extent(i64(n))
@inline extent_of(n) = static_error("a shape is made of integers, not of a value of type ", typeof(n))
@inline extent(n::Int64) = n < 0 ? static_error(:ValueError, "a shape cannot be negative: ", n) : n
@inline py_shared_array(dims, type) = shared_array(py_type(type), Val(dims_of(dims)))
@inline py_shared_array(dims, type, ::Nothing) = py_shared_array(dims, type)
@inline py_shared_array(dims, type, alignment::Union{SInt,UInts}) = aligned_shared(py_type(type), Val(dims_of(dims)), Val(power_of_two(i64(alignment))))
@inline py_shared_array(dims, type, alignment) = static_error(:RequireLiteralValue, "alignment must be a constant integer")
@inline aligned_shared(::Type{T}, ::Val{dims}, ::Val{bytes}) where {T,dims,bytes} =
    product(dims) === 0 ? dynamic_array(T) : CArray{T,nfields(dims),3,false}(aligned(static_shared(T, Val(product(dims) + spare(T, bytes))), Val(bytes)), dims)
# Rounds an address up to a multiple of `bytes`. Arrays reserve spare elements for the skipped bytes.
@inline aligned(p::LLVMPtr, ::Val{bytes}) where {bytes} = pointer_add(p, and_int(sub_int(0, rem(CUDA.pointer_to_int(p), Int64)), bytes - 1))
@inline spare(::Type{T}, bytes) where {T} = div(bytes - 1, sizeof_type(T)) + 1
@inline power_of_two(n::Int64) = n > 0 && and_int(n, n - 1) === 0 ? n : static_error(:ValueError, "Alignment must be a positive power of two, not ", n)
@inline shared_array(::Type{T}, ::Val{dims}) where {T,dims} =
    product(dims) === 0 ? dynamic_array(T) : CArray{T,nfields(dims),3,false}(static_shared(T, Val(product(dims))), dims)
@inline dynamic_array(::Type{T}) where {T} = CArray{T,1,3,false}(dynamic_shared(T), (div(rem(CUDA.dynamic_smem_size(), Int64), sizeof_type(T)),))
@inline py_local_array(dims, type) = local_array(py_type(type), Val(dims_of(dims)))
@inline py_local_array(dims, type, ::Nothing) = py_local_array(dims, type)
@inline py_local_array(dims, type, alignment::Union{SInt,UInts}) = aligned_local(py_type(type), Val(dims_of(dims)), Val(power_of_two(i64(alignment))))
@inline py_local_array(dims, type, alignment) = static_error(:RequireLiteralValue, "alignment must be a constant integer")
@inline aligned_local(::Type{T}, ::Val{dims}, ::Val{bytes}) where {T,dims,bytes} =
    CArray{T,nfields(dims),5,false}(aligned(stack_alloc(T, Val(product(dims) + spare(T, bytes))), Val(bytes)), dims)
@inline local_array(::Type{T}, ::Val{dims}) where {T,dims} = CArray{T,nfields(dims),5,false}(stack_alloc(T, Val(product(dims))), dims)
@inline py_const_array_like(a::Arrays) = a

# ---- atomic functions: each returns the old value
const Space = Union{Val{0},Val{1},Val{3}}
@inline atomic_place(a::Arrays{T,1,A,false}, i::AnyInt) where {T,A} = element_pointer(a, indices(a, (i,)))
@inline atomic_place(a::Arrays{T,N,A,false}, i::Tuple) where {T,N,A} = nfields(i) > N ? static_error("too many indices for an array of ", N, " dimensions") :
    nfields(i) < N ? static_error("an atomic function takes an index of each dimension, here ", N) : element_pointer(a, indices(a, i))
@inline atomic_place(a::Arrays, i) = static_error("an atomic function takes an array that can be written and an index of it")
for (name, signed, unsigned) in ((:add, :add, :add), (:sub, :sub, :sub), (:and_, :and, :and), (:or_, :or, :or), (:xor, :xor, :xor), (:exch, :xchg, :xchg), (:min, :min, :umin), (:max, :max, :umax), (:nanmin, :min, :umin), (:nanmax, :max, :umax))
    @eval begin
        @inline $(Symbol(:py_atomic_, name))(a::Arrays{T}, i, x) where {T} = $(Symbol(:modify_, name))(atomic_place(a, i), cast(T, x))
        @inline $(Symbol(:modify_, name))(p::LLVMPtr{T}, x::T) where {T<:Union{Int32,Int64}} = atomic_modify(Val($(QuoteNode(signed))), p, x)
        @inline $(Symbol(:modify_, name))(p::LLVMPtr{T}, x::T) where {T<:Union{UInt32,UInt64}} = atomic_modify(Val($(QuoteNode(unsigned))), p, x)
        @inline $(Symbol(:modify_, name))(p::LLVMPtr{T}, x) where {T} = static_error("there is no such atomic function for elements of type ", T)
    end
end
@inline modify_add(p::LLVMPtr{T}, x::T) where {T<:Union{Float32,Float64}} = atomic_modify(Val(:fadd), p, x)
@inline modify_sub(p::LLVMPtr{T}, x::T) where {T<:Union{Float32,Float64}} = atomic_modify(Val(:fadd), p, neg_float(x))
@inline modify_exch(p::LLVMPtr{T}, x::T) where {T<:Union{Float32,Float64}} = atomic_modify(Val(:xchg), p, x)
# Numba's atomic max and min keep a NaN in memory and ignore a NaN operand. nanmax and nanmin take the number.
for (f, better, keeps) in ((:modify_max, :most, true), (:modify_min, :least, true), (:modify_nanmax, :most, false), (:modify_nanmin, :least, false))
    @eval @inline function $f(p::LLVMPtr{T}, x::T) where {T<:Union{Float32,Float64}}
        old = atomic_load(p)
        while true
            if $keeps && (isnan(old) || isnan(x))
                return old
            end
            new = $better(old, x)
            found = atomic_replace(p, old, new)
            found === old && return old
            old = found
        end
    end
end
@inline py_atomic_inc(a::Arrays{T}, i, x) where {T<:Union{UInt32,UInt64}} = counted(atomic_place(a, i), cast(T, x), true)
@inline py_atomic_dec(a::Arrays{T}, i, x) where {T<:Union{UInt32,UInt64}} = counted(atomic_place(a, i), cast(T, x), false)
@inline counted(p::LLVMPtr{UInt32}, x, up) = up ? atomic_modify(Val(:inc), p, x) : atomic_modify(Val(:dec), p, x)
@inline function counted(p::LLVMPtr{UInt64}, x, up)
    old = atomic_load(p)
    while true
        new = up ? (old >= x ? zero(x) : old + one(x)) : (old === zero(x) || old > x ? x : old - one(x))
        found = atomic_replace(p, old, new)
        found === old && return old
        old = found
    end
end
@inline py_atomic_cas(a::Arrays{T}, i, old, x) where {T<:Union{Int32,Int64,UInt32,UInt64}} = atomic_replace(atomic_place(a, i), cast(T, old), cast(T, x))
@inline py_atomic_compare_and_swap(a::Arrays{T}, old, x) where {T<:Union{Int32,Int64,UInt32,UInt64}} = atomic_replace(element_pointer(a, zeros_like(shape(a))), cast(T, old), cast(T, x))

# ---- the warp
const Word = Union{Int32,Int64,Float32,Float64}
@inline mask_of(m) = cast(UInt32, m)
@inline py_shfl_sync(mask, x::Word, lane) = CUDA.shfl_sync(mask_of(mask), x, add_int(cast(Int32, lane), trunc_int(Int32, 1)))
@inline py_shfl_up_sync(mask, x::Word, n) = CUDA.shfl_up_sync(mask_of(mask), x, cast(Int32, n))
@inline py_shfl_down_sync(mask, x::Word, n) = CUDA.shfl_down_sync(mask_of(mask), x, cast(Int32, n))
@inline py_shfl_xor_sync(mask, x::Word, n) = CUDA.shfl_xor_sync(mask_of(mask), x, cast(Int32, n))
@inline vote_mask(mask::Union{SInt,UInts}) = mask_of(mask)
@inline vote_mask(mask) = static_error("Mask type must be an integer, not ", typeof(mask))
@inline vote_of(p::AnyInt) = py_truth(p)
@inline vote_of(p) = static_error("Predicate must be an integer or boolean, not ", typeof(p))
@inline py_all_sync(mask, p) = CUDA.vote_all_sync(vote_mask(mask), vote_of(p))
@inline py_any_sync(mask, p) = CUDA.vote_any_sync(vote_mask(mask), vote_of(p))
@inline py_eq_sync(mask, p) = CUDA.vote_uni_sync(vote_mask(mask), vote_of(p))
@inline py_ballot_sync(mask, p) = bitcast(Int32, CUDA.vote_ballot_sync(vote_mask(mask), vote_of(p)))
@inline py_match_any_sync(mask, x) = bitcast(Int32, CUDA.match_any_sync(mask_of(mask), x))
@inline py_match_all_sync(mask, x) = (r = CUDA.match_all_sync(mask_of(mask), x); (bitcast(Int32, getfield(r, 1)), getfield(r, 2)))
@inline py_activemask() = CUDA.active_mask()
@inline py_lanemask_lt() = CUDA.lanemask(<)

# ---- bits
@inline py_popc(x::AnyInt) = rem(ctpop_int(py_int(x)), Int32)
@inline py_clz(x::AnyInt) = rem(ctlz_int(py_int(x)), Int32)
@inline py_brev(x::AnyInt) = bitreverse_int(py_int(x))
@inline py_ffs(x::AnyInt) = py_truth(x) ? rem(add_int(cttz_int(py_int(x)), cut(typeof(py_int(x)), 1)), Int32) : trunc_int(Int32, 0)
@inline py_selp(c, a, b) = (T = unified(typeof(a), typeof(b)); ifelse(py_truth(c), cast(T, a), cast(T, b)))
@inline py_fma(a::AnyReal, b::AnyReal, c::AnyReal) = (T = arith(arith(typeof(a), typeof(b)), typeof(c)); fma_float(cast(T, a), cast(T, b), cast(T, c)))

# ---- calls of functions in linked code: name, result type, arguments
@inline py_declared_c(::Val{f}, ::Type{R}, args...) where {f,R} = foreign_call(f, R, typeof(args), args...)
@inline py_declared_c_void(::Val{f}, args...) where {f} = (foreign_call(f, Nothing, typeof(args), args...); nothing)
# Calls a function with Numba's ABI: the first argument points to the result, and the return value is the status.
@inline function py_declared_numba(name::Val, ::Type{R}, args...) where {R}
    result = pointer_cast(LLVMPtr{R,0}, stack_alloc(R, Val(1)))
    py_declared_c(name, Int32, result, args...)
    return pointer_load(result, 0, Val(0))
end
@inline py_declared_numba_void(name::Val, args...) = (py_declared_numba(name, Int64, args...); nothing)
@inline py_from_buffer(a::CArray{T}) where {T} = pointer_cast(LLVMPtr{T,0}, pointer_of(a))
@inline py_from_buffer(a::Arrays) = static_error("from_buffer takes an array whose elements lie in rows without gaps")

# carray and farray: make a row-major or column-major array at a pointer argument of the kernel.
@inline py_carray(p::LLVMPtr{T,A}, shape, ::Nothing) where {T,A} = CArray{T,nfields(dims_of(shape)),A,false}(p, dims_of(shape))
@inline py_farray(p::LLVMPtr{T,A}, shape, ::Nothing) where {T,A} = FArray{T,nfields(dims_of(shape)),A,false}(p, dims_of(shape))
for (name, Made) in ((:py_carray, :CArray), (:py_farray, :FArray))
    @eval begin
        @inline $name(p::LLVMPtr, shape) = $name(p, shape, nothing)
        @inline $name(p::LLVMPtr{T}, shape, type) where {T} = py_type(type) === T ? $name(p, shape, nothing) :
            static_error("mismatching dtype ", py_type(type), " for a pointer to ", T)
        @inline $name(p, shape, type) = static_error("carray and farray take a pointer, not a value of type ", typeof(p))
        @inline $name(p, shape) = $name(p, shape, nothing)
    end
end

@inline py_getitem(p::LLVMPtr{T}, i::AnyInt) where {T} = pointer_load(p, i64(i), Val(0))
@inline py_setitem(p::LLVMPtr{T}, x, i::AnyInt) where {T} = (pointer_store(p, element_of(T, x), i64(i), Val(0)); nothing)

# ---- print
@inline py_print(parts...) = CUDA._cuprint(spaced(parts...)..., Val(Symbol("\n")))
@inline spaced() = ()
@inline spaced(x) = (shown(x),)
@inline spaced(x, rest...) = (shown(x), Val(Symbol(" ")), spaced(rest...)...)
@inline shown(x) = x
@inline shown(x::Tuple) = map(shown, x)
# Wraps a pointer to text, which `print` then shows as text. A Julia program would print the address.
struct Shown{P}
    text::P
end
@inline shown(x::Bool) = (t = device_string(Val(:True)); Shown{typeof(t)}(ifelse(x, t, device_string(Val(:False)))))
@inline CUDA.print_format(::Shown) = Symbol("%s")
@inline CUDA.print_value(w::Shown) = (getfield(w, :text),)
@inline shown(x::Int8) = i64(x)
@inline shown(d::Dim3) = (d.x, d.y, d.z)
@inline shown(n::Named) = map(shown, getfield(n, :items))
@inline shown(x::Complex) = (re(x), im(x))

end
