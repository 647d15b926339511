# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over ForwardDiff.jl's own sources: derivatives by dual numbers.
using ForwardDiff
using ForwardDiff: Dual, value, partials

f(x) = x * x + sin(x) / (1 + exp(-x)) - 3x^3
g(x, y) = sqrt(x * y) + log(x) * cos(y) - x / y + max(x, 2y)
h(x) = abs(x - 1) < 0.5 ? x^2 : -x

function duals(y, x)
    for i in 1:8
        d = f(Dual{Nothing}(x[i], 1.0))
        y[i] = value(d)
        y[8+i] = partials(d, 1)
        y[16+i] = ForwardDiff.derivative(f, x[i])
        y[24+i] = ForwardDiff.derivative(h, x[i])
        u = Dual{Nothing}(x[i], 1.0, 0.0)
        v = Dual{Nothing}(x[i+8], 0.0, 1.0)
        w = g(u, v)
        y[32+i] = value(w)
        y[40+i] = partials(w, 1)
        y[48+i] = partials(w, 2)
    end
    return
end
