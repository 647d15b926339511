# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scipy.jl computes, by SciPy. Kernels' results may differ by some units in the last place, Float32's by more."""
import numpy as np
from scipy import special as sp

TOLERANCES = {"error_functions": 2e-14, "gamma_functions": 2e-12, "bessel_functions": 2e-13, "integrals": 2e-13, "singles": 4e-6}


def joined(*parts):
    return np.concatenate([np.asarray(part, dtype=float).ravel() for part in parts])


def error_functions(x):
    a = x[:16]
    u = a / 8
    return joined(sp.erf(a), sp.erfc(-a), sp.erfinv(u), sp.erfinv(-u), sp.erfcinv(u), sp.erfcinv(1 + u), sp.erfcx(a - 2), sp.erfcx(10 * a), sp.erfc(a * a), sp.log_ndtr(-a * np.sqrt(2)) + np.log(2), sp.erfcx(-4 * a))


def gamma_functions(x):
    a, b = x[:16], x[1:17]
    return joined(sp.gamma(a), sp.gamma(-a), sp.gammaln(20 * a), sp.gammaln(-a), sp.gammasgn(-a), sp.digamma(a), sp.digamma(-a), sp.polygamma(1, a), sp.zeta(1 + a),
                  sp.beta(a, b), sp.betaln(a, 9 * b), sp.gammainc(a, b))


def bessel_functions(x):
    a = x[:16]
    return joined(sp.j0(a), sp.j0(-20 * a), sp.j1(a), sp.j1(-20 * a), sp.y0(a), sp.y0(20 * a), sp.y1(a), sp.y1(20 * a), 2 * sp.j1(np.pi * a) / (np.pi * a))


def integrals(x):
    a = x[:16]
    return joined(*sp.sici(a), sp.ellipk(a / 8), sp.ellipe(a / 8), sp.exp1(a), sp.expi(a))


def singles(x):
    a = x[:8].astype(np.float32).astype(float)
    return joined(sp.erf(a), sp.erfc(a), sp.erfinv(a / 8), sp.gamma(a), sp.gammaln(a), sp.digamma(a), sp.j0(a), sp.y1(a), sp.erfcx(a))


CHECKS = [error_functions, gamma_functions, bessel_functions, integrals, singles]
