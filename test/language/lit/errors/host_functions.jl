# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A message about what kernels lack names what the program wrote, and what to write instead.
# REQUIRES: programs
# RUN: %status 1 %kiln script --device cpu %s digits 2>&1 | %filecheck %s --check-prefix=DIGITS
# DIGITS-NOT: __digits
# DIGITS: digits makes an array, for which a kernel has no memory: digits!(A, n)
# DIGITS-NOT: __digits
# DIGITS: host_functions.jl:[[@LINE+20]]
# RUN: %status 1 %kiln script --device cpu %s keyword 2>&1 | %filecheck %s --check-prefix=KEYWORD
# KEYWORD: `string` of a number makes a string, for which a kernel has no memory
# RUN: %status 1 %kiln script --device cpu %s show 2>&1 | %filecheck %s --check-prefix=SHOW
# SHOW: this macro runs on the host only
# RUN: %status 1 %kiln script --device cpu %s atomic 2>&1 | %filecheck %s --check-prefix=ATOMIC
# RUN: %status 1 %kiln script --device cpu %s add 2>&1 | %filecheck %s --check-prefix=ATOMIC
# RUN: %status 1 %kiln script --device cpu %s swap 2>&1 | %filecheck %s --check-prefix=ATOMIC
# ATOMIC: Complex{Float32}
# ATOMIC: hint: update the two parts one by one: r = reinterpret(Float32, a)
# RUN: %kiln script --device cpu %s cure | %filecheck %s --check-prefix=CURE
# CURE: true
# RUN: %status 1 %kiln script --device cpu %s mixed 2>&1 | %filecheck %s --check-prefix=MIXED
# MIXED: cannot be evaluated here
# MIXED-NOT: device
# MIXED: hint: convert its arguments to one type first

using CUDA

function digits_of(a)
    a[1] = length(digits(5))
    return
end
keyword(a) = (a[1] = length(string(5, base=2)); nothing)
show_it(a) = (@show a[1]; nothing)
atomic(a) = (CUDA.@atomic a[1] += 1f0im; nothing)
add(a) = (CUDA.atomic_add!(pointer(a), 1f0im); nothing)
swap(a) = (CUDA.@atomicswap a[1] = 1f0im; nothing)
function cure(a)
    r = reinterpret(Float32, a)
    CUDA.@atomic r[2 * 2 - 1] += 1f0
    CUDA.@atomic r[2 * 2] += 2f0
    return
end

what = ARGS[1]
a = CUDA.zeros(ComplexF32, 2)
if what == "digits"
    @cuda digits_of(CUDA.zeros(2))
elseif what == "show"
    @cuda show_it(a)
elseif what == "mixed"
    Core.Intrinsics.add_int(Int32(1), 2)
else
    @cuda threads=5 getfield(Main, Symbol(what))(a)
    println(Array(a) == ComplexF32[0, 5 + 10im])
end
