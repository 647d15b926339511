# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Exceptions of compiled calls that ran too long for the interpreter to repeat them: they have the same fields and texts as those of short
# calls. Texts are those of Julia's documentation and sources.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
function late(f, last)
    s = 0.0
    for k in 1:3_000_000
        s += Float64(f(k < 3_000_000 ? k % 7 + 1 : last)) * 1.0e-3
    end
    return s
end
function says(f, last)
    try
        println("value ", late(f, last))
    catch e
        println(sprint(showerror, e))
    end
end
#      CHECK: DomainError with -4.0:
# CHECK-NEXT: sqrt was called with a negative real argument but will only return a complex result if called with a complex argument. Try sqrt(Complex(x)).
says(k -> sqrt(k), -4)
# CHECK-NEXT: DomainError with -2.0:
# CHECK-NEXT: log1p was called with a real argument < -1 but will only return a complex result if called with a complex argument. Try log1p(Complex(x)).
says(k -> log1p(k), -2)
# CHECK-NEXT: DomainError with 9.0:
# CHECK-NEXT: asin(x) is not defined for |x| > 1.
says(k -> asin(k / 8), 72)
# CHECK-NEXT: DomainError with -3:
# CHECK-NEXT: Cannot raise an integer x to a negative power -3.
# CHECK-NEXT: Make x or -3 a float by adding a zero decimal (e.g., 2.0^-3 or 2^-3.0 instead of 2^-3) or write 1/x^3, float(x)^-3, x^float(-3) or (x//1)^-3.
says(k -> 2^k, -3)
# CHECK-NEXT: DomainError with -1:
# CHECK-NEXT: `n` must not be negative.
says(factorial, -1)
# CHECK-NEXT: InexactError: Int64(4.5)
says(k -> Int(k / 2 == 4.5 ? 4.5 : 1.0), 9)
# CHECK-NEXT: InexactError: trunc(Int8, 300)
says(k -> k % Int8 == 44 ? Int8(k) : Int8(1), 300)
# CHECK-NEXT: InexactError: UInt64(-3.0)
says(k -> UInt64(Float64(k)), -3)
# CHECK-NEXT: InexactError: Bool(9)
says(k -> Bool(k == 9 ? k : 1), 9)
# CHECK-NEXT: OverflowError: 21 is too large to look up in the table; consider using `factorial(big(21))` instead
says(factorial, 21)
# CHECK-NEXT: OverflowError: 9223372036854775807 + 1 overflowed for type Int64
says(k -> Base.Checked.checked_add(k, 1), typemax(Int))
# CHECK-NEXT: BoundsError: attempt to access Tuple{Int64, Int64, Int64} at index [9]
says(k -> (1, 2, 3)[k < 9 ? 1 : k], 9)
# CHECK-NEXT: DivideError: integer division error
says(k -> div(1, k), 0)
# A method that catches the exception sees the fields.
# CHECK-NEXT: (:trunc, Int8, 300) (-4.0, true)
function fields(f, last)
    try
        late(f, last)
    catch e
        e isa InexactError ? (e.func, e.T, e.val) : (e.val, endswith(e.msg, "(Complex(x))."))
    end
end
println(fields(k -> k % Int8 == 44 ? Int8(k) : Int8(1), 300), " ", fields(k -> sqrt(k), -4))
# An array that the call has made.
function made(n)
    x = zeros(8)
    s = 0.0
    for k in 1:n
        s += x[k % 8 + (k == n ? 9 : 1)]
    end
    return s
end
# CHECK-NEXT: BoundsError: attempt to access 8-element Vector{Float64} at index [9]
println(sprint(showerror, try made(3_000_000) catch e; e end))
# Sizes that do not match.
function sums(n)
    a, b, c = ones(3, 2), ones(3, 2), ones(3, 4)
    s = 0.0
    for k in 1:n
        s += k < n ? a[k % 6 + 1] : sum(a + c)
    end
    return s
end
# CHECK-NEXT: DimensionMismatch: dimensions must match: a has dims (Base.OneTo(3), Base.OneTo(2)), b has dims (Base.OneTo(3), Base.OneTo(4)), mismatch at 2
println(sprint(showerror, try sums(3_000_000) catch e; e end))
# Characters beyond Latin-1 need no second run: ш is a letter, € is none.
function letters(n)
    count = 0
    for k in 1:n
        count += isletter(k == n ? 'ш' : k == n - 1 ? '€' : 'a') + isuppercase(uppercase(k == n ? 'я' : 'b'))
    end
    return count
end
# CHECK-NEXT: 5999999
println(letters(3_000_000))
