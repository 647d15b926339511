# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/matrix_functions; when: schur, schur!
# Schur form of real matrices by Francis' double shifts (EISPACK's hqr2). Blocks of two rows hold pairs of complex
# eigenvalues, and have LAPACK's standard form (dlanv2): equal entries on the diagonal, others of opposite signs.

# Makes an upper Hessenberg matrix H quasi-triangular; Z collects the reflections. Returns 0, or -1 without convergence.
function __francis!(H, Z)
    n = size(H, 1)
    (hi, rounds, moved) = (n, 0, zero(H[1, 1]))    # `moved`: exceptional shifts, which are added to the diagonal later
    total = zero(moved)
    for j in 1:n, i in 1:min(j + 1, n)
        total += abs(H[i, j])
    end
    while hi >= 1
        lo = hi
        while lo > 1
            s = abs(H[lo-1, lo-1]) + abs(H[lo, lo])
            abs(H[lo, lo-1]) < eps(one(s)) * (s == 0 ? total : s) && break
            lo -= 1
        end
        lo > 1 && (H[lo, lo-1] = zero(moved))
        if lo >= hi - 1
            for k in lo:hi
                H[k, k] += moved
            end
            (hi, rounds) = (lo - 1, 0)
        else
            (x, y, w) = (H[hi, hi], H[hi-1, hi-1], H[hi, hi-1] * H[hi-1, hi])
            rounds += 1
            rounds > 300 && return -1
            if rounds % 10 == 0
                moved += x
                for k in 1:hi
                    H[k, k] -= x
                end
                s = abs(H[hi, hi-1]) + abs(H[hi-1, hi-2])
                (x, y, w) = (3 * s / 4, 3 * s / 4, -7 * s * s / 16)
            end
            __double_step!(H, Z, lo, hi, x, y, w)
        end
    end
    return 0
end
# One step on rows lo to hi: the shifts have the sum x + y and the product x * y - w.
function __double_step!(H, Z, lo, hi, x, y, w)
    n = size(H, 1)
    (p, q, r) = (zero(x), zero(x), zero(x))
    first = hi - 2
    while true # two small entries in turn let the step begin below row lo
        z = H[first, first]
        (r, s) = (x - z, y - z)
        p = (r * s - w) / H[first+1, first] + H[first, first+1]
        q = H[first+1, first+1] - z - r - s
        r = H[first+2, first+1]
        s = abs(p) + abs(q) + abs(r)
        (p, q, r) = (p / s, q / s, r / s)
        first == lo && break
        abs(H[first, first-1]) * (abs(q) + abs(r)) < eps(one(s)) * abs(p) * (abs(H[first-1, first-1]) + abs(z) + abs(H[first+1, first+1])) && break
        first -= 1
    end
    for i in first+2:hi
        H[i, i-2] = zero(x)
        i > first + 2 && (H[i, i-3] = zero(x))
    end
    for k in first:hi-1
        is_last = k == hi - 1
        scale = one(x)
        if k > first
            (p, q, r) = (H[k, k-1], H[k+1, k-1], is_last ? zero(x) : H[k+2, k-1])
            scale = abs(p) + abs(q) + abs(r)
            scale == 0 && continue
            (p, q, r) = (p / scale, q / scale, r / scale)
        end
        s = copysign(sqrt(p * p + q * q + r * r), p)
        s == 0 && continue
        if k > first
            H[k, k-1] = -s * scale
        elseif first > lo
            H[k, k-1] = -H[k, k-1]
        end
        p += s
        (a, b, c) = (p / s, q / s, r / s)
        (q, r) = (q / p, r / p)
        for j in k:n
            t = H[k, j] + q * H[k+1, j] + (is_last ? zero(x) : r * H[k+2, j])
            H[k, j] -= t * a
            H[k+1, j] -= t * b
            is_last || (H[k+2, j] -= t * c)
        end
        __reflect_columns!(H, min(hi, k + 3), k, is_last, a, b, c, q, r)
        __reflect_columns!(Z, n, k, is_last, a, b, c, q, r)
    end
    return nothing
