# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/io
# print and show as in Julia: print for readers, show as Julia code, three-argument show for the prompt.
show(x) = show(stdout, x)
show(io::IO, ::Nothing) = (write(io, "nothing"); nothing)
show(io::IO, ::Missing) = (write(io, "missing"); nothing)
show(io::IO, x::Bool) = (write(io, __is_known(io, Bool) ? (x ? "1" : "0") : (x ? "true" : "false")); nothing)
show(io::IO, x::Number) = (write(io, __literal(x)); nothing)
function show(io::IO, x::AbstractFloat)
    compact = get(io, :compact, false)
    write(io, __float_text(x, !compact && !__is_known(io, typeof(x)), compact, false))
    return nothing
end
# True if the print context already states type T, so that show omits the type. A Union with Nothing or Missing states
# it too.
function __is_known(io, ::Type{T}) where {T}
    K = get(io, :typeinfo, Any)
    return K === T || K === Union{T,Nothing} || K === Union{T,Missing} || K === Union{T,Nothing,Missing}
end
# The print context lists the collections that are being shown. A collection that contains itself prints the nesting
# distance.
function __show_circular(io, x)
    d = __shown_at(__properties(io), x)
    d == 0 || write(io, string("#= circular reference @-", d, " =#"))
    return d != 0
end
show(io::IO, x::Union{String,Symbol,Char,Module,Expr}) = (write(io, __literal(x)); nothing)
show(io::IO, T::Type) = (write(io, __type_text_in(io, T)); nothing)
# The module of a type's name is printed unless the context is compact, or its module (Main by default) sees the name.
__type_text_in(io, T) = __shown_type(T, get(io, :compact, false) === true, get(io, :module, nothing))
# An anonymous function prints its type and the variables that it captures.
function show(io::IO, f::Function)
    name = __function_name(f)
    startswith(name, "#") && !get(io, :compact, false) || (write(io, name); return nothing)
    captured = ntuple(k -> getfield(f, k), nfields(f))
    print(io, "var\"", name, "\"")
    isempty(captured) || print(io, "{", join(map(typeof, captured), ", "), "}")
    print(io, "(")
    for (k, x) in enumerate(captured)
        k == 1 || print(io, ", ")
        show(io, x)
    end
    print(io, ")")
    return nothing
end
show(io::IO, x::Irrational) = (write(io, __irrational_text(x)); nothing)
__irrational_text(x::Irrational{S}) where {S} = string(S)
show(io::IO, x::Rational) = (show(io, x.num); write(io, "//"); show(io, x.den); nothing)
function show(io::IO, z::Complex)
    (re, i) = reim(z)
    compact = get(io, :compact, false)
    show(io, re)
    if signbit(i) && !isnan(i)
        write(io, compact ? "-" : " - ")
        i isa Signed && i == typemin(typeof(i)) ? write(io, string(unsigned(i))) : show(io, -i)
    else
        write(io, compact ? "+" : " + ")
        show(io, i)
    end
    i isa Integer && !(i isa Bool) || i isa AbstractFloat && isfinite(i) || write(io, "*")
    write(io, "im")
    return nothing
end
show(io::IO, z::Complex{Bool}) = (write(io, z === im ? "im" : string("Complex(", z.re, ",", z.im, ")")); nothing)
function show(io::IO, t::Tuple)
    n = nfields(t)
    write(io, "(")
    if t isa Tuple{Vararg{__Leaf}} || !__show_circular(io, t)
        known = get(io, :typeinfo, Any)
        has_fields = known isa DataType && known <: Tuple && t isa known
        for i in 1:n
            i > 1 && write(io, ", ")
            x = getfield(t, i)
            x isa __Leaf ? show(io, x) : show(IOContext(io, :SHOWN_SET => t, :typeinfo => has_fields ? fieldtype(known, i) : known), x)
        end
        n == 1 && write(io, ",")
    end
    write(io, ")")
    return nothing
end
# Types whose values print the same in every context.
const __Leaf = Union{Signed,Float64,String,Char,Symbol,Nothing,Missing}
Symbol(x::Enum) = Base.member_names(typeof(x))[findfirst(m -> m === x, Base.instances(typeof(x)))]
print(io::IO, x::Enum) = print(io, Symbol(x))
function show(io::IO, x::Enum)
    (name, from) = (Symbol(x), get(io, :module, Main))
    is_seen = get(io, :compact, false) || isdefined(from, name) && getfield(from, name) === x
    return is_seen ? print(io, name) : print(io, __module_of(typeof(x)), ".", name)
end
show(io::IO, ::MIME{Symbol("text/plain")}, x::Enum) = print(io, Symbol(x), "::", __shown_type(typeof(x), true, nothing), " = ", x.value)
function show(io::IO, t::NamedTuple)
    n = nfields(t)
    if !all(i -> __is_of(getfield(t, i), fieldtype(typeof(t), i)), 1:n) # for abstract fields
        write(io, __type_text_in(io, typeof(t)))
        return show(io, Tuple(t))
    end
    n == 0 && (write(io, "NamedTuple()"); return nothing)
    write(io, "(")
    names = keys(t)
    known = get(io, :typeinfo, Any)
    has_fields = known isa DataType && known <: NamedTuple && t isa known
    for i in 1:n
        i > 1 && write(io, ", ")
        write(io, __identifier_text(names[i]), " = ")
        x = getfield(t, i)
        x isa __Leaf ? show(io, x) : show(IOContext(io, :typeinfo => has_fields ? fieldtype(known, i) : Any), x)
    end
    write(io, n == 1 ? ",)" : ")")
    return nothing
