# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over Parameters.jl's and FillArrays.jl's own sources.
using Parameters, FillArrays

@with_kw struct Settings{T}
    rate::T = 0.5
    steps::Int = 3
    shift::T = 2rate
end

function settings(y, x)
    s = Settings(rate=x[1])
    t = Settings(rate=x[2], steps=5, shift=x[3])
    y[1] = s.rate
    y[2] = s.steps
    y[3] = s.shift
    y[4] = t.steps * t.shift
    @unpack rate, shift = t
    y[5] = rate - shift
    return
end

function fills(y, x)
    f = Fill(x[1], 4)
    y[1] = f[3]
    y[2] = sum(f)
    y[3] = length(f)
    y[4] = Ones(3)[2] + Zeros(3)[1]
    y[5] = Eye(3)[2, 2]
    y[6] = Eye(3)[1, 2]
    y[7] = Fill(x[2], 2, 3)[2, 3]
    y[8] = sum(Ones(2, 5))
    return
end