end
function __reflect_columns!(A, rows, k, is_last, a, b, c, q, r)
    for i in 1:rows
        t = a * A[i, k] + b * A[i, k+1] + (is_last ? zero(a) : c * A[i, k+2])
        A[i, k] -= t
        A[i, k+1] -= t * q
        is_last || (A[i, k+2] -= t * r)
    end
    return nothing
end
# The rotation (c, s) that brings the block [a b; c d] into its standard form, as LAPACK's dlanv2, and that form.
function __standard_block(a, b, c, d)
    (l, o) = (one(a), zero(a))
    c == 0 && return (l, o, a, b, c, d)
    b == 0 && return (o, l, d, -c, o, a)
    a == d && signbit(b) != signbit(c) && return (l, o, a, b, c, d)
    difference = a - d
    p = difference / 2
    wide = max(abs(b), abs(c))
    narrow = min(abs(b), abs(c)) * copysign(l, b) * copysign(l, c)
    scale = max(abs(p), wide)
    z = p / scale * p + wide / scale * narrow
    if z >= 4 * eps(l) # two real eigenvalues
        z = p + copysign(sqrt(scale) * sqrt(z), p)
        radius = hypot(c, z)
        return (z / radius, c / radius, d + z, b - c, o, d - wide / z * narrow)
    end
    sigma = b + c
    radius = hypot(sigma, difference)
    cs = sqrt((1 + abs(sigma) / radius) / 2)
    sn = -(p / (radius * cs)) * copysign(l, sigma)
    (a, b, c, d) = (a * cs + b * sn, b * cs - a * sn, c * cs + d * sn, d * cs - c * sn)
    (a, b, c, d) = (a * cs + c * sn, b * cs + d * sn, c * cs - a * sn, d * cs - b * sn)
    middle = (a + d) / 2
    c == 0 && return (cs, sn, middle, b, c, middle)
    b == 0 && return (-sn, cs, middle, -c, o, middle)
    signbit(b) == signbit(c) || return (cs, sn, middle, b, c, middle)
    (u, v) = (sqrt(abs(b)), sqrt(abs(c))) # the two eigenvalues are real after all
    p = copysign(u * v, c)
    radius = sqrt(abs(b + c))
    return (cs * u / radius - sn * v / radius, cs * v / radius + sn * u / radius, middle + p, b - c, o, middle - p)
end
# Brings the blocks of two rows into their standard form.
function __standardize!(H, Z)
    n = size(H, 1)
    for k in 1:n-1
        H[k+1, k] == 0 && continue
        (c, s, H[k, k], H[k, k+1], H[k+1, k], H[k+1, k+1]) = __standard_block(H[k, k], H[k, k+1], H[k+1, k], H[k+1, k+1])
        for j in k+2:n
            (x, y) = (H[k, j], H[k+1, j])
            H[k, j] = c * x + s * y
            H[k+1, j] = c * y - s * x
        end
        for i in 1:k-1
            (x, y) = (H[i, k], H[i, k+1])
            H[i, k] = c * x + s * y
            H[i, k+1] = c * y - s * x
        end
        for i in 1:n
            (x, y) = (Z[i, k], Z[i, k+1])
            Z[i, k] = c * x + s * y
            Z[i, k+1] = c * y - s * x
        end
    end
    return nothing
end
function __block_values(H)
    n = size(H, 1)
    values = complex.(diag(H))
    for k in 1:n-1
        H[k+1, k] == 0 && continue
        s = sqrt(abs(H[k, k+1])) * sqrt(abs(H[k+1, k]))
        (values[k], values[k+1]) = (complex(H[k, k], s), complex(H[k, k], -s))
    end
    return all(x -> imag(x) == 0, values) ? real(values) : values
end
function __real_schur(B)
    n = size(B, 1)
    (H, Z) = (copy(B), __unit(eltype(B), n))
    __hessenberg!(H, Z)
    __francis!(H, Z) < 0 && error("schur: the QR steps do not converge")
    H = triu(H, -1)
    __standardize!(H, Z)
    return __Schur(H, Z, __block_values(H))
end
function show(io::IO, m::MIME{Symbol("text/plain")}, F::__Schur)
    print(io, "Schur{", eltype(F.T), ", ", typeof(F.T), ", ", typeof(F.values), "}")
    return __show_parts(io, m, ("T factor", F.T), ("Z factor", F.Z), ("eigenvalues", F.values))
end
