# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/fastmath, program/dict; when: FastMath, fast_op, rewrite_op, make_fastmath
# The tables of @fastmath, for packages that add methods to the fast functions or rewrite expressions themselves.

module FastMath
const fast_op = Dict{Symbol,Symbol}(:+ => :add_fast, :- => :sub_fast, :* => :mul_fast, :/ => :div_fast, :(==) => :eq_fast, :!= => :ne_fast,
    :< => :lt_fast, :<= => :le_fast, :> => :gt_fast, :>= => :ge_fast, :^ => :pow_fast,
    (f => Symbol(f, "_fast") for f in (:abs, :abs2, :cmp, :conj, :inv, :rem, :sign, :isfinite, :isinf, :isnan, :issubnormal, :acos, :acosh,
        :angle, :asin, :asinh, :atan, :atanh, :cbrt, :cis, :cos, :cosh, :exp10, :exp2, :exp, :expm1, :hypot, :log10, :log1p, :log2, :log,
        :max, :min, :minmax, :sin, :sincos, :sinh, :sqrt, :tan, :tanh, :maximum, :minimum))...)
const rewrite_op = Dict{Symbol,Symbol}(:+= => :+, :-= => :-, :*= => :*, :/= => :/, :^= => :^)
maximum_fast(xs...; keywords...) = maximum(xs...; keywords...)
minimum_fast(xs...; keywords...) = minimum(xs...; keywords...)
# Replaces the functions of an expression by their fast ones, as @fastmath does. A literal power keeps its exponent as a
# type, and x += y becomes x = x + y.
make_fastmath(x) = x
make_fastmath(name::Symbol) = haskey(fast_op, name) ? :(Base.FastMath.$(fast_op[name])) : name
function make_fastmath(code::Expr)
    code.head === :quote && return code
    parts = code.args
    if code.head === :call && length(parts) == 3 && parts[1] === :^ && parts[3] isa Int
        return Expr(:call, :(Base.FastMath.pow_fast), make_fastmath(parts[2]), Val(parts[3]))
    elseif haskey(rewrite_op, code.head) && parts[1] isa Symbol
        return Expr(:(=), parts[1], make_fastmath(Expr(:call, rewrite_op[code.head], parts...)))
    end
    return Expr(code.head, map(make_fastmath, parts)...)
end
end
