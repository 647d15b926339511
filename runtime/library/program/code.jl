# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/version; when: fieldtypes, hasfield, hasproperty, propertynames, isdispatchtuple, parentmodule, fullname, names, invokelatest, include_string, evalfile, remove_linenums!, macroexpand, nonmissingtype, parseall, Meta, html_str, text_str, macroexpand1, retry, systemerror, getglobal, atomic, atomicswap, atomicreplace, swapproperty!, modifyproperty!, replaceproperty!, current_exceptions, stacktrace, StackTraces, precompile, __precompile__, include_dependency, finalizer, finalize, GC, Docs, Libc, HTML, Text, dump, pkgversion, evalpoly
# Reflection, code as values, and names of Julia's runtime.

UnionAll(var, body) = __union_all(var, body)
fieldtypes(T::Type) = ntuple(i -> fieldtype(T, i), fieldcount(T))
hasfield(T::Type, name::Symbol) = name in fieldnames(T)
propertynames(x) = fieldnames(typeof(x))
propertynames(x, private::Bool) = propertynames(x)
propertynames(m::Module, private::Bool=false) = names(m; all=private)
hasproperty(x, name::Symbol) = name in propertynames(x)
isdispatchtuple(T) = T isa DataType && T <: Tuple && all(isconcretetype, fieldtypes(T))
nonmissingtype(::Type{T}) where {T} = typesplit_missing(T)
typesplit_missing(T) = T === Missing ? Union{} : T isa Union ? Union{typesplit_missing(T.a),typesplit_missing(T.b)} : T
parentmodule(x) = __module_of(x)
parentmodule(f, types) = __module_of(f)
getglobal(m::Module, name::Symbol, order::Symbol=:monotonic) = getfield(m, name)
fullname(m::Module) = (p = __module_of(m); p === m ? (nameof(m),) : (fullname(p)..., nameof(m)))
names(m::Module; all::Bool=false, imported::Bool=false, usings::Bool=false) = sort!(collect(__module_names(m, all)); by=string)
invokelatest(f, args...; keywords...) = f(args...; keywords...)
swapproperty!(x, name::Symbol, value) = (old = getproperty(x, name); setproperty!(x, name, value); old)
modifyproperty!(x, name::Symbol, op, value) = (old = getproperty(x, name); old => setproperty!(x, name, op(old, value)))
function replaceproperty!(x, name::Symbol, expected, value)
    old = getproperty(x, name)
    old === expected && setproperty!(x, name, value)
    return (old=old, success=old === expected)
end

# ---- code from text
function include_string(map_code::Function, m::Module, text::AbstractString, file::AbstractString="string")
    value = nothing
    for ex in Meta.parseall(String(text); filename=file).args
        ex isa LineNumberNode || (value = Core.eval(m, map_code(ex)))
    end
    return value
end
include_string(m::Module, text::AbstractString, file::AbstractString="string") = include_string(identity, m, text, file)
evalfile(path::AbstractString, args=String[]) = include_string(Module(:__anon__), read(String(path), String), path)
remove_linenums!(x) = x
function remove_linenums!(ex::Expr)
    ex.head in (:block, :quote) && filter!(x -> !(x isa LineNumberNode), ex.args)
    foreach(remove_linenums!, ex.args)
    return ex
end
macroexpand(m::Module, ex; recursive::Bool=true) = ex
function macroexpand(m::Module, ex::Expr; recursive::Bool=true)
    if ex.head === :macrocall
        made = __expand_call(m, ex)
        return recursive && made != ex ? macroexpand(m, made) : made
    end
    return recursive && ex.head !== :quote ? Expr(ex.head, map(x -> macroexpand(m, x), ex.args)...) : ex
end
macro macroexpand(ex)
    :(macroexpand($__module__, $(QuoteNode(ex))))
end
macro macroexpand1(ex)
    :(macroexpand($__module__, $(QuoteNode(ex)); recursive=false))
end
struct __ParseError <: Exception
    msg::String
end
showerror(io::IO, e::__ParseError) = print(io, "ParseError:\n", e.msg)
module Meta
import Base: __parse, __ParseError
const ParseError = __ParseError
function parseall(text::AbstractString; filename="none", keywords...)
    code = __parse(String(text), String(filename))
    return code isa String ? Expr(:toplevel, Expr(:error, code)) : code
end
function parse(text::AbstractString; raise::Bool=true, filename="none", keywords...)
    code = __parse(String(text), String(filename))
    code isa String && return raise ? throw(ParseError(code)) : Expr(:error, code)
    found = filter(x -> !(x isa Base.LineNumberNode), code.args)
    isempty(found) && return nothing
    length(found) == 1 || (raise ? throw(ParseError("extra token after end of expression")) : return Expr(:error, "extra token after end of expression"))
    return found[1]
