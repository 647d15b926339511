# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/arrays
# Arrays as Julia shows them: on one line, and at the prompt as rows.

# True for element types that the printed elements imply, so that no type stands before the bracket.
__is_plain_element(::Type{T}) where {T} = T === Float64 || T === Int || T === Char || T === String || T === Symbol || __is_only_value(T) || __is_plain_container(T)
__is_only_value(::Type{T}) where {T} = T === Nothing || T === Missing || T <: Function && isconcretetype(T) && fieldcount(T) == 0
__is_plain_container(::Type{T}) where {T} = false
__is_plain_container(::Type{<:Array{T}}) where {T} = __is_plain_element(T)
__is_plain_container(::Type{D}) where {K,V,D<:AbstractDict{K,V}} = isconcretetype(D) && __is_plain_element(K) && __is_plain_element(V)
__is_plain_container(::Type{T}) where {T<:Union{Tuple,NamedTuple,Pair}} = isconcretetype(T) && all(i -> __is_plain_element(fieldtype(T, i)), 1:fieldcount(T))
# Returns the type prefix of a collection, and true if its elements print their types themselves.
function __prefix_of(io, X)
    known = get(io, :typeinfo, Any)
    X isa known || (known = Any)
    of_context = known <: Union{AbstractArray,AbstractDict,AbstractSet} ? eltype(known) : nothing
    T = eltype(X)
    if X isa AbstractDict
        T === of_context && return (string(nameof(typeof(X))), false)
        isempty(X) || !(__is_plain_element(keytype(X)) && __is_plain_element(valtype(X))) || return (string(nameof(typeof(X))), true)
        return (__type_text(typeof(X)), false)
    end
    T === of_context && return ("", false)
    isempty(X) || !__is_plain_element(T) || return ("", true)
    return (__type_text(T), false)
end
function show(io::IO, A::AbstractArray)
    has_offset_axes(A) && return show(io, collect(A))
    N = ndims(A)
    N == 0 && return __show_zero_dims(io, A)
    N == 1 && return __show_vector(io, A)
    (prefix, is_plain) = __prefix_of(io, A)
    inner = is_plain ? io : IOContext(io, :typeinfo => eltype(A))
    if isempty(A)
        write(io, __type_text(Array{eltype(A),N}), "(undef, ", join(size(A), ", "), ")")
        return nothing
    end
    write(io, prefix, "[")
    __show_circular(io, A) && (write(io, "]"); return nothing)
    inner = IOContext(inner, :SHOWN_SET => A)
    if N == 2
        __show_rows(inner, A)
        write(io, size(A, 2) == 1 ? ";;]" : "]")
        return nothing
    end
    # Semicolons between slices: one more for each dimension that advances. After the last slice, as many as the
    # number of dimensions needs.
    outer = size(A)[3:end]
    before = nothing
    is_last_said = false
    for I in CartesianIndices(outer)
        if before !== nothing
            d = 2 + maximum(k for k in 1:N-2 if I[k] > before[k])
            d == N && (is_last_said = true)
            write(io, ";"^d, " ")
        end
        before = I
        __show_rows(inner, A[:, :, I.I...])
    end
    write(io, is_last_said ? "]" : string(";"^N, "]"))
    return nothing
end
function __show_zero_dims(io, A)
    if isassigned(A, 1)
        write(io, "fill(")
        show(io, A[1])
        write(io, ")")
    else
        write(io, __type_text(typeof(A)), "(undef)")
    end
    return nothing
end
# Prints the rows of a matrix on one line; in a limited context, two rows at each end.
function __show_rows(io, A)
    (m, n) = size(A)
    limit = get(io, :limit, false)
    rows = limit && m > 4 ? [1, 2, m - 1, m] : collect(1:m)
    columns = limit && n > 4 ? [1, 2, n - 1, n] : collect(1:n)
    for (r, i) in enumerate(rows)
        r == 3 && limit && m > 4 && write(io, "… ; ")
        for (c, j) in enumerate(columns)
            c > 1 && write(io, c == 3 && limit && n > 4 ? " … " : " ")
            __show_element(io, A, i + (j - 1) * m)
        end
        i < m && write(io, "; ")
    end
    return nothing
