# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: [package], deprecate*; after: base/random
# Old names of functions and types. Kiln does not report their use.

macro deprecate(old, new, exports=true)
    is_name = old isa Symbol
    rest = (Expr(:parameters, :(keywords...)), :(args...))
    head = is_name ? Expr(:call, old, rest...) : old
    definition = Expr(:(=), head, is_name ? Expr(:call, new, rest...) : new)
    while head isa Expr
        head = head.args[1]
    end
    esc(exports === true && head isa Symbol ? Expr(:block, Expr(:export, head), definition) : definition)
end
macro deprecate_binding(old, new, exports=true, message=nothing, constant=true)
    definition = Expr(:const, Expr(:(=), old, new))
    esc(exports === true ? Expr(:block, Expr(:export, old), definition) : definition)
end
