# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Python's functions of vector types (float32x4 and others), cooperative groups, accesses with cache hints, and float16.

struct Vec{T,N}
    data::NTuple{N,T}
end
@inline vec_parts(::Type{T}) where {T} = ()
@inline vec_parts(::Type{T}, x::AnyReal, rest...) where {T} = (cast(T, x), vec_parts(T, rest...)...)
@inline vec_parts(::Type{T}, v::Vec, rest...) where {T} = (vec_parts(T, getfield(v, :data)...)..., vec_parts(T, rest...)...)
@inline vec_parts(::Type{T}, x, rest...) where {T} = static_error("a vector type is made of numbers and vectors, not of a value of type ", typeof(x))
@inline py_construct(::Type{Vec{T,N}}, args...) where {T,N} = vec_made(Vec{T,N}, vec_parts(T, args...))
@inline vec_made(::Type{Vec{T,N}}, p) where {T,N} =
    nfields(p) === N ? Vec{T,N}(p) : static_error("a vector type of ", N, " elements is made of as many, not of ", nfields(p))
for (k, name) in ((1, :x), (2, :y), (3, :z), (4, :w))
    @eval @inline py_getattr(v::Vec, s::Val{$(QuoteNode(name))}) = vec_part(v, Val($k), s)
end
@inline vec_part(v::Vec{T,N}, ::Val{k}, ::Val{S}) where {T,N,k,S} = k <= N ? getfield(getfield(v, :data), k) : static_error("a vector of ", N, " elements has no attribute ", S)

# ---- cooperative groups
@inline py_cg_this_grid() = CUDA.CG.this_grid()
@inline py_method(g::CUDA.CG.grid_group, ::Val{:sync}) = (CUDA.CG.sync(g); trunc_int(Int32, 1))
@inline py_cg_this_thread_block() = CUDA.CG.this_thread_block()
@inline py_method(g::CUDA.CG.thread_block, ::Val{:sync}) = (CUDA.CG.sync(g); trunc_int(Int32, 1))

# ---- loads and stores with cache hints: the hints are ignored
@inline hinted_load(a::Arrays, i::AnyInt) = py_getitem(a, i)
@inline hinted_load(a::Arrays, i::Tuple) = py_getitem(a, i...)
@inline hinted_store(a::Arrays, i::AnyInt, x) = py_setitem(a, x, i)
@inline hinted_store(a::Arrays, i::Tuple, x) = py_setitem(a, x, i...)
for name in (:ldca, :ldcg, :ldcs, :ldlu, :ldcv)
    @eval @inline $(Symbol(:py_, name))(a, i) = hinted_load(a, i)
end
for name in (:stcg, :stcs, :stwb, :stwt)
    @eval @inline $(Symbol(:py_, name))(a, i, x) = hinted_store(a, i, x)
end

# ---- functions of cuda.fp16: convert every operand to float16
@inline half(x) = cast(Float16, x)
for (name, f) in ((:hadd, :add_float), (:hsub, :sub_float), (:hmul, :mul_float), (:hdiv, :div_float), (:heq, :eq_float), (:hne, :ne_float), (:hlt, :lt_float), (:hle, :le_float),
    (:hmax, :most), (:hmin, :least))
    @eval @inline $(Symbol(:py_, name))(a, b) = $f(half(a), half(b))
end
@inline py_hgt(a, b) = lt_float(half(b), half(a))
@inline py_hge(a, b) = le_float(half(b), half(a))
@inline py_hneg(a) = neg_float(half(a))
@inline py_habs(a) = abs_float(half(a))
# Fused multiply-add with one rounding: the float32 sum gets an odd last bit if it is inexact, then becomes float16.
@inline function py_hfma(a, b, c)
    p = mul_float(fpext(Float32, half(a)), fpext(Float32, half(b)))
    z = fpext(Float32, half(c))
    s = add_float(p, z)
    t = sub_float(s, p)
    left = add_float(sub_float(p, sub_float(s, t)), sub_float(z, t))
    bits = bitcast(Int32, s)
    if (lt_float(left, fptrunc(Float32, 0.0)) || lt_float(fptrunc(Float32, 0.0), left)) && py_isfinite(s) && and_int(bits, trunc_int(Int32, 1)) === trunc_int(Int32, 0)
        away = lt_float(left, fptrunc(Float32, 0.0)) === lt_float(s, fptrunc(Float32, 0.0))
        bits = away ? add_int(bits, trunc_int(Int32, 1)) : sub_int(bits, trunc_int(Int32, 1))
    end
    return fptrunc(Float16, bitcast(Float32, bits))
end
for (name, f) in ((:hsin, :sin), (:hcos, :cos), (:hlog, :log), (:hlog2, :log2), (:hlog10, :log10), (:hexp, :exp), (:hexp2, :exp2), (:hexp10, :exp10), (:hsqrt, :sqrt))
    @eval @inline $(Symbol(:py_, name))(a) = fptrunc(Float16, Base.$f(fpext(Float32, half(a))))
end
for (name, f) in ((:hfloor, :floor_llvm), (:hceil, :ceil_llvm), (:hrint, :rint_llvm), (:htrunc, :trunc_llvm))
    @eval @inline $(Symbol(:py_, name))(a) = fptrunc(Float16, $f(fpext(Float32, half(a))))
end
@inline py_hrsqrt(a) = fptrunc(Float16, div_float(fptrunc(Float32, 1.0), Base.sqrt(fpext(Float32, half(a)))))
@inline py_hrcp(a) = fptrunc(Float16, div_float(fptrunc(Float32, 1.0), fpext(Float32, half(a))))
