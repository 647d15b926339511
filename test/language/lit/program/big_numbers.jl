# RUN: %kiln script %s | %filecheck %s
# RUN: not %kiln compile %S/inputs/big_in_kernel.jl 'f(CuDeviceVector{Int64,1})' --target ptx --arch sm_90 2>&1 | %filecheck %s --check-prefix=KERNEL
# BigInt and BigFloat. test/programs/big_numbers.py compares their values with Python's; this test has types, texts
# and errors, as Julia's manual and help describe them.
# KERNEL: big_in_kernel.jl:3:{{[0-9]+}}: {{.*}}macro @big_str: a kernel has no memory for numbers of any size: write Int128
# CHECK: 170141183460469231731687303715884105728 BigInt Int128
println(170141183460469231731687303715884105728, " ", typeof(170141183460469231731687303715884105728), " ", typeof(-170141183460469231731687303715884105728))
# CHECK-NEXT: BigInt BigInt BigFloat BigFloat BigFloat Rational{BigInt}
println(typeof(big(2)^100), " ", typeof(big(2) + 1), " ", typeof(big(2) * 1.5), " ", typeof(big(1) / 3), " ", typeof(sqrt(big(2))), " ", typeof(big(1) // 3))
# CHECK-NEXT: 815915283247897734345611269596115894272000000000
println(factorial(big(40)))
# CHECK-NEXT: 3.141592653589793238462643383279502884197169399375105820974944592307816406286198
println(big(π))
# CHECK-NEXT: 0.333333333333333333342 64 256
setprecision(BigFloat, 64) do
    println(big(1) / 3, " ", precision(big(1) / 3), " ", precision(BigFloat(2; precision=256)))
end
# CHECK-NEXT: 1.0e+06 123456.5 0.0001220703125 6.103515625e-05 NaN -Inf -0.0
println(big(1e6), " ", big(123456.5), " ", big(2.0)^-13, " ", big(2.0)^-14, " ", big(NaN), " ", big(-Inf), " ", big(-0.0))
# CHECK-NEXT: BigInt[1, 2, 3] BigInt[1 1; 1 0] 354224848179261915075
println(BigInt[1, 2, 3], " ", [big(1) 1; 1 0], " ", ([big(1) 1; 1 0]^100)[1, 2])
# CHECK-NEXT: 3 true true
println(Dict(big(2)^80 => 3)[big(2)^80], " ", big(5) in Set([big(5)]), " ", haskey(Dict(5 => 1), big(5)))
# CHECK-NEXT: 5050 [4, 3, 2, 1] ff 3 (3, 1) 4
println(sum(big(1):big(100)), " ", digits(big(1234)), " ", string(big(255); base=16), " ", big"3", " ", divrem(big(10), 3), " ", invmod(big(3), big(11)))
# CHECK-NEXT: true 2 3 1//2
println(all(x -> big(2)^70 <= x <= big(2)^71, rand(big(2)^70:big(2)^71, 50)), " ", round(BigInt, 2.5), " ", ceil(Int, big(2.5)), " ", big(2) // 4)
using Printf
# CHECK-NEXT: 1267650600228229401496703205376|  -1267650600228229401496703205376|10000000000000000000000000
@printf("%d|%33d|%x\n", big(2)^100, -big(2)^100, big(2)^100)
# CHECK-NEXT: 0.333333333333333333333333333333|  1.41|1.000e+40|7.50
@printf("%.30f|%6.2f|%.3e|%.2f\n", big(1) / 3, sqrt(big(2)), big(10)^40, big(15) // 2)
function told(f)
    try
        println(f())
    catch e
        showerror(stdout, e)
        println()
    end
end
# CHECK-NEXT: DivideError: integer division error
told(() -> big(1) ÷ 0)
# CHECK-NEXT: InexactError: Int64(9223372036854775808)
told(() -> Int64(big(2)^63))
# CHECK-NEXT: InexactError: BigInt(1.5)
told(() -> BigInt(1.5))
# CHECK-NEXT: OutOfMemoryError()
told(() -> big(2)^(big(2)^70))
# CHECK-NEXT: OutOfMemoryError()
told(() -> big(1) << 10^12)
# CHECK-NEXT: ArgumentError: invalid BigInt: "12x"
told(() -> parse(BigInt, "12x"))
# CHECK-NEXT: DomainError with -1.0:
# CHECK-NEXT: NaN result for non-NaN input.
told(() -> log(big(-1.0)))
# CHECK-NEXT: DomainError with -3:
# CHECK-NEXT: `n` must not be negative.
told(() -> factorial(big(-3)))
