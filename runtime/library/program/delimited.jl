# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; when: DelimitedFiles
# DelimitedFiles: reads and writes tables in text files.
module DelimitedFiles
# Splits a line into cells. A cell in quotes may contain separators and line ends.
function __cells(line, delim, quotes)
    delim === nothing && return split(line)
    (quotes && occursin('"', line)) || return split(line, delim)
    cells = String[]
    cell = IOBuffer()
    within = false
    i = 1
    while i <= ncodeunits(line)
        c = line[i]
        next = nextind(line, i)
        if c == '"'
            if within && next <= ncodeunits(line) && line[next] == '"'
                print(cell, '"')
                next += 1
            else
                within = !within
            end
        elseif c == delim && !within
            push!(cells, String(take!(cell)))
        else
            print(cell, c)
        end
        i = next
    end
    return push!(cells, String(take!(cell)))
end
function __number(s)
    n = tryparse(Int, s)
    n === nothing || return Float64(n)
    return tryparse(Float64, s)
end
__value(::Type{Any}, s) = (x = __number(s); x === nothing ? s : x)
__value(::Type{String}, s) = String(s)
__value(::Type{T}, s) where {T<:AbstractString} = String(s)

readdlm(source; kw...) = __read(source, nothing, nothing; kw...)
readdlm(source, delim::AbstractChar; kw...) = __read(source, delim, nothing; kw...)
readdlm(source, T::Type; kw...) = __read(source, nothing, T; kw...)
readdlm(source, delim::AbstractChar, T::Type; kw...) = __read(source, delim, T; kw...)
readdlm(source, delim::AbstractChar, eol::AbstractChar; kw...) = __read(source, delim, nothing; kw...)
readdlm(source, delim::AbstractChar, T::Type, eol::AbstractChar; kw...) = __read(source, delim, T; kw...)
function __read(source, delim, T; header::Bool=false, skipstart::Integer=0, skipblanks::Bool=true, quotes::Bool=true, comments::Bool=false, comment_char::Char='#', use_mmap=false, dims=nothing)
    text = source isa AbstractString ? read(String(source), String) : read(source, String)
    lines = [endswith(l, '\r') ? chop(l) : l for l in split(text, '\n')]
    isempty(lines[end]) && pop!(lines)
    lines = lines[skipstart+1:end]
    comments && (lines = [(i = findfirst(comment_char, l); i === nothing ? l : SubString(l, 1, prevind(l, i))) for l in lines])
    skipblanks && (lines = filter(l -> !isempty(strip(l)), lines))
    rows = [__cells(l, delim, quotes) for l in lines]
    names = nothing
    header && (names = popfirst!(rows))
    columns = isempty(rows) ? 0 : maximum(length, rows)
    if T === nothing # no T: Float64 if all cells are numbers; else Any, in which other cells stay strings
        numbers = [j <= length(r) ? __number(r[j]) : nothing for r in rows, j in 1:columns]
        data = all(x -> x !== nothing, numbers) ? Float64[x for x in numbers] : Any[j <= length(r) ? __value(Any, r[j]) : "" for r in rows, j in 1:columns]
    else
        data = Matrix{T}(undef, length(rows), columns)
        for (i, r) in enumerate(rows), j in 1:columns
            j <= length(r) || throw(ArgumentError(string("row ", i, " has fewer columns than others")))
            x = T <: AbstractString || T === Any ? __value(T, r[j]) : tryparse(T, r[j])
            x === nothing && error("at row ", i, ", column ", j, " : ErrorException(\"file entry \\\"", r[j], "\\\" cannot be converted to ", T, "\")")
            data[i, j] = x
        end
    end
    return header ? (data, permutedims(AbstractString[strip(n) for n in names])) : data
end
__cell(io, x, delim, quotes) = print(io, x)
function __cell(io, x::AbstractString, delim, quotes)
    if quotes && (occursin(delim, x) || occursin('"', x) || occursin('\n', x))
        print(io, '"', replace(x, "\"" => "\"\""), '"')
    else
        print(io, x)
    end
end
writedlm(path::AbstractString, A, delim='\t'; quotes::Bool=true) = open(io -> writedlm(io, A, delim; quotes=quotes), String(path), "w")
function writedlm(io::IO, A, delim='\t'; quotes::Bool=true)
    if A isa AbstractMatrix
        for i in 1:size(A, 1)
            __row(io, [A[i, j] for j in 1:size(A, 2)], delim, quotes)
        end
    else
        for row in A
            __row(io, row isa Union{AbstractString,Number,Symbol,Char} ? (row,) : row, delim, quotes)
        end
    end
    return nothing
end
function __row(io, row, delim, quotes)
    for (j, x) in enumerate(row)
        j > 1 && print(io, delim)
        __cell(io, x, delim, quotes)
    end
    print(io, '\n')
    return nothing
end
writecsv(path, A) = writedlm(path, A, ',')
export readdlm, writedlm
end
