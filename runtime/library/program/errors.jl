# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/show_arrays
# Messages of exceptions, with Julia's texts.
struct InterruptException <: Exception end
struct LoadError <: Exception
    file::String
    line::Int
    error
end
struct SystemError <: Exception
    msg::String
end
struct IOError <: Exception
    msg::String
end
struct EOFError <: Exception end
struct FieldError <: Exception
    msg::String
end
ErrorException(x) = ErrorException(message(x))
error(msg::String, rest...) = throw(ErrorException(message(msg, rest...)))
error(parts...) = throw(ErrorException(message(parts...)))
(::Type{T})(parts...) where {T<:Union{ArgumentError,DimensionMismatch,OverflowError,AssertionError}} = T(message(parts...))
showerror(io::IO, e) = show(io, e)
showerror(io::IO, e::ErrorException) = print(io, e.msg)
for T in (:ArgumentError, :AssertionError, :OverflowError, :DimensionMismatch, :SystemError, :FieldError)
    @eval showerror(io::IO, e::$T) = print(io, $(string(T)), isempty(e.msg) ? "" : ": ", e.msg)
end
showerror(io::IO, e::IOError) = print(io, "IOError: ", e.msg)
showerror(io::IO, ::DivideError) = print(io, "DivideError: integer division error")
showerror(io::IO, ::StackOverflowError) = print(io, "StackOverflowError:")
showerror(io::IO, ::OutOfMemoryError) = print(io, "OutOfMemoryError()")
showerror(io::IO, ::UndefRefError) = print(io, "UndefRefError: access to undefined reference")
showerror(io::IO, ::InterruptException) = print(io, "InterruptException:")
showerror(io::IO, ::EOFError) = print(io, "EOFError: read end of file")
showerror(io::IO, e::UndefVarError) = print(io, "UndefVarError: `", e.var, "` not defined")
showerror(io::IO, e::UndefKeywordError) = print(io, "UndefKeywordError: keyword argument `", e.var, "` not assigned")
showerror(io::IO, e::KeyError) = (print(io, "KeyError: key "); show(io, e.key); print(io, " not found"))
function showerror(io::IO, e::BoundsError)
    print(io, "BoundsError")
    a = __field(e, :a)
    if a === nothing
        msg = __field(e, :msg)                     # from a host function
        msg === nothing || print(io, ": ", msg)
        return nothing
    end
    print(io, ": attempt to access ", __summary(a))
    i = __field(e, :i)
    i === nothing && return nothing
    print(io, " at index [")
    i isa Tuple ? join(io, [__index_of(a, k, nfields(i), i[k]) for k in 1:nfields(i)], ", ") : print(io, __index_of(a, 1, 1, i))
    print(io, "]")
    return nothing
end
# Text of an index in a BoundsError: a colon appears as the range of the whole dimension.
__index_of(a, k, n, i) = repr(i)
__index_of(a, k, n, i::OneTo) = string("1:", last(i))
__index_of(a, k, n, ::Colon) = a isa AbstractArray ? string("1:", n == 1 ? length(a) : size(a, k)) : ":"
function showerror(io::IO, e::InexactError)
    T = __field(e, :T)
    if T === nothing # thrown by compiled code, or by the library, without the value
        print(io, "InexactError: the type has no such value")
        return nothing
    end
    print(io, "InexactError: ", __field(e, :func), "(")
    T isa Type && nameof(T) !== __field(e, :func) && print(io, T, ", ")
    print(io, __field(e, :val), ")")
    return nothing
end
function showerror(io::IO, e::DomainError)
    print(io, "DomainError with ")
    print(io, __field(e, :val))
    msg = __field(e, :msg)
    print(io, ":\n", msg === nothing ? "" : msg)
    return nothing
end
__signature_part(x) = x isa Type ? string("::Type{", __type_text(x), "}") : string("::", __type_text(typeof(x)))
function showerror(io::IO, e::MethodError)
    f = __field(e, :f)
    if f === nothing
        print(io, "MethodError: ", __field(e, :msg))
        return nothing
    end
    args = __field(e, :args)
    if args isa Type
        print(io, "MethodError: no method matching ", __function_name(f), "(", join([string("::", fieldtype(args, k)) for k in 1:fieldcount(args)], ", "), ")")
        return nothing
    end
    if f === convert && nfields(args) == 2 && args[1] isa Type
        print(io, "MethodError: Cannot `convert` an object of type ", typeof(args[2]), " to an object of type ", args[1])
        return nothing
    end
    keywords = (;)
    if f === Core.kwcall
        (keywords, f, args) = (args[1], args[2], args[3:end])
    end
    if !(f isa Type) && !(f isa Function)
        print(io, "MethodError: objects of type ", typeof(f), " are not callable")
        return nothing
    end
    print(io, "MethodError: no method matching ", f isa Type ? __type_text(f) : __function_name(f), "(")
    join(io, map(__signature_part, args), ", ")
    for (k, name) in enumerate(keys(keywords))
        print(io, k == 1 ? "; " : ", ", name, "::", typeof(keywords[name]))
    end
    print(io, ")")
    if (f === + || f === -) && nfields(args) == 2 && (args[1] isa Number || args[2] isa Number) && (args[1] isa AbstractArray || args[2] isa AbstractArray)
        (a, b) = args[1] isa Number ? ("scalar", "array") : ("array", "scalar")
        print(io, "\nFor element-wise ", f === + ? "addition" : "subtraction", ", use broadcasting with dot syntax: ", a, " .", __function_name(f), " ", b)
    end
    return nothing
