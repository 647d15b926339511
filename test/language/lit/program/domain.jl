# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What host code throws where kernels give NaN or the kind of an exception alone; also from functions that are compiled because they run often.
# Texts are those of Julia's documentation and sources.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
says(f) =
    try
        println("value ", f())
    catch e
        println(sprint(showerror, e))
    end
#      CHECK: DomainError with -1.0:
# CHECK-NEXT: sqrt was called with a negative real argument but will only return a complex result if called with a complex argument. Try sqrt(Complex(x)).
says(() -> sqrt(-1))
# CHECK-NEXT: DomainError with -1.0:
# CHECK-NEXT: log2 was called with a negative real argument but will only return a complex result if called with a complex argument. Try log2(Complex(x)).
says(() -> log2(-1f0))
# CHECK-NEXT: DomainError with -2.0:
# CHECK-NEXT: log1p was called with a real argument < -1 but will only return a complex result if called with a complex argument. Try log1p(Complex(x)).
says(() -> log1p(-2))
# CHECK-NEXT: DomainError with 2.0:
# CHECK-NEXT: asin(x) is not defined for |x| > 1.
says(() -> asin(2.0))
# CHECK-NEXT: DomainError with 0.5:
# CHECK-NEXT: acosh(x) is only defined for x ≥ 1.
says(() -> acosh(0.5))
# CHECK-NEXT: DomainError with Inf:
# CHECK-NEXT: sin(x) is only defined for finite x.
says(() -> sin(Inf))
# CHECK-NEXT: DomainError with -8.0:
# CHECK-NEXT: Exponentiation yielding a complex result requires a complex argument.
# CHECK-NEXT: Replace x^y with (x+0im)^y, Complex(x)^y, or similar.
says(() -> (-8.0)^(1 / 3))
# CHECK-NEXT: DomainError with -3:
# CHECK-NEXT: Cannot raise an integer x to a negative power -3.
# CHECK-NEXT: Make x or -3 a float by adding a zero decimal (e.g., 2.0^-3 or 2^-3.0 instead of 2^-3) or write 1/x^3, float(x)^-3, x^float(-3) or (x//1)^-3.
says(() -> (n = -3; 2^n))
# CHECK-NEXT: OverflowError: 21 is too large to look up in the table; consider using `factorial(big(21))` instead
says(() -> factorial(21))
# CHECK-NEXT: OverflowError: 9223372036854775807 + 1 overflowed for type Int64
says(() -> Base.checked_add(typemax(Int), 1))
# CHECK-NEXT: DomainError with (2, 4):
# CHECK-NEXT: Greatest common divisor is 2.
says(() -> invmod(2, 4))
# CHECK-NEXT: DomainError with -1.0:
# CHECK-NEXT: sqrt was called with {{.*}}
says(() -> isqrt(-1))
# CHECK-NEXT: value (7, 3037000499, 2)
says(() -> (isqrt(63), isqrt(typemax(Int)), invmod(2, 3)))
# CHECK-NEXT: MethodError: no method matching +(::Vector{Int64}, ::Int64)
# CHECK-NEXT: For element-wise addition, use broadcasting with dot syntax: array .+ scalar
says(() -> [1, 2] + 1)
# CHECK-NEXT: InexactError: Int64(1.5)
says(() -> Int(1.5))
# CHECK-NEXT: InexactError: trunc(Int8, 300)
says(() -> Int8(300))
# CHECK-NEXT: InexactError: Bool(2)
says(() -> Bool(2))
# CHECK-NEXT: InexactError: Int64(2.5)
says(() -> (v = [1, 2]; v[1] = 2.5))
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64} at index [3]
says(() -> (1, 2)[3])
# CHECK-NEXT: BoundsError: attempt to access 3-element UnitRange{Int64} at index [5]
says(() -> (1:3)[5])
# CHECK-NEXT: StringIndexError: invalid index [2], valid nearby indices [1]=>'ä', [3]=>'b'
says(() -> "äb"[2])
# CHECK-NEXT: MethodError: Cannot `convert` an object of type String to an object of type Int64
says(() -> push!([1], "a"))
# CHECK-NEXT: DimensionMismatch: arrays could not be broadcast to a common size; got a dimension with lengths 2 and 3
says(() -> [1, 2] .+ [1, 2, 3])

# Values at the edge of the domains, and complex numbers.
# CHECK-NEXT: -0.0 NaN -Inf Inf -Inf 64.0 -512.0 Inf
println(sqrt(-0.0), " ", sqrt(NaN), " ", log(0.0), " ", atanh(1.0), " ", log1p(-1.0), " ", (-8.0)^2.0, " ", (-8.0)^3, " ", (-Inf)^0.5)
# CHECK-NEXT: 0.0 + 1.0im
println(sqrt(Complex(-1.0)))
# CHECK-NEXT: (127, 255, -1, 3, true)
println((Int8(127), UInt8(255) |> Int, Int8(-1) |> Int64, Int(3.0f0), Bool(1.0)))

# Fields.
try
    sqrt(-4.0)
catch e
    # CHECK-NEXT: true -4.0 true
    println(e isa DomainError, " ", e.val, " ", startswith(e.msg, "sqrt was called"))
end
try
    Int(0.5)
catch e
    # CHECK-NEXT: InexactError(:Int64, Int64, 0.5)
    println(repr(e))
end

# Compiled: by their arrays, by how often they ran, by their loops.
function roots(v)
    s = 0.0
    for x in v
        s += sqrt(x)
    end
    return s
end
v = fill(4.0, 1000)
# CHECK-NEXT: 2000.0
println(roots(v))
v[700] = -4.0
# CHECK-NEXT: DomainError with -4.0:
# CHECK-NEXT: sqrt was called with {{.*}}
says(() -> roots(v))
half(x) = Int(x / 2)
halves(n) = sum(half(2.0k) for k in 1:n)
# CHECK-NEXT: 450015000
println(halves(30_000))
# CHECK-NEXT: InexactError: Int64(1.5)
says(() -> half(3.0))
function reaching(n)
    t = (1, 2, 3)
    s = 0
    for i in 1:n
        s += t[i > 50_000 ? 4 : 1]
    end
    return s
end
# CHECK-NEXT: 50000
println(reaching(50_000))
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64, Int64} at index [4]
says(() -> reaching(60_000))
# CHECK-NEXT: DomainError with -9.0:
# CHECK-NEXT: sqrt was called with {{.*}}
says(() -> sqrt.([4.0, -9.0]))

# Not so on devices.
using CUDA
# CHECK-NEXT: [2.0, NaN]
println(Array(sqrt.(CuArray([4.0, -9.0]))))
# CHECK-NEXT: [NaN]
println(Array(map(x -> log(x), CuArray([-1.0]))))
function outside(y)
    y[1] = asin(y[1]) + acosh(0.5)
    return
end
y = CuArray([2.0])
@cuda outside(y)
# CHECK-NEXT: [NaN]
println(Array(y))
