# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over the sources of SpecialFunctions, whose calls of C's libraries are Kiln's (runtime/library/base/c_library.jl).
using SpecialFunctions
import IrrationalConstants

function specials(y, x)
    for i in 1:8
        t = x[i]
        y[i] = erf(t)
        y[8+i] = erfc(t)
        y[16+i] = erfcx(t)
        y[24+i] = erfinv(t / 8)
        y[32+i] = erfcinv(t / 8)
        y[40+i] = gamma(t)
        y[48+i] = loggamma(t)
        y[56+i] = digamma(t)
        y[64+i] = trigamma(t)
        y[72+i] = beta(t, x[i+1])
        y[80+i] = besselj0(t)
        y[88+i] = besselj1(t)
        y[96+i] = besselj(Int32(3), t)
    end
    return
end

function constants(y, x)
    y[1] = IrrationalConstants.twoπ * 1.0
    y[2] = Float64(IrrationalConstants.sqrt2π)
    y[3] = x[1] + IrrationalConstants.logtwo
    y[4] = Float32(IrrationalConstants.invsqrt2)
    y[5] = 1.0 * IrrationalConstants.log4π
    y[6] = 1.0 * IrrationalConstants.loghalf
    y[7] = 1.0 * IrrationalConstants.logten
    y[8] = 1.0 * IrrationalConstants.inv4π
    return
end
