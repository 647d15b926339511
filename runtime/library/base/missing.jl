# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/linear_algebra
# The value `missing`: results that depend on it are missing too; Bool operators have three-valued logic.

for op in (:+, :-, :*, :/, :^, :mod, :rem, :div, :fld, :min, :max, :<, :(==), :xor)
    @eval begin
        @inline $op(a::Missing, b::Missing) = missing
        @inline $op(a::Missing, b::Number) = missing
        @inline $op(a::Number, b::Missing) = missing
    end
end
(::Type{Nothing})() = nothing
(::Type{Tuple{}})() = ()
@inline tuple_is_less(same::Missing, a, b) = same
for f in (:+, :-, :!, :abs, :abs2, :sqrt, :exp, :log, :sin, :cos, :floor, :ceil, :round, :float, :zero, :one, :isnan, :isfinite, :iszero)
    @eval @inline $f(a::Missing) = missing
end
@inline (&)(a::Missing, b::Missing) = missing
@inline (&)(a::Missing, b::Bool) = b ? missing : false
@inline (&)(a::Bool, b::Missing) = b & a
@inline (|)(a::Missing, b::Missing) = missing
@inline (|)(a::Missing, b::Bool) = b ? true : missing
@inline (|)(a::Bool, b::Missing) = b | a
@inline isequal(a::Missing, b::Missing) = true
@inline isequal(a::Missing, b) = false
@inline isequal(a, b::Missing) = false
@inline isunordered(a::Missing) = true
@inline isless(a::Missing, b::Missing) = false
@inline isless(a::Missing, b) = false
@inline isless(a, b::Missing) = true

# ---- iteration that skips missing
struct SkipMissing{I}
    items::I
end
@inline skipmissing(items) = SkipMissing(items)
# The two methods of iterate repeat the same loop and call only builtins. Their variables may have a Union type, which
# no function accepts as an argument.
@inline function iterate(s::SkipMissing)
    n = iterate(s.items)
    while true
        if n === nothing
            return nothing
        end
        x = getfield(n, 1)
        if !(x isa Missing)
            return (x, getfield(n, 2))
        end
        n = iterate(s.items, getfield(n, 2))
    end
end
@inline function iterate(s::SkipMissing, state)
    n = iterate(s.items, state)
    while true
        if n === nothing
            return nothing
        end
        x = getfield(n, 1)
        if !(x isa Missing)
            return (x, getfield(n, 2))
        end
        n = iterate(s.items, getfield(n, 2))
    end
end
