# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Ranges of floats, walked and indexed.

function store_range(looped, indexed, r)
    k = 0
    for x in r
        k += 1
        looped[k] = x
    end
    looped[k+1] = length(r)
    for i in eachindex(r)
        indexed[i] = r[i]
    end
    return
end

function made_inside(o, a, s, b)
    for (k, x) in enumerate(a:s:b)
        o[k] = x
    end
    return
end