end
function __show_element(io, A, i)
    if isassigned(A, i)
        show(io, A[i])
    else
        write(io, "#undef")
    end
end
__shown(A) = A
# Prints a list in brackets, for any iterable with a length.
function __show_vector(io, A, open="[", close="]")
    (prefix, is_plain) = __prefix_of(io, A)
    write(io, prefix, open)
    if !__show_circular(io, __shown(A))
        inner = is_plain ? IOContext(io, :SHOWN_SET => __shown(A)) : IOContext(io, :SHOWN_SET => __shown(A), :typeinfo => eltype(A))
        n = length(A)
        if get(io, :limit, false) && n > 20
            __show_list(inner, A, 1, 10)
            write(io, "  …  ")
            __show_list(inner, A, n - 9, n)
        else
            __show_list(inner, A, 1, n)
        end
    end
    write(io, close)
    return nothing
end
function __show_list(io, A, from, to)
    for i in from:to
        i > from && write(io, ", ")
        __show_element(io, A, i)
    end
    return nothing
end
isassigned(A::AbstractArray, i::Integer) = 1 <= i <= length(A)
isassigned(A::Array, i::Integer) = 1 <= i <= length(A) && __is_assigned(A, Int(i))
__dims_text(A) = ndims(A) == 0 ? "0-dimensional " : ndims(A) == 1 ? string(length(A), "-element ") : string(join(size(A), "×"), " ")
# summary prints the type as Base.showarg does. For a wrapper, it prints the call that makes the wrapper.
summary(A::AbstractArray) = string(__dims_text(A), sprint(showarg, A, true), has_offset_axes(A) ? string(" with indices ", join(map(r -> string(first(r), ":", last(r)), axes(A)), "×")) : "")
showarg(io::IO, A, is_top) = print(io, is_top ? "" : "::", __type_text(typeof(A)))
function showarg(io::IO, A::Union{Adjoint,Transpose,SubArray,ReshapedArray,PermutedDimsArray}, is_top)
    print(io, __argument_text(A))
    is_top && print(io, " with eltype ", __type_text(eltype(A)))
    return nothing
end
__argument_text(A) = sprint(showarg, A, false)
__argument_text(A::Adjoint) = string("adjoint(", __argument_text(parent(A)), ")")
__argument_text(A::Transpose) = string("transpose(", __argument_text(parent(A)), ")")
__argument_text(A::SubArray) = string("view(", __argument_text(parent(A)), sprint((io, I) -> showindices(io, I...), A.indices), ")")
__argument_text(A::ReshapedArray) = string("reshape(", __argument_text(parent(A)), ", ", join(A.dims, ", "), ")")
__argument_text(A::PermutedDimsArray{T,N,perm}) where {T,N,perm} = string("PermutedDimsArray(", __argument_text(parent(A)), ", ", perm, ")")
showindices(io::IO) = nothing
showindices(io::IO, i, rest...) = (print(io, ", ", i isa Slice ? ":" : i); showindices(io, rest...))
summary(x) = string(typeof(x))
summary(io::IO, x) = print(io, summary(x))
function show(io::IO, ::MIME{Symbol("text/plain")}, A::AbstractArray)
    isempty(A) && (ndims(A) == 1 || get(io, :compact, false)) && return show(io, A)
    write(io, summary(A))
    isempty(A) && return nothing
    write(io, ":")
    __show_circular(io, A) && return nothing
    has_offset_axes(A) && (A = collect(A))
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
# Number of characters before and after the point by which a column is aligned, such as the decimal point.
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
    compact = haskey(io, :compact) ? get(io, :compact, false) : !is_vector && cols > 1
    inner = IOContext(io, :typeinfo => eltype(A), :compact => compact, :SHOWN_SET => A)
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
