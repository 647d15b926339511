# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Macros that are written with what programs have: dictionaries, sets, texts, regular expressions.
module Tools

export @renamed, @power, @kind, @named, @fields_of, @matches

const names = Dict{Symbol,Symbol}(:plus => :+, :times => :*)
const powers = Dict{Int,Expr}()
for n in 1:4
    powers[n] = Expr(:call, :*, [:x for _ in 1:n]...)
end

renamed(x) = x
renamed(x::Symbol) = get(names, x, x)
renamed(x::Expr) = Expr(x.head, map(renamed, x.args)...)
macro renamed(ex)
    esc(renamed(ex))
end

macro power(n::Int)
    haskey(powers, n) || error("no power ", n)
    :(x -> $(powers[n]))
end

# Chosen by the types of the arguments; a default names the parameter before it.
macro kind(x::Symbol, text::String=string(x, "!"))
    :($(length(text)))
end
macro kind(x::Int, n::Int=2x)
    :($(x + n))
end
macro kind(x)
    Meta.isexpr(x, :call) ? 100 : x isa QuoteNode ? 200 + length(string(x.value)) : x isa Expr ? 300 : 400
end

macro named(ex)
    Meta.isexpr(ex, (:(=), :(:=))) || error("write name = value")
    key = QuoteNode(ex.args[1])
    :(NamedTuple{($key,)}(($(esc(ex.args[2])),)))
end

function symbols!(found::Set{Symbol}, ex)
    ex isa Symbol && push!(found, ex)
    ex isa Expr && foreach(x -> symbols!(found, x), ex.args)
    found
end
macro fields_of(ex)
    length(symbols!(Set{Symbol}(), ex))
end

macro matches(text)
    m = match(r"^([a-z]+)_(\d+)$", text)
    m === nothing ? 0 : parse(Int, m[2])
end
end
