# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# print and show, as Julia's: print is for people, show for Julia, the three-argument form for the prompt.
show(x) = show(stdout, x)
show(io::IO, ::Nothing) = (write(io, "nothing"); nothing)
show(io::IO, ::Missing) = (write(io, "missing"); nothing)
show(io::IO, x::Bool) = (write(io, get(io, :typeinfo, Any) === Bool ? (x ? "1" : "0") : (x ? "true" : "false")); nothing)
show(io::IO, x::Number) = (write(io, __literal(x)); nothing)
show(io::IO, x::AbstractFloat) = (write(io, __float_text(x, get(io, :compact, false), get(io, :typeinfo, Any) === typeof(x))); nothing)
show(io::IO, x::Union{String,Symbol,Char,Module,Expr}) = (write(io, __literal(x)); nothing)
show(io::IO, T::Type) = (write(io, __type_text(T)); nothing)
show(io::IO, f::Function) = (write(io, __function_name(f)); nothing)
show(io::IO, x::Irrational) = (write(io, __irrational_text(x)); nothing)
__irrational_text(x::Irrational{S}) where {S} = string(S)
show(io::IO, x::Rational) = (__show_part(io, x.num); write(io, "//"); __show_part(io, x.den); nothing)
__show_part(io, x) = print(io, x)
function show(io::IO, z::Complex)
    re = real(z)
    i = imag(z)
    compact = get(io, :compact, false)
    inner = IOContext(io, :typeinfo => typeof(re))
    if re isa Bool
        write(io, "Complex(", re ? "true" : "false", ",", i ? "true" : "false", ")")
        return nothing
    end
    show(inner, re)
    if __is_negative(i)
        print(io, compact ? "-" : " - ")
        show(inner, -i)
    else
        print(io, compact ? "+" : " + ")
        show(inner, i)
    end
    if !(i isa Integer && !(i isa Bool)) && !(i isa AbstractFloat && isfinite(i))
        write(io, "*")
    end
    write(io, "im")
    return nothing
end
__is_negative(x::AbstractFloat) = signbit(x)
__is_negative(x) = x < 0
function show(io::IO, t::Tuple)
    n = nfields(t)
    write(io, "(")
    for i in 1:n
        i > 1 && write(io, ", ")
        show(io, getfield(t, i))
    end
    write(io, n == 1 ? ",)" : ")")
    return nothing
end
Symbol(x::Enum) = Base.member_names(typeof(x))[findfirst(m -> m === x, Base.instances(typeof(x)))]
show(io::IO, x::Enum) = print(io, Symbol(x))
show(io::IO, ::MIME{Symbol("text/plain")}, x::Enum) = print(io, Symbol(x), "::", __type_text(typeof(x)), " = ", x.value)
function show(io::IO, t::NamedTuple)
    n = nfields(t)
    n == 0 && (write(io, "NamedTuple()"); return nothing)
    write(io, "(")
    names = keys(t)
    for i in 1:n
        i > 1 && write(io, ", ")
        write(io, __identifier_text(names[i]), " = ")
        show(io, getfield(t, i))
    end
    write(io, n == 1 ? ",)" : ")")
    return nothing
end
function show(io::IO, p::Pair)
    __show_side(io, p.first)
    write(io, get(io, :compact, false) ? "=>" : " => ")
    __show_side(io, p.second)
    return nothing
end
__show_side(io, x) = show(io, x)
__show_side(io, p::Pair) = (write(io, "("); show(io, p); write(io, ")"); nothing)
show(io::IO, v::Val{x}) where {x} = (write(io, "Val{"); show(io, x); write(io, "}()"); nothing)
show(io::IO, r::RefValue) = (write(io, "Base.RefValue{", __type_text(typeof(r.x)), "}("); show(io, r.x); write(io, ")"); nothing)
show(io::IO, s::Some) = (write(io, "Some("); show(io, s.value); write(io, ")"); nothing)
show(io::IO, c::Colon) = (write(io, "Colon()"); nothing)
show(io::IO, r::AbstractUnitRange) = (show(io, first(r)); write(io, ":"); show(io, last(r)); nothing)
show(io::IO, r::OneTo) = (write(io, "Base.OneTo("); show(io, r.stop); write(io, ")"); nothing)
show(io::IO, r::AbstractRange) = (show(io, first(r)); write(io, ":"); show(io, step(r)); write(io, ":"); show(io, last(r)); nothing)
show(io::IO, i::CartesianIndex) = (write(io, "CartesianIndex"); show(io, i.I); nothing)
# Any other struct: T(field, field)
function show(io::IO, x)
    T = typeof(x)
    write(io, __type_text(T), "(")
    n = __field_count(x)
    for i in 1:n
        i > 1 && write(io, ", ")
        if __is_set(x, i)
            show(io, getfield(x, i))
        else
            write(io, "#undef")
        end
    end
    write(io, ")")
    return nothing
