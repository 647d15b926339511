# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What a range says of itself and what a loop over it sees. Of ranges with more than 300 elements a loop sees the first 300.

function walk(r)
    count = 0
    total = 0
    last_seen = zero(eltype(r))
    for x in r
        count += 1
        total = total * 31 + (x % Int)
        last_seen = x
        count == 300 && break
    end
    return (count, total, last_seen)
end
function describe(o, i, r, v, index)
    k = put_all(o, 1, i, length(r), first(r), last(r), step(r), isempty(r), sum(r), walk(r), v in r, eltype(r) === typeof(first(r)))
    if !isempty(r)
        k = put_all(o, k, i, minimum(r), maximum(r), extrema(r), r[1], r[index], first(reverse(r)), last(reverse(r)))
    end
    return
end
function unit_ranges(o, a, b, c, d, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    describe(o, i, from_words(T, a, i):from_words(T, b, i), from_words(T, c, i), from_words(Int, d, i))
    return
end
function step_ranges(o, a, b, c, d, e, ::Type{T}, ::Type{S}) where {T,S}
    i = case_number()
    i <= size(a, 2) || return
    describe(o, i, from_words(T, a, i):from_words(S, e, i):from_words(T, b, i), from_words(T, c, i), from_words(Int, d, i))
    return
end
function one_to(o, a, c, d, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    describe(o, i, Base.OneTo(from_words(T, a, i)), from_words(T, c, i), from_words(Int, d, i))
    return
end
function outside(o, a, b, d, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    r = from_words(T, a, i):from_words(T, b, i)
    o[1, 1, 1] = r[from_words(Int, d, i)] % Int
    @cuprintln("alive ", Int32(i))
    return
end
function nothing_there(o, a, b, d, ::Type{T}) where {T}
    i = case_number()
    i <= size(a, 2) || return
    r = from_words(T, a, i):from_words(T, b, i)
    w = d[1, i]
    o[1, 1, 1] = (w == 0 ? minimum(r) : w == 1 ? maximum(r) : w == 2 ? extrema(r)[1] : w == 3 ? argmax(r) % T : first(from_words(T, a, i):zero(T):from_words(T, b, i))) % Int
    @cuprintln("alive ", Int32(i))
    return
end
