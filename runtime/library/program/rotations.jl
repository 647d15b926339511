# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/linear
# Eigenvalues and singular values of small dense matrices: Jacobi rotations, and shifted QR steps on a complex
# Hessenberg matrix. Each loop is a function of arrays only, so that loops over large arrays can be compiled. Signs of
# vectors may differ from LAPACK's. The first function rotates columns p and q of A by (c, s); e is the phase of s.
function __turn_columns!(A, p, q, c, s, e)
    for i in 1:size(A, 1)
        x = A[i, p]
        y = A[i, q]
        A[i, p] = c * x - s * (conj(e) * y)
        A[i, q] = s * (e * x) + c * y
    end
    return nothing
end
# Tangent of the rotation angle that diagonalizes the Hermitian matrix (a, g; g', b); g is not zero.
function __tangent(a, b, g)
    z = (b - a) / (2 * abs(g))
    return isinf(z * z) ? inv(2 * z) : (z < 0 ? -1 : 1) / (abs(z) + sqrt(1 + z * z))
end
# Eigenvalues of a Hermitian A by Jacobi rotations: A's diagonal becomes the eigenvalues, V's columns become the
# eigenvectors.
function __jacobi!(A, V)
    n = size(A, 1)
    for sweep in 1:60
        turned = false
        for p in 1:n-1, q in p+1:n
            g = A[p, q]
            a = real(A[p, p])
            b = real(A[q, q])
            if abs(g) > eps(a) / 8 + eps(b) / 8 && abs(g) > floatmin(a)
                turned = true
                t = __tangent(a, b, g)
                c = inv(sqrt(1 + t * t))
                s = c * t
                e = g / abs(g)
                __turn_columns!(A, p, q, c, s, e)
                for j in 1:n                       # likewise for rows
                    x = A[p, j]
                    y = A[q, j]
                    A[p, j] = c * x - s * (e * y)
                    A[q, j] = s * (conj(e) * x) + c * y
                end
                A[p, q] = zero(g)
                A[q, p] = zero(g)
                __turn_columns!(V, p, q, c, s, e)
            end
        end
        turned || return sweep
    end
    return 0
end
# Orthogonalizes the columns of A by rotations from the right, whose product is stored in V. Afterwards A is U * S of
# the SVD.
function __one_sided!(A, V)
    (m, n) = size(A)
    for sweep in 1:60
        turned = false
        for p in 1:n-1, q in p+1:n
            a = zero(real(A[1, 1]))
            b = a
            g = zero(A[1, 1])
            for i in 1:m
                a += abs2(A[i, p])
                b += abs2(A[i, q])
                g += conj(A[i, p]) * A[i, q]
            end
            if abs(g) > eps(a) / a * sqrt(a) * sqrt(b) && abs(g) > floatmin(a)
                turned = true
                t = __tangent(a, b, g)
                c = inv(sqrt(1 + t * t))
                __turn_columns!(A, p, q, c, c * t, g / abs(g))
                __turn_columns!(V, p, q, c, c * t, g / abs(g))
            end
        end
        turned || return sweep
    end
    return 0
end
# Reduces A to upper Hessenberg form; Z becomes the product of the reflections.
function __hessenberg!(A, Z)
    n = size(A, 1)
    for k in 1:n-2
        s = zero(real(A[1, 1]))
        for i in k+1:n
            s += abs2(A[i, k])
        end
        s = sqrt(s)
        a = A[k+1, k]
        rest = zero(s)
        for i in k+2:n
            rest += abs2(A[i, k])
        end
        if rest > 0
            alpha = iszero(a) ? -s * one(a) : -(a / abs(a)) * s
            A[k+1, k] = a - alpha                  # temporarily holds the reflection's vector
            t = zero(s)
            for i in k+1:n
                t += abs2(A[i, k])
            end
            for j in k+1:n
                w = zero(a)
                for i in k+1:n
                    w += conj(A[i, k]) * A[i, j]
                end
                w *= 2 / t
                for i in k+1:n
                    A[i, j] -= w * A[i, k]
                end
            end
            for i in 1:n
                w = zero(a)
                z = zero(a)
                for j in k+1:n
                    w += A[i, j] * A[j, k]
                    z += Z[i, j] * A[j, k]
                end
                for j in k+1:n
                    A[i, j] -= (2 / t) * w * conj(A[j, k])
                    Z[i, j] -= (2 / t) * z * conj(A[j, k])
                end
            end
            A[k+1, k] = alpha
            for i in k+2:n
                A[i, k] = zero(a)
            end
        end
    end
    return nothing