end
# The longest statement that begins at a place, and the place after it: whole lines, as in a prompt.
function parse(text::AbstractString, start::Integer; raise::Bool=true, greedy::Bool=true, filename="none", keywords...)
    rest = String(text)[start:end]
    stop = 0
    while stop < lastindex(rest)
        found = findnext('\n', rest, stop + 1)
        stop = found === nothing ? lastindex(rest) : found
        code = __parse(rest[1:stop], String(filename))
        code isa String && stop < lastindex(rest) && continue
        code isa String && return (raise ? throw(ParseError(code)) : Expr(:error, code), start + ncodeunits(rest))
        found = filter(x -> !(x isa Base.LineNumberNode), code.args)
        isempty(found) || return (length(found) == 1 ? found[1] : Expr(:toplevel, found...), start + stop)
    end
    return (nothing, start + ncodeunits(rest))
end
parseatom(text::AbstractString, start::Integer; keywords...) = parse(text, start; keywords...)
end

# ---- names of the runtime: memory is counted by reference, and code is compiled when it is first used
module GC
gc(full=true) = nothing
enable(on::Bool) = true
safepoint() = nothing
enable_logging(on=true) = nothing
end
finalizer(f, x) = x
finalize(x) = nothing
precompile(args...) = true
__precompile__(is_allowed=true) = nothing
include_dependency(args...; keywords...) = nothing
pkgversion(m::Module) = nothing
module StackTraces
struct StackFrame
    func::Symbol
    file::Symbol
    line::Int
end
const StackTrace = Vector{StackFrame}
stacktrace(args...) = StackFrame[]
end
stacktrace(args...) = StackTraces.StackFrame[]
module Docs
struct Binding
    mod::Module
    var::Symbol
end
end
module Libc
time() = Base.time()
getpid() = Base.getpid()
gethostname() = Base.gethostname()
systemsleep(seconds) = Base.sleep(seconds)
flush_cstdio() = nothing
end
function retry(f; delays=(0.1,), check=(state, e) -> true)
    return function (args...; keywords...)
        state = iterate(delays)
        while true
            try
                return f(args...; keywords...)
            catch e
                state === nothing && rethrow()
                (delay, next) = state
                check(next, e) in (true,) || check(next, e) isa Tuple && check(next, e)[2] || rethrow()
                sleep(delay)
                state = iterate(delays, next)
            end
        end
    end
end
struct ExponentialBackOff
    n::Int
    first_delay::Float64
    max_delay::Float64
    factor::Float64
    jitter::Float64
end
ExponentialBackOff(; n=1, first_delay=0.05, max_delay=10.0, factor=5.0, jitter=0.1) = ExponentialBackOff(n, first_delay, max_delay, factor, jitter)
length(b::ExponentialBackOff) = b.n
iterate(b::ExponentialBackOff) = iterate(b, (b.n, min(b.first_delay, b.max_delay)))
function iterate(b::ExponentialBackOff, state)
    (left, delay) = state
    left < 1 && return nothing
    return (delay, (left - 1, min(b.max_delay, delay * b.factor * (1 - b.jitter + 2b.jitter * rand()))))
end
systemerror(what, failed::Bool=true) = failed ? throw(SystemError(string(what), 0)) : nothing

# ---- texts with a MIME type
struct HTML{T}
    content::T
end
struct Text{T}
    content::T
end
show(io::IO, x::Union{HTML,Text}) = print(io, x.content)
show(io::IO, ::MIME, x::Union{HTML,Text}) = print(io, x.content)
==(a::T, b::T) where {T<:Union{HTML,Text}} = a.content == b.content
macro html_str(text)
    :(HTML($text))
end
macro text_str(text)
    :(Text($text))
end
dump(x; maxdepth=8) = dump(stdout, x; maxdepth=maxdepth)
dump(io::IO, x; maxdepth=8) = (__dump(io, x, maxdepth, ""); println(io))
function __dump(io, x, depth, indent)
    T = typeof(x)
    if x isa Union{Number,String,Symbol,Char,Nothing,Function,Module} || x isa Type
        print(io, x isa Union{Number,Char,String} && !(x isa Union{Complex,Rational}) ? string(__type_text(T), " ", repr(x)) : x isa Symbol ? string("Symbol ", x) : x isa Type ? __type_text(x) : string(__type_text(T), " ", x))
        return nothing
    end
    if x isa AbstractArray
        print(io, __type_text(T), "(", size(x), ")", eltype(x) <: Number ? string(" ", repr(x)) : "")
        return nothing
    end
    print(io, __type_text(T), " ")
    depth > 0 || return nothing
    for (i, name) in enumerate(fieldnames(T))
        print(io, "\n", indent, "  ", name, ": ")
        isdefined(x, name) ? __dump(io, getfield(x, name), depth - 1, string(indent, "  ")) : print(io, "#undef")
    end
    return nothing
end
