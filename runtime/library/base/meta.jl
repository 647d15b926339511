# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: base/enum
# Functions that macros use to inspect code.

# T{A, <:B} in a function body, if a parameter is only known at run time.
__bounded_type(T, kinds, params...) = static_error("a type whose parameters are only known at run time, such as T{<:S{n}}, is made on the host alone: name the type outside of the kernel")
@inline LineNumberNode(line::Integer, file=nothing) = newtuple_(LineNumberNode, Int(line), file)
@inline GlobalRef(m::Module, name::Symbol) = newtuple_(GlobalRef, m, name)
# Code compares by structure.
==(a::Expr, b::Expr) = a.head === b.head && equal_parts(a.args, b.args)
==(a::QuoteNode, b::QuoteNode) = isequal(a.value, b.value)
function equal_parts(a, b)
    length(a) == length(b) || return false
    for i in 1:length(a)
        isequal(a[i], b[i]) || return false
    end
    return true
end
module Meta
import Base: isexpr
quot(ex) = Expr(:quote, ex)
unescape(ex) = ex
unescape(ex::Expr) = ex.head === :escape || ex.head === Symbol("var\"hygienic-scope\"") ? unescape(ex.args[1]) : ex
unblock(ex) = ex
function unblock(ex::Expr)
    ex.head === :block || return ex
    kept = filter(x -> !(x isa LineNumberNode), ex.args)
    length(kept) == 1 ? unblock(kept[1]) : ex
end
export isexpr, quot
end