end
__field_count(x) = nfields(x)

print(io::IO, x) = show(io, x)
print(io::IO, x::Union{String,Char,Symbol}) = (write(io, __plain(x)); nothing)
print(io::IO, x::AbstractFloat) = (write(io, __float_text(x, get(io, :compact, false), true)); nothing)
print(io::IO, x::Unsigned) = (write(io, __plain(x)); nothing)
print(io::IO, x, y, rest...) = (print(io, x); print(io, y, rest...))
print(io::IO) = nothing
print(xs...) = print(stdout, xs...)
println(io::IO, xs...) = (print(io, xs...); write(io, "\n"); nothing)
println(xs...) = println(stdout, xs...)

print(io::IO, ex::Expr) = (write(io, __expr_text(ex)); nothing)
show(io::IO, ex::Expr) = (write(io, ":(", __expr_text(ex), ")"); nothing)
printstyled(io::IO, xs...; keywords...) = print(io, xs...)
printstyled(xs...; keywords...) = print(stdout, xs...)
# Texts of values.
function sprint(f, args...; context=nothing, sizehint=0)
    io = IOBuffer()
    f(__in_context(io, context), args...)
    return String(take!(io))
end
__in_context(io, ::Nothing) = io
__in_context(io, p::Pair) = IOContext(io, p)
__in_context(io, c::IO) = IOContext(io, c)
__in_context(io, ps::Tuple) = IOContext(io, ps...)
repr(x; context=nothing) = sprint(show, x; context=context)
repr(mime, x; context=nothing) = sprint(show, mime, x; context=context)
__to_string(x) = (io = IOBuffer(); print(io, x); String(take!(io)))

struct MIME{S} end
MIME(s::String) = MIME{Symbol(s)}()
macro MIME_str(s)
    :(MIME{Symbol($s)})
end
const __plain_text = MIME{Symbol("text/plain")}()
show(io::IO, m::MIME{S}) where {S} = (write(io, "MIME type ", string(S)); nothing)
show(io::IO, ::MIME, x) = show(io, x)
show(io::IO, mime::String, x) = show(io, MIME(mime), x)
function display(x)
    show(IOContext(stdout, :limit => true), __plain_text, x)
    write(stdout, "\n")
    return nothing
end
display(::MIME, x) = display(x)
__display_text(x) = sprint(show, __plain_text, x; context=:limit => true)
showable(mime, x) = true

function show(io::IO, ::MIME{Symbol("text/plain")}, f::Function)
    if __is_closure_or_operator(f)
        show(io, f)
        write(io, startswith(string(f), "@") ? " (macro with " : " (generic function with ", __method_count_text(f), ")")
    else
        show(io, f)
    end
    return nothing
end
show(io::IO, ::MIME{Symbol("text/plain")}, c::Char) = (show(io, c); write(io, __char_about(c)); nothing)
function show(io::IO, ::MIME{Symbol("text/plain")}, r::AbstractRange)
    show(io, r)
    return nothing
end

# @show: the text of each expression and its value.
function __show_value(text::String, x)
    write(stdout, text, " = ")
    show(IOContext(stdout, :limit => true), x)
    write(stdout, "\n")
    return x
end
macro show(exs...)
    blk = Expr(:block)
    for ex in exs
        push!(blk.args, :(Base.__show_value($(__expr_text(ex)), $(esc(ex)))))
    end
    return blk
end
