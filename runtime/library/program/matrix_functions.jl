# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# module: Base; after: program/spectral
# Functions of matrices: of Hermitian ones by their eigenvalues, of others by their Schur form and by powers. Algorithms: Higham,
# Functions of Matrices, 2008 (square root: 6.3; logarithm: 11.5; exponential: 10.20).

struct __Schur                                     # schur(A)
    T
    Z
    values
end
struct __Hessenberg                                # hessenberg(A)
    Q
    H
end
function schur(A::AbstractMatrix)
    checksquare(A)
    B = __matrix_of(__divided_type(eltype(A)), A)
    __check_finite(B)
    if eltype(B) <: Real
        isempty(B) && return __Schur(B, B, eltype(B)[])
        ishermitian(B) || return __real_schur(B)
        (values, V) = eigen(B)
        return __Schur(diagm(values), V, values)
    end
    isempty(B) && return __Schur(B, B, eltype(B)[])
    (T, Z) = __schur_form(B, "schur")
    return __Schur(T, Z, diag(T))
end
iterate(F::__Schur, k::Int=1) = k > 3 ? nothing : (getfield(F, k), k + 1)
getproperty(F::__Schur, name::Symbol) = getfield(F, name === :vectors ? :Z : name === :Schur ? :T : name)
function hessenberg(A::AbstractMatrix)
    H = __matrix_of(__divided_type(eltype(A)), A)
    Q = __unit(eltype(H), checksquare(A))
    __hessenberg!(H, Q)
    return __Hessenberg(Q, triu(H, -1))
end
schur!(A::AbstractMatrix) = schur(A)
hessenberg!(A::AbstractMatrix) = hessenberg(A)
iterate(F::__Hessenberg, k::Int=1) = k > 2 ? nothing : (getfield(F, k), k + 1)

# f of the triangular matrix. For a real matrix without negative eigenvalues the result is real.
function __of_schur(f, B)
    (R, Z) = __schur_form(B, "schur")
    X = Z * f(R) * Z'
    eltype(B) <: Real || return X
    near = 100 * eps(float(maximum(abs, R))) * size(R, 1)
    has_negative = any(k -> real(R[k, k]) < -near && abs(imag(R[k, k])) <= near, 1:size(R, 1))
    return has_negative ? X : real(X)
end
# f of the eigenvalues of a Hermitian matrix. Values that rounding moved below zero count as zero; for other negative ones the result of
# `needs_positive` functions is complex.
function __of_values(f, B, needs_positive)
    (values, V) = eigen(B)
    if needs_positive
        near = eps(eltype(values)) * length(values) * maximum(abs, values)
        values = [-near <= x < 0 ? zero(x) : x for x in values]
        any(<(0), values) && (values = map(complex, values))
    end
    return (V .* transpose(map(f, values))) * V'
end
__like(A, X) = X # structured.jl keeps Symmetric and Hermitian
function __matrix_function(f, A, general, needs_positive=false)
    checksquare(A)
    B = __matrix_of(__divided_type(eltype(A)), A)
    isempty(B) && return B
    __check_finite(B)
    ishermitian(B) && return __like(A, __of_values(f, B, needs_positive))
    return general(B)
end

sqrt(A::AbstractMatrix) = __matrix_function(sqrt, A, B -> __of_schur(__triangular_root, B), true)
function __triangular_root(R)
    n = size(R, 1)
    S = zero(R)
    for j in 1:n
        S[j, j] = sqrt(R[j, j])
        for i in j-1:-1:1
            r = R[i, j]
            for k in i+1:j-1
                r -= S[i, k] * S[k, j]
            end
            S[i, j] = iszero(r) ? r : r / (S[i, i] + S[j, j])
        end
    end
    return S
end

# Nodes and weights of Gauss and Legendre's quadrature on [0, 1] with 8 nodes, which is the Padé approximant [8/8] of log(1 + x).
const __log_nodes = ((0.0198550717512318842, 0.0506142681451881295), (0.101666761293186630, 0.111190517226687235), (0.237233795041835507, 0.156853322938943643), (0.408282678752175098, 0.181341891689180991),
    (0.591717321247824902, 0.181341891689180991), (0.762766204958164493, 0.156853322938943643), (0.898333238706813370, 0.111190517226687235), (0.980144928248768116, 0.0506142681451881295))
log(A::AbstractMatrix) = __matrix_function(log, A, B -> __of_schur(__triangular_log, B), true)
function __triangular_log(R)
    n = size(R, 1)
    one_of_all = __unit(eltype(R), n)
    roots = 0
    X = R
    while opnorm(X - one_of_all, 1) > 0.25 && roots < 100
        X = __triangular_root(X)
        roots += 1
    end
    X = X - one_of_all
    S = zero(R)
    for (node, weight) in __log_nodes
        S += weight * ((one_of_all + node * X) \ X)
    end
    S *= 2.0^roots
    for k in 1:n
        S[k, k] = log(R[k, k])
    end
    return S
end

exp(A::AbstractMatrix) = __matrix_function(exp, A, __exp_by_squaring)
const __exp_coefficients = (64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0)
function __exp_by_squaring(A)
    size = opnorm(A, 1)
    squarings = size > 5.371920351148152 ? ceil(Int, log2(size / 5.371920351148152)) : 0
    A = A / 2.0^squarings
    b = __exp_coefficients
    unit = __unit(eltype(A), Base.size(A, 1))
    A2 = A * A
    A4 = A2 * A2
    A6 = A4 * A2
    odd = A * (A6 * (b[14] * A6 + b[12] * A4 + b[10] * A2) + b[8] * A6 + b[6] * A4 + b[4] * A2 + b[2] * unit)
    even = A6 * (b[13] * A6 + b[11] * A4 + b[9] * A2) + b[7] * A6 + b[5] * A4 + b[3] * A2 + b[1] * unit
    X = __matrix_of(eltype(A), (even - odd) \ (even + odd))
    for _ in 1:squarings
        X = X * X
    end
    return X
end
^(A::AbstractMatrix, p::Real) = isinteger(p) ? A^Int(p) : __matrix_function(x -> x^p, A, B -> __of_schur(R -> __exp_by_squaring(p * __triangular_log(R)), B), true)
^(b::Number, A::AbstractMatrix) = exp(log(b) * A)
cis(A::AbstractMatrix) = exp(im * A)

# Circular and hyperbolic functions, by exponentials.
sincos(A::AbstractMatrix) = eltype(A) <: Real ? (E = exp(im * A); (imag(E), real(E))) : ((E, F) = (exp(im * A), exp(-im * A)); ((E - F) / 2im, (E + F) / 2))
sin(A::AbstractMatrix) = __matrix_function(sin, A, B -> sincos(B)[1])
cos(A::AbstractMatrix) = __matrix_function(cos, A, B -> sincos(B)[2])
tan(A::AbstractMatrix) = __matrix_function(tan, A, B -> ((s, c) = sincos(B); s / c))
sinh(A::AbstractMatrix) = __matrix_function(sinh, A, B -> (exp(B) - exp(-B)) / 2)
cosh(A::AbstractMatrix) = __matrix_function(cosh, A, B -> (exp(B) + exp(-B)) / 2)
tanh(A::AbstractMatrix) = __matrix_function(tanh, A, B -> ((E, F) = (exp(B), exp(-B)); (E - F) / (E + F)))
