# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# NumPy's reductions of arrays as functions: np.sum(a) and others.

for name in (:all, :any, :sum, :prod, :mean, :argmin, :argmax)
    @eval @inline $(Symbol(:py_np_, name))(a::Arrays) = py_method(a, Val($(QuoteNode(name))))
end
@inline py_np_count_nonzero(a::Arrays) = folded((s, x) -> add_int(s, i64(py_truth(x))), 0, a)
# np.min and np.max return NaN if an element is NaN.
@inline keeping(better, s, x::AnyFloat) = ne_float(s, s) ? s : ne_float(x, x) ? x : better(s, x)
@inline keeping(better, s, x) = better(s, x)
@inline py_np_min(a::Arrays) = folded((s, x) -> keeping(least, s, x), load(a, unravel(0, shape(a))), a)
@inline py_np_max(a::Arrays) = folded((s, x) -> keeping(most, s, x), load(a, unravel(0, shape(a))), a)
@inline py_np_amin(a::Arrays) = py_np_min(a)
@inline py_np_amax(a::Arrays) = py_np_max(a)
@inline py_np_nanmin(a::Arrays) = py_method(a, Val(:min))
@inline py_np_nanmax(a::Arrays) = py_method(a, Val(:max))
@inline py_method(a::Arrays, ::Val{:var}) = variance(a)
@inline py_method(a::Arrays, ::Val{:std}) = py_sqrt(variance(a))
@inline py_np_var(a::Arrays) = variance(a)
@inline py_np_std(a::Arrays) = py_sqrt(variance(a))
@inline distance2(x::Complex, m) = (d = py_sub(x, m); add_float(mul_float(re(d), re(d)), mul_float(im(d), im(d))))
@inline distance2(x::AnyReal, m) = (d = py_sub(x, m); py_mul(d, d))
@inline function variance(a::Arrays{T}) where {T}
    m = py_method(a, Val(:mean))
    s = cast(typeof(real64(py_real(m))), 0)
    for k in 0:product(shape(a))-1
        s = add_float(s, cast(typeof(s), distance2(load(a, unravel(k, shape(a))), m)))
    end
    return py_truediv(s, cast(typeof(s), product(shape(a))))
end
@inline is_number(x) = not_int(py_isnan(x))
@inline function counted_numbers(a::Arrays)
    n = 0
    for k in 0:product(shape(a))-1
        n = add_int(n, i64(is_number(load(a, unravel(k, shape(a))))))
    end
    return n
end
@inline py_np_nansum(a::Arrays{T}) where {T} = folded((s, x) -> is_number(x) ? cast(sum_type(T), py_add(s, x)) : s, cast(sum_type(T), 0), a)
@inline py_np_nanprod(a::Arrays{T}) where {T} = folded((s, x) -> is_number(x) ? cast(sum_type(T), py_mul(s, x)) : s, cast(sum_type(T), 1), a)
@inline py_np_nanmean(a::Arrays) = py_truediv(py_np_nansum(a), counted_numbers(a))
@inline function py_np_nanvar(a::Arrays)
    m = py_np_nanmean(a)
    s = cast(typeof(real64(py_real(m))), 0)
    for k in 0:product(shape(a))-1
        x = load(a, unravel(k, shape(a)))
        s = is_number(x) ? add_float(s, cast(typeof(s), distance2(x, m))) : s
    end
    return py_truediv(s, cast(typeof(s), counted_numbers(a)))
end
@inline py_np_nanstd(a::Arrays) = py_sqrt(py_np_nanvar(a))

# literal_unroll(t) is t itself. The loop over a literal or frozen tuple is unrolled before (convert.cpp).
@inline py_literal_unroll(t) = t
