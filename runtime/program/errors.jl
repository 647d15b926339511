# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What exceptions say, in Julia's words.
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
ErrorException(x) = ErrorException(string(x))
error(msg::String, rest...) = throw(ErrorException(string(msg, rest...)))
error(parts...) = throw(ErrorException(string(parts...)))
(::Type{T})(parts...) where {T<:Union{ArgumentError,DimensionMismatch,OverflowError,AssertionError}} = T(string(parts...))
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
    a === nothing && return nothing
    print(io, ": attempt to access ", __summary(a))
    i = __field(e, :i)
    i === nothing && return nothing
    print(io, " at index [")
    i isa Tuple ? join(io, map(x -> x isa Colon ? ":" : repr(x), i), ", ") : show(io, i)
    print(io, "]")
    return nothing
end
function showerror(io::IO, e::InexactError)
    if __field(e, :func) === nothing               # thrown by the library's conversions
        print(io, "InexactError: the type has no such value")
        return nothing
    end
    print(io, "InexactError: ", __field(e, :func), "(")
    T = __field(e, :T)
    T isa Type && string(__field(e, :func)) != string(T) && print(io, T, ", ")
    show(io, __field(e, :val))
    print(io, ")")
    return nothing
end
function showerror(io::IO, e::DomainError)
    print(io, "DomainError with ")
    show(io, __field(e, :val))
    msg = __field(e, :msg)
    print(io, ":", msg === nothing ? "" : string("\n", msg))
    return nothing
end
function showerror(io::IO, e::MethodError)
    f = __field(e, :f)
    if f === nothing
        print(io, "MethodError: ", __field(e, :msg))
        return nothing
    end
    print(io, "MethodError: no method matching ", f isa Type ? __type_text(f) : __function_name(f), "(")
    join(io, map(x -> x isa Type ? string("::Type{", __type_text(x), "}") : string("::", __type_text(typeof(x))), __field(e, :args)), ", ")
    print(io, ")")
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
showerror(io::IO, e::StringIndexError) = print(io, "StringIndexError: ", something(__field(e, :msg), "invalid index"))
showerror(io::IO, e::LoadError) = (print(io, "LoadError: "); showerror(io, e.error))
# Fields that exceptions of kernels have not are there where the host made one.
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
__summary(s::String) = string(ncodeunits(s), "-codeunit String")
show(io::IO, e::KeyError) = (print(io, "KeyError("); show(io, e.key); print(io, ")"))
for T in (:BoundsError, :DomainError, :InexactError, :MethodError, :TypeError)
    @eval function show(io::IO, e::$T)
        print(io, $(string(T)), "(")
        n = 0
        for name in (:a, :i, :val, :msg, :func, :T, :f, :args)
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