end
function show(io::IO, p::Pair{A,B}) where {A,B}
    if __is_delimited(io, p)
        write(io, __type_text_in(io, typeof(p)))
        return show(io, (p.first, p.second))
    end
    known = get(io, :typeinfo, Any)
    has_fields = known isa DataType && known <: Pair && p isa known
    __show_side(io, has_fields ? fieldtype(known, 1) : Any, p.first)
    write(io, get(io, :compact, false) ? "=>" : " => ")
    __show_side(io, has_fields ? fieldtype(known, 2) : Any, p.second)
    return nothing
end
__is_delimited(io, x) = true
__is_of(x, ::Type{T}) where {T} = typeof(x) === T || x isa Type
# True if show prints a pair with its type in place of a => b: the type is wider than those of the two sides.
__is_delimited(io, p::Pair{A,B}) where {A,B} = !(__is_of(p.first, A) && __is_of(p.second, B) || get(io, :typeinfo, Any) === typeof(p))
__is_delimited(io, f::Function) = __is_identifier(f)
__is_identifier(f) = (name = __function_name(f); isletter(first(name)) || startswith(name, "_") || startswith(name, "#"))
__show_side(io, known, x::__Leaf) = show(io, x)
function __show_side(io, known, x)
    inner = IOContext(io, :typeinfo => known)
    is_delimited = __is_delimited(inner, x)
    is_delimited || write(io, "(")
    show(inner, x)
    is_delimited || write(io, ")")
    return nothing
end
show(io::IO, v::Val{x}) where {x} = (write(io, "Val{"); show(io, x); write(io, "}()"); nothing)
show(io::IO, s::Some) = (write(io, "Some("); show(io, s.value); write(io, ")"); nothing)
show(io::IO, c::Colon) = (write(io, "Colon()"); nothing)
show(io::IO, r::AbstractUnitRange) = (write(io, repr(first(r)), ":", repr(last(r))); nothing)
show(io::IO, r::OneTo) = (write(io, "Base.OneTo(", repr(r.stop), ")"); nothing)
show(io::IO, r::AbstractRange) = (write(io, repr(first(r)), ":", repr(step(r)), ":", repr(last(r))); nothing)
show(io::IO, i::CartesianIndex) = (write(io, "CartesianIndex"); show(io, i.I); nothing)
# Other structs: T(field, field)
function show(io::IO, x)
    write(io, __type_text_in(io, typeof(x)), "(")
    n = __field_count(x)
    if n > 0 && !__show_circular(io, x)
        inner = IOContext(io, :SHOWN_SET => x, :typeinfo => Any)
        for i in 1:n
            i > 1 && write(io, ", ")
            if __is_set(x, i)
                show(inner, getfield(x, i))
            else
                write(io, "#undef")
            end
        end
    end
    write(io, ")")
    return nothing
end
__field_count(x) = nfields(x)

print(io::IO, x) = show(io, x)
print(io::IO, x::Union{String,Char,Symbol}) = (write(io, __plain(x)); nothing)
print(io::IO, f::Function) = (write(io, __function_name(f)); nothing)
print(io::IO, x::AbstractFloat) = (write(io, __float_text(x, false, get(io, :compact, false), true)); nothing)
print(io::IO, x::Unsigned) = (write(io, __plain(x)); nothing)
print(io::IO, x, y, rest...) = (print(io, x); print(io, y, rest...))
print(io::IO) = nothing
print(xs...) = print(stdout, xs...)
println(io::IO, xs...) = (print(io, xs...); write(io, "\n"); nothing)
println(xs...) = println(stdout, xs...)

print(io::IO, ex::Expr) = (write(io, __expr_text(ex, true)); nothing)
function show(io::IO, ex::Expr)
    text = __expr_text(ex, true)
    ex.head === :block ? write(io, "quote", chopprefix(text, "begin")) : write(io, ":(", text, ")")
    return nothing
end
print(io::IO, q::QuoteNode) = (write(io, q.value isa Symbol ? repr(q.value) : string("\$(QuoteNode(", repr(q.value), "))")); nothing)
show(io::IO, q::QuoteNode) = (write(io, ":("); print(io, q); write(io, ")"); nothing)
printstyled(io::IO, xs...; keywords...) = print(io, xs...)
printstyled(xs...; keywords...) = print(stdout, xs...)
# Texts of values.
function sprint(f, args...; context=nothing, sizehint=0)
    io = IOBuffer()
    f(__in_context(io, context), args...)
    return String(take!(io))::String
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

# @show prints the text of each expression and its value.
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
