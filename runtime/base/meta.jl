# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What macros ask of code.

@inline LineNumberNode(line::Integer, file=nothing) = newtuple_(LineNumberNode, Int(line), file)
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
