# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Powers of floats by integers: exponents of a run, of every type, and constant ones.

function powers(o, a, b, ::Type{S}, ::Type{T}) where {S,T}
    i = case_number()
    i <= size(a, 2) || return
    put_at(o, 1, i, from_words(S, a, i)^from_words(T, b, i))
    return
end
function constants(o, a, ::Type{S}) where {S}
    i = case_number()
    i <= size(a, 2) || return
    x = from_words(S, a, i)
    k = put_all(o, 1, i, x^0, x^1, x^2, x^3, x^4, x^5, x^6, x^7, x^10, x^12, x^31, x^64, x^100)
    k = put_all(o, k, i, x^-1, x^-2, x^-3, x^-4, x^-5, x^-8, x^-13, x^-63, x^-64, x^-200, x^true)
    return
end
