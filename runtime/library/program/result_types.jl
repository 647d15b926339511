# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/sets
# Result types of functions that only the interpreter has, as Julia infers them. Inference reads __declared_result where it
# finds no type of its own (Inference::declared_result). Empty results of dotted calls read __given_by, where an argument
# may be an array of the values.

__declared_result(f, args...) = __given_by(f, args...)
__declared_result(::typeof(Core.kwcall), keywords, f, args...) = __declared_result(f, args...)
__declared_result(::typeof(vect), ::T...) where {T} = Vector{T}
__declared_result(::typeof(vcat), ::Vector{T}, ::Vector{T}...) where {T} = Vector{T}
__declared_result(::typeof(hcat), ::Vector{T}, ::Vector{T}...) where {T} = Matrix{T}
__declared_result(::Union{typeof(sort),typeof(unique)}, ::Array{T,N}, args...) where {T,N} = Array{T,N}
__declared_result(::typeof(cumsum), ::Array{T,N}) where {T<:Union{Int,AbstractFloat},N} = Array{T,N}
__declared_result(::typeof(sortperm), ::Vector, args...) = Vector{Int}

# The element type that inference finds; if that is Any, the declared one.
__or_given_by(T, f, args...) = T === Any ? __given_by(f, args...) : T
__given_by(f, args...) = Any
__given_by(::Type{T}, args...) where {T} = T
__given_by(::Constructs{T}, args...) where {T} = T
__given_by(::Type{Dict}, ::Pair{K,V}...) where {K,V} = Dict{K,V}
__given_by(::Type{Set}, ::AbstractVector{T}) where {T} = Set{T}
__given_by(b::Broadcasted) = __given_by(b.f, b.args...)
__given_by(::Union{typeof(println),typeof(print)}, args...) = Nothing
__given_by(::typeof(hash), args...) = UInt

# Texts.
const __GivesString = Union{typeof(string),typeof(lowercase),typeof(uppercase),typeof(titlecase),typeof(repr),typeof(join),typeof(lpad),typeof(rpad),
    typeof(replace),typeof(repeat),typeof(joinpath),typeof(readline),typeof(basename),typeof(dirname),typeof(abspath)}
const __GivesBool = Union{typeof(occursin),typeof(contains),typeof(startswith),typeof(endswith),typeof(isfile),typeof(isdir),typeof(ispath),typeof(haskey)}
__given_by(::__GivesString, args...) = String
__given_by(::Union{typeof(reverse),typeof(escape_string),typeof(uppercasefirst),typeof(lowercasefirst)}, ::AbstractString) = String
__given_by(::Union{typeof(first),typeof(last)}, ::AbstractString, ::Integer) = String
__given_by(::typeof(^), ::AbstractString, ::Integer) = String
__given_by(::typeof(getindex), ::AbstractString, ::AbstractUnitRange) = String
__given_by(::typeof(read), ::AbstractString, ::Type{String}) = String
__given_by(::typeof(readlines), args...) = Vector{String}
__given_by(::Union{typeof(length),typeof(ncodeunits)}, args...) = Int
__given_by(::__GivesBool, args...) = Bool
__given_by(::Union{typeof(strip),typeof(lstrip),typeof(rstrip),typeof(chomp),typeof(chop)}, ::Union{String,SubString{String}}, args...) = SubString{String}
__given_by(::Union{typeof(split),typeof(rsplit)}, ::Union{String,SubString{String}}, args...) = Vector{SubString{String}}
__given_by(::typeof(collect), ::AbstractString) = Vector{Char}
__given_by(::typeof(parse), ::Union{Type{T},OfType{T},Base.RefValue{Type{T}}}, args...) where {T} = T
__given_by(::typeof(tryparse), ::Type{T}, args...) where {T} = Union{T,Nothing}
__given_by(::Union{typeof(findfirst),typeof(findlast)}, ::Union{Char,Function}, ::AbstractString) = Union{Int,Nothing}
__given_by(::Union{typeof(findfirst),typeof(findlast)}, ::AbstractString, ::AbstractString) = Union{UnitRange{Int},Nothing}
__given_by(::typeof(match), ::Regex, ::AbstractString) = Union{RegexMatch{String},Nothing}

# Collections.
__given_by(::typeof(getindex), ::AbstractDict{K,V}, key) where {K,V} = V
__given_by(::typeof(get), ::AbstractDict{K,V}, key, ::D) where {K,V,D} = Union{V,D}
__given_by(::typeof(in), item, ::Union{AbstractSet,AbstractDict}) = Bool
