# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Kernels over SpecialFunctions.jl's own sources: functions of Julia, and those that call libraries of C.
using SpecialFunctions

function error_functions(y, x)
    for i in 1:16
        a = x[i]
        u = a / 8                # between 0 and 1
        y[i] = erf(a)
        y[16+i] = erfc(-a)
        y[32+i] = erfinv(u)
        y[48+i] = erfinv(-u)
        y[64+i] = erfcinv(u)
        y[80+i] = erfcinv(1 + u)
        y[96+i] = erfcx(a - 2)
        y[112+i] = erfcx(10a)
        y[128+i] = erfc(a * a)
        y[144+i] = logerfc(a)
        y[160+i] = erfcx(-4a)
    end
    return
end

function gamma_functions(y, x)
    for i in 1:16
        a = x[i]
        y[i] = gamma(a)
        y[16+i] = gamma(-a)
        y[32+i] = loggamma(20a)
        y[48+i] = logabsgamma(-a)[1]
        y[64+i] = logabsgamma(-a)[2]
        y[80+i] = digamma(a)
        y[96+i] = digamma(-a)
        y[112+i] = trigamma(a)
        y[128+i] = zeta(1 + a)
        y[144+i] = beta(a, x[i+1])
        y[160+i] = logbeta(a, 9x[i+1])
        y[176+i] = gamma_inc(a, x[i+1])[1]
    end
    return
end

function bessel_functions(y, x)
    for i in 1:16
        a = x[i]
        y[i] = besselj0(a)
        y[16+i] = besselj0(-20a)
        y[32+i] = besselj1(a)
        y[48+i] = besselj1(-20a)
        y[64+i] = bessely0(a)
        y[80+i] = bessely0(20a)
        y[96+i] = bessely1(a)
        y[112+i] = bessely1(20a)
        y[128+i] = jinc(a)
    end
    return
end

function integrals(y, x)
    for i in 1:16
        a = x[i]
        y[i] = sinint(a)
        y[16+i] = cosint(a)
        y[32+i] = ellipk(a / 8)
        y[48+i] = ellipe(a / 8)
        y[64+i] = expint(a)
        y[80+i] = expinti(a)
    end
    return
end

function singles(y, x)
    for i in 1:8
        a = Float32(x[i])
        y[i] = erf(a)
        y[8+i] = erfc(a)
        y[16+i] = erfinv(a / 8)
        y[24+i] = gamma(a)
        y[32+i] = loggamma(a)
        y[40+i] = digamma(a)
        y[48+i] = besselj0(a)
        y[56+i] = bessely1(a)
        y[64+i] = erfcx(a)
    end
    return
end
