module StaticArrays
export answer
answer() = 7
only_here() = 11
@generated function trace_of(t::Tuple)
    names = [:(t[$(3 * (j - 1) + i)]) for i in 1:3, j in 1:3]
    lower = names[2:3, 2:3]
    first_row = names[1, :]
    return :($(first_row[1]) + $(lower[1, 1]) + $(lower[2, 2]) + 100 * $(first_row[3]))
end
end