end
function showerror(io::IO, e::TypeError)
    msg = __field(e, :msg)
    if msg !== nothing
        print(io, "TypeError: ", msg)
    else
        print(io, "TypeError: in ", __field(e, :func), ", expected ", __field(e, :expected), ", got a value of type ", typeof(__field(e, :got)))
    end
    return nothing
end
function showerror(io::IO, e::StringIndexError)
    (s, i) = (__field(e, :string), __field(e, :index))
    s === nothing && (print(io, "StringIndexError: invalid index"); return nothing)
    (a, b) = (thisind(s, i), nextind(s, i))
    print(io, "StringIndexError: invalid index [", i, "], valid nearby indices [", a, "]=>", repr(s[a]))
    b <= ncodeunits(s) && print(io, ", [", b, "]=>", repr(s[b]))
    return nothing
end
showerror(io::IO, e::LoadError) = (print(io, "LoadError: "); showerror(io, e.error))
# Value of an exception's field; nothing if the exception has no such field, as those of compiled code.
function __field(e, name)
    try
        return getfield(e, name)
    catch
        return nothing
    end
end
__summary(a) = string(typeof(a))
__summary(a::AbstractArray) = summary(a)
__summary(t::Tuple) = string(__type_text(typeof(t)))
__summary(s::String) = isempty(s) ? "empty String" : string(ncodeunits(s), "-codeunit String")
show(io::IO, e::KeyError) = (print(io, "KeyError("); show(io, e.key); print(io, ")"))
for (T, fields) in ((:BoundsError, (:a, :i)), (:DomainError, (:val, :msg)), (:InexactError, (:func, :T, :val)), (:MethodError, (:f, :args, :msg)),
    (:TypeError, (:func, :context, :expected, :got, :msg)), (:StringIndexError, (:string, :index)))
    @eval function show(io::IO, e::$T)
        print(io, $(string(T)), "(")
        n = 0
        for name in $fields
            x = __field(e, name)
            x === nothing && continue
            n > 0 && print(io, ", ")
            show(io, x)
            n += 1
        end
        print(io, ")")
        return nothing
    end
end
__error_text(e) = sprint(showerror, e)
catch_backtrace() = Any[]
backtrace() = Any[]
showerror(io::IO, e, bt) = showerror(io, e)

# Lists the methods of a function: methods(f), hasmethod(f, Tuple{...}).
struct __MethodEntry
    text::String
    module_name::String
    file::String
    line::Int
    sig::Any
end
struct __MethodList
    f::Any
    entries::Vector{__MethodEntry}
end
getproperty(m::__MethodList, name::Symbol) = name === :mt ? (name=nameof(m.f),) : name === :ms ? m.entries : getfield(m, name)
__callee_name(f) = f isa Type ? __type_text(f) : __function_name(f)
methods(f) = __MethodList(f, __MethodEntry[__MethodEntry(m...) for m in __methods(f, __callee_name(f))])
hasmethod(f, types) = __has_method(f, __tuple_type(types))
__tuple_type(types) = types isa Type ? types : Tuple{types...}
function which(f, types)
    found = __which(f, __tuple_type(types), __callee_name(f))
    return found === nothing ? error("no unique matching method found for the specified argument types") : __MethodEntry(found...)
end
macro which(ex)
    ex isa Expr && ex.head === :call || throw(ArgumentError("@which takes a call"))
    return :(which($(esc(ex.args[1])), Tuple{map(typeof, ($(map(esc, ex.args[2:end])...),))...}))
end
function getproperty(m::__MethodEntry, name::Symbol)
    name === :module && return (s = Symbol.(split(getfield(m, :module_name), ".")); foldl(getfield, s[2:end]; init=Core.eval(Main, s[1])))
    name === :name && return Symbol(first(split(getfield(m, :text), "(")))
    return getfield(m, name)
end
length(m::__MethodList) = length(m.entries)
isempty(m::__MethodList) = isempty(m.entries)
iterate(m::__MethodList, i...) = iterate(m.entries, i...)
getindex(m::__MethodList, i::Integer) = m.entries[i]
show(io::IO, m::__MethodEntry) = print(io, m.text, " @ ", m.module_name, " ", m.file, ":", m.line)
show(io::IO, m::__MethodList) = __show_methods(io, m, length(m))
# The first `shown` methods.
function __show_methods(io, m, shown)
    n = length(m)
    print(io, "# ", n, " method", n == 1 ? "" : "s", " for ", m.f isa Type ? "type constructor" : string("generic function \"", __callee_name(m.f), "\""),
          n == 0 ? "" : string(" from ", m.entries[1].module_name), ":")
    for k in 1:shown
        e = m.entries[k]
        print(io, "\n", lpad(string("[", k, "]"), ndigits(n) + 3), " ", e.text, "\n", " "^(ndigits(n) + 4), "@ ", e.file, ":", e.line)
    end
    return nothing
end
