# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Reductions of views of arrays and of tuples: each case is one column, of four numbers or fewer.

function extremes(o, k, i, v)
    return put_all(o, k, i, maximum(v), minimum(v), extrema(v), findmax(v), findmin(v), argmax(v), argmin(v))
end
function of_arrays(o, A, n, ::Type{T}) where {T}
    i = case_number()
    i <= size(A, 2) || return
    v = view(A, 1:Int(n[i]), i)
    k = put_all(o, 1, i, sum(v), prod(v), length(v), count(iszero, v), any(iszero, v), all(iszero, v), sum(abs, v), issorted(v))
    if !isempty(v)
        k = extremes(o, k, i, v)
        k = put_all(o, k, i, maximum(abs, v), minimum(abs, v), argmax(abs, (1, -1)), findmax(-, v), findmin(-, v), reduce(max, v), foldl(-, v))
    end
    return
end
function of_tuples(o, A, ::Type{T}) where {T}
    i = case_number()
    i <= size(A, 2) || return
    t = (A[1, i], A[2, i], A[3, i], A[4, i])
    k = extremes(o, 1, i, t)
    put_all(o, k, i, sum(t), prod(t), maximum(abs, t), findmax(-, t), min(t...), max(t...), minmax(t[1], t[2]))
    return
end
function empty_ones(o, A, c, ::Type{T}) where {T}
    i = case_number()
    i <= size(c, 1) || return
    v = view(A, 1:0, 1)
    w = c[i]
    o[1, 1, 1] = (w == 0 ? maximum(v) : w == 1 ? minimum(v) : w == 2 ? extrema(v)[1] : w == 3 ? findmax(v)[1] : w == 4 ? findmin(v)[1] : w == 5 ? T(argmax(v)) : w == 6 ? T(argmin(v)) : reduce(max, v)) != 1
    @cuprintln("alive ", Int32(i))
    return
end
