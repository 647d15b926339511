# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Inlining ends where a function has grown too large, and says so once, with the line of the first call that is left. Each of
# the functions below calls the one before it twice, always in place: 2^17 bodies.
#
# RUN: %kiln compile %s 'kernel(CuDeviceVector{Float32,1})' --target ptx --emit llvm -o %t.ll 2> %t.err
# RUN: %filecheck %s --check-prefix=WARNS --input-file %t.err
# RUN: %filecheck %s --check-prefix=CALLS --input-file %t.ll
# WARNS: warning: {{.*}}inlining.jl:[[@LINE+20]]:{{[0-9]+}}: inlining stops: {{.*}} is called, and so is what comes behind: with all that was inlined into it, kernel has 3{{[0-9]+}} statements already
# WARNS: hint: the code is right, but slower than it could be; divide the function into several, or mark what it calls most @noinline
# WARNS-NOT: inlining stops
# CALLS: call {{.*}}@julia_
#
# One level of the same says nothing.
# RUN: %kiln compile %s 'small(CuDeviceVector{Float32,1})' --target ptx --emit llvm -o %t.small.ll 2> %t.small.err
# RUN: %empty < %t.small.err

using CUDA

function kernel(y)
    y[1] = d17(y[2])
    return
end
function small(y)
    y[1] = d5(y[2])
    return
end
@inline d0(x) = muladd(x, x, x)
@inline d1(x) = d0(x) + d0(x)
@inline d2(x) = d1(x) + d1(x)
@inline d3(x) = d2(x) + d2(x)
@inline d4(x) = d3(x) + d3(x)
@inline d5(x) = d4(x) + d4(x)
@inline d6(x) = d5(x) + d5(x)
@inline d7(x) = d6(x) + d6(x)
@inline d8(x) = d7(x) + d7(x)
@inline d9(x) = d8(x) + d8(x)
@inline d10(x) = d9(x) + d9(x)
@inline d11(x) = d10(x) + d10(x)
@inline d12(x) = d11(x) + d11(x)
@inline d13(x) = d12(x) + d12(x)
@inline d14(x) = d13(x) + d13(x)
@inline d15(x) = d14(x) + d14(x)
@inline d16(x) = d15(x) + d15(x)
@inline d17(x) = d16(x) + d16(x)
