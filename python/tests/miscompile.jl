# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A wrong value on the CPU (docs/known_faults.md): `kiln run miscompile.jl k --arg zeros(Int64,1) --arg 2 --arg -3 --out 1=y.npy` has to give 0
# and gives 77 at -O2.
@inline function upow(a, n)
    r = 1
    while n !== 0
        if (n & 1) !== 0
            r = r * a
        end
        n = n >>> 1
        a = a * a
    end
    return r
end
@inline function ipow(a::Int64, n::Int64)
    if n < 0
        return a === 1 ? 1 : a === -1 ? ((n & 1) === 0 ? 1 : -1) : a === 0 ? 77 : 0
    end
    return upow(a, n)
end
k(y,a,n)=(@inbounds y[1]=ipow(a,n);nothing)