end
# Makes a complex upper Hessenberg matrix H triangular by QR steps with Wilkinson's shift; Z collects the rotations.
# Returns 0, or -1 without convergence.
function __triangular!(H, Z)
    n = size(H, 1)
    hi = n
    rounds = 0
    while hi > 1
        lo = hi
        while lo > 1 && abs(H[lo, lo-1]) > eps(abs(H[lo, lo]) + abs(H[lo-1, lo-1])) / 2
            lo -= 1
        end
        if lo > 1
            H[lo, lo-1] = zero(H[1, 1])
        end
        if lo == hi
            hi -= 1
            rounds = 0
        else
            rounds += 1
            rounds > 100 && return -1
            (a, b, c, d) = (H[hi-1, hi-1], H[hi-1, hi], H[hi, hi-1], H[hi, hi])
            h = (a - d) / 2
            r = sqrt(h * h + b * c)
            x = abs(h + r) > abs(h - r) ? h + r : h - r
            shift = iszero(x) ? d : d - b * c / x
            rounds % 10 == 0 && (shift += abs(c))
            for k in lo:hi
                H[k, k] -= shift
            end
            # Applies Givens rotations from the left. The rotations from the right follow one column later.
            pc = zero(real(a))
            ps = zero(a)
            for k in lo:hi-1
                f = H[k, k]
                g = H[k+1, k]
                r2 = sqrt(abs2(f) + abs2(g))
                cs = r2 == 0 ? one(r2) : abs(f) / r2
                e = iszero(f) ? one(f) : f / abs(f)
                sn = r2 == 0 ? zero(f) : e * conj(g) / r2
                for j in k:n
                    u = H[k, j]
                    v = H[k+1, j]
                    H[k, j] = cs * u + sn * v
                    H[k+1, j] = cs * v - conj(sn) * u
                end
                k > lo && __rotate_right!(H, Z, k - 1, pc, ps)
                pc = cs
                ps = sn
            end
            __rotate_right!(H, Z, hi - 1, pc, ps)
            for k in lo:hi
                H[k, k] += shift
            end
        end
    end
    return 0
end
function __rotate_right!(H, Z, k, c, s)
    for i in 1:min(k + 1, size(H, 1))
        u = H[i, k]
        v = H[i, k+1]
        H[i, k] = c * u + conj(s) * v
        H[i, k+1] = c * v - s * u
    end
    for i in 1:size(Z, 1)
        u = Z[i, k]
        v = Z[i, k+1]
        Z[i, k] = c * u + conj(s) * v
        Z[i, k+1] = c * v - s * u
    end
    return nothing
end
# Eigenvectors of a triangular matrix T by substitution, multiplied by Z, scaled to length 1 and to a real largest
# component.
function __triangular_vectors!(V, T, Z, x)
    n = size(T, 1)
    small = floatmin(real(T[1, 1]))
    for j in 1:n, i in 1:j
        small = max(small, eps(abs(T[i, j])))
    end
    for k in 1:n
        x[k] = one(T[1, 1])
        for i in k-1:-1:1
            w = -T[i, k]
            for j in i+1:k-1
                w -= T[i, j] * x[j]
            end
            d = T[i, i] - T[k, k]
            x[i] = w / (abs(d) < small ? small * one(d) : d)
        end
        total = zero(real(x[1]))
        best = 1
        for i in 1:n
            w = zero(T[1, 1])
            for j in 1:k
                w += Z[i, j] * x[j]
            end
            V[i, k] = w
            total += abs2(w)
            if abs(w) > abs(V[best, k]) * (1 + 1.0e-10)
                best = i
            end
        end
        w = conj(V[best, k]) / abs(V[best, k]) / sqrt(total)
        for i in 1:n
            V[i, k] *= w
        end
        V[best, k] = real(V[best, k])
    end
    return nothing
end
