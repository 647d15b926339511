# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over the sources of Accessors, ConstructionBase, MuladdMacro and StructArrays.
using Accessors, ConstructionBase, MuladdMacro, StructArrays

struct Point
    a::Float64
    b::Tuple{Float64,Float64}
    n::Int
end

function lenses(y, x)
    p = Point(x[1], (x[2], x[3]), 4)
    q = @set p.a = x[4]
    r = @set q.b[2] = 2x[5]
    r = @reset r.n += 3
    s = @set r.b[1] *= x[6]
    y[1] = q.a
    y[2] = r.b[1]
    y[3] = r.b[2]
    y[4] = r.n
    y[5] = s.b[1]
    y[6] = p.a
    t = setproperties(p, (a = x[7], n = 9))
    y[7] = t.a + t.n
    y[8] = constructorof(Point)(x[8], (1.0, 2.0), 1).a
    return
end

@muladd polynomial(x) = 1.0 + x * (2.0 + x * (3.0 - x * 4.0))
function sums(y, x)
    @muladd for i in 1:8
        y[i] = x[i] * x[i+8] + x[i+1]
        y[8+i] = x[i] - x[i+1] * x[i+2]
    end
    for i in 1:8
        y[16+i] = polynomial(x[i])
    end
    return
end

struct Pair2
    re::Float64
    im::Float64
end
function structures(y, x)
    s = StructArray{Pair2}((view(x, 1:6), view(x, 7:12)))
    for i in 1:6
        p = s[i]
        y[i] = p.re - 2p.im
        y[6+i] = s.im[i]
    end
    z = StructArray{Pair2}((view(y, 13:15), view(y, 16:18)))
    for i in 1:3
        z[i] = Pair2(x[i] + 1, x[i] * x[i+1])
    end
    return
end
