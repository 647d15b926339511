# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/macros; when: invoke, invokelatest, ccall, int128_str, uint128_str, b_str, Kwargs, showtime, timev, allocations, gensym, polly, threadcall, with, ScopedValue*
# Macros of Base that few programs use, and scoped values.
macro invoke(ex)
    names = ex.args[2:end]
    typed = map(x -> x isa Expr && x.head === :(::) ? x.args[end] : :Any, names)
    values = map(x -> x isa Expr && x.head === :(::) ? x.args[1] : x, names)
    esc(Expr(:call, :invoke, ex.args[1], Expr(:curly, :Tuple, typed...), values...))
end
macro invokelatest(ex)
    esc(ex)
end
macro ccall(ex)
    call = ex.args[1]
    result = ex.args[2]
    types = map(x -> x.args[2], call.args[2:end])
    values = map(x -> x.args[1], call.args[2:end])
    name = call.args[1]
    target = name isa Symbol ? QuoteNode(name) : name isa Expr && name.head === :. ? Expr(:tuple, name.args[2], name.args[1]) : name
    esc(Expr(:call, :ccall, target, result, Expr(:tuple, types...), values...))
end
macro int128_str(text)
    parse(Int128, text)
end
macro uint128_str(text)
    parse(UInt128, text)
end
macro b_str(text)
    :(codeunits($text))
end
macro Kwargs(ex)
    esc(:(NamedTuple{$(Expr(:tuple, map(x -> QuoteNode(x.args[1]), ex.args)...)),Tuple{$(map(x -> x.args[2], ex.args)...)}}))
end
macro showtime(ex)
    quote
        print($(string(ex)), ": ")
        @time $(esc(ex))
    end
end
macro timev(ex)
    :(@time $(esc(ex)))
end
macro allocations(ex)
    :(@allocated $(esc(ex)))
end
macro gensym(names...)
    esc(Expr(:block, map(n -> :($n = gensym($(string(n)))), names)..., :nothing))
end
macro polly(ex)
    esc(ex)
end

# ---- scoped values: the innermost `with` that gives one, else the default
mutable struct ScopedValue{T}
    value::T
    is_set::Bool
    ScopedValue{T}(value) where {T} = new{T}(value, true)
    ScopedValue{T}() where {T} = new{T}(zero(T), false)
end
ScopedValue(value::T) where {T} = ScopedValue{T}(value)
getindex(s::ScopedValue) = s.is_set ? s.value : throw(KeyError(s))
function with(f, changes::Pair...)
    before = __enter_scope(changes)
    try
        return f()
    finally
        __leave_scope(before)
    end
end
function __enter_scope(changes)
    before = [(c.first, c.first.value, c.first.is_set) for c in changes]
    for c in changes
        c.first.value = c.second
        c.first.is_set = true
    end
    return before
end
function __leave_scope(before)
    for (s, value, is_set) in before
        s.value = value
        s.is_set = is_set
    end
end
# Variables of the expression belong to the scope around, as in Julia.
macro with(args...)
    before = gensym()
    return esc(Expr(:block, Expr(:local, :($before = Base.__enter_scope(($(args[1:end-1]...),)))),
                    Expr(:tryfinally, args[end], :(Base.__leave_scope($before)))))
end
module ScopedValues
import Base: ScopedValue, with, @with
export ScopedValue, with, @with
end
