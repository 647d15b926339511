# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Arrays as Julia shows them: on one line, and at the prompt in rows.
__is_plain_element(::Type{T}) where {T} = T === Float64 || T === Int || T === Char || T === String || T === Symbol || T === Nothing || T === Missing ||
                                            __is_plain_container(T)
__is_plain_container(::Type{T}) where {T} = false
__is_plain_container(::Type{<:Array{T}}) where {T} = __is_plain_element(T)
__is_plain_container(::Type{Pair{A,B}}) where {A,B} = __is_plain_element(A) && __is_plain_element(B)
__is_plain_container(::Type{T}) where {T<:Tuple} = isconcretetype(T) && all(i -> __is_plain_element(fieldtype(T, i)), 1:fieldcount(T))
function show(io::IO, A::AbstractArray)
    T = eltype(A)
    known = get(io, :typeinfo, nothing) === T
    if ndims(A) == 1
        (isempty(A) || !(known || __is_plain_element(T))) && write(io, __type_text(T))
    elseif isempty(A)
        write(io, __type_text(Array{T,ndims(A)}), "(undef, ", join(size(A), ", "), ")")
        return nothing
    elseif !(known || __is_plain_element(T))
        write(io, __type_text(T))
    end
    inner = IOContext(io, :typeinfo => T)
    write(io, "[")
    if ndims(A) == 1
        __show_row(inner, A, ", ")
    else
        for k in 1:prod(size(A)[3:end])
            k > 1 && write(io, ";;;", " ")
            for i in 1:size(A, 1)
                i > 1 && write(io, "; ")
                for j in 1:size(A, 2)
                    j > 1 && write(io, " ")
                    __show_element(inner, A, i + (j - 1) * size(A, 1) + (k - 1) * size(A, 1) * size(A, 2))
                end
            end
        end
        ndims(A) == 2 && size(A, 2) == 1 && write(io, ";;")
    end
    write(io, "]")
    return nothing
end
function __show_element(io, A, i)
    if isassigned(A, i)
        show(io, A[i])
    else
        write(io, "#undef")
    end
end
function __show_row(io, A, between)
    n = length(A)
    if get(io, :limit, false) && n > 20
        for i in 1:10
            i > 1 && write(io, between)
            show(io, A[i])
        end
        write(io, between, "…", between[1:1] == "," ? "  " : " ")
        for i in n-9:n
            i > n - 9 && write(io, between)
            show(io, A[i])
        end
        return nothing
    end
    for i in 1:n
        i > 1 && write(io, between)
        __show_element(io, A, i)
    end
    return nothing
end
isassigned(A::Array, i::Integer) = 1 <= i <= length(A) && __is_assigned(A, Int(i))
__dims_text(A) = ndims(A) == 0 ? "0-dimensional " : ndims(A) == 1 ? string(length(A), "-element ") : string(join(size(A), "×"), " ")
# Base.showarg: the type, of a wrapper what it was made by.
summary(A::AbstractArray) = string(__dims_text(A), __type_text(typeof(A)))
summary(A::Union{Adjoint,Transpose,SubArray,ReshapedArray,PermutedDimsArray}) = string(__dims_text(A), __argument_text(A), " with eltype ", __type_text(eltype(A)))
__argument_text(A) = string("::", __type_text(typeof(A)))
__argument_text(A::Adjoint) = string("adjoint(", __argument_text(parent(A)), ")")
__argument_text(A::Transpose) = string("transpose(", __argument_text(parent(A)), ")")
__argument_text(A::SubArray) = string("view(", __argument_text(parent(A)), ", ", join(map(__index_text, A.indices), ", "), ")")
__argument_text(A::ReshapedArray) = string("reshape(", __argument_text(parent(A)), ", ", join(A.dims, ", "), ")")
__argument_text(A::PermutedDimsArray{T,N,perm}) where {T,N,perm} = string("PermutedDimsArray(", __argument_text(parent(A)), ", ", perm, ")")
__index_text(i) = string(i)
__index_text(i::OneTo) = ":"
summary(x) = string(typeof(x))
summary(io::IO, x) = print(io, summary(x))
function show(io::IO, ::MIME{Symbol("text/plain")}, A::AbstractArray)
    write(io, summary(A))
    isempty(A) && return nothing
    write(io, ":")
    if ndims(A) <= 2
        __show_grid(io, A, ndims(A) == 1)
        return nothing
    end
    for I in CartesianIndices(size(A)[3:end])
        write(io, "\n[:, :, ", join(I.I, ", "), "] =")
        __show_grid(io, A[:, :, I.I...], false)
        I.I == size(A)[3:end] || write(io, "\n")
    end
    return nothing
end
# What stands before the point, and behind it, for columns of one alignment.
function __align_place(s, x)
    x isa AbstractFloat && return (i = findfirst('.', s); i === nothing ? ncodeunits(s) : i - 1)
    x isa Rational && return first(findfirst("//", s)) - 1
    x isa Complex && return (i = findlast(' ', s); i === nothing ? length(s) : i)
    x isa Pair && return first(findfirst("=>", s)) - 1
    return x isa Number ? length(s) : 0
end
__is_structural_zero(A, i, j) = false
__mark_instead(n) = string(__padding(" ", cld(n, 2) - 1), "⋅", __padding(" ", n - cld(n, 2)))
function __show_grid(io, A, is_vector)
    (rows, cols) = (size(A, 1), size(A, 2))
    inner = IOContext(io, :typeinfo => eltype(A), :compact => is_vector ? get(io, :compact, false) : true)
    limit = get(io, :limit, false)
    shown = limit && rows > 20 ? vcat(1:10, (rows-9):rows) : collect(1:rows)
    gap = limit && rows > 20
    columns = limit && cols > 20 ? vcat(1:10, (cols-9):cols) : collect(1:cols)
    texts = String[]
    lefts = Int[]
    widths = Int[]
    for j in columns
        left = 0
        right = 0
        for i in shown
            k = i + (j - 1) * rows
            s = isassigned(A, k) ? sprint(show, A[k]; context=inner) : "#undef"
            at = isassigned(A, k) ? __align_place(s, A[k]) : 0
            __is_structural_zero(A, i, j) && (s = __mark_instead(length(s)))
            push!(texts, s)
            push!(lefts, at)
            left = max(left, at)
            right = max(right, length(s) - at)
        end
        push!(widths, left)
        push!(widths, right)
    end
    n = length(shown)
    for (r, i) in enumerate(shown)
        write(io, "\n")
        for c in 1:length(columns)
            s = texts[(c-1)*n+r]
            at = lefts[(c-1)*n+r]
            write(io, c == 1 ? " " : "  ", __padding(" ", widths[2c-1] - at), s)
            cols > 20 && limit && c == 10 && write(io, "  …")
            c == length(columns) || write(io, __padding(" ", widths[2c] - (length(s) - at)))
        end
        if gap && r == 10
            write(io, "\n")
            for c in 1:length(columns)
                write(io, c == 1 ? " " : "  ", c == length(columns) ? "⋮" : rpad("⋮", widths[2c-1] + widths[2c]))
            end
        end
    end
    return nothing
end
show(io::IO, r::Union{AbstractUnitRange,OrdinalRange}, ::Nothing) = nothing
