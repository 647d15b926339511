# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# An exception of a kernel on the CPU: which one, in which thread of which block, on which line; exit status 1.
#
# RUN: env KILN_CPU_THREADS=1 %status 1 %kiln run %s bounds --arg 'zeros(Float32, 5)' --threads 2 --blocks 4 2>&1 | %filecheck %s --check-prefix=BOUNDS --match-full-lines
#      BOUNDS: {{.*}}exceptions.jl:[[@LINE+48]]:5: BoundsError[108]: thrown in thread (2, 1, 1) of block (3, 1, 1)
# BOUNDS-NEXT: [[@LINE+47]] |     y[i] = 1f0
# BOUNDS-NEXT: | ^~~~~~~~~~
# BOUNDS-NEXT: Stacktrace:
# BOUNDS-NEXT: [1] setindex! @ device/array.jl:{{[0-9]+}}
# BOUNDS-NEXT: [2] bounds @ {{.*}}exceptions.jl:[[@LINE+43]]
#  BOUNDS-NOT: {{.+}}
#
# RUN: %status 1 %kiln run %s divide --arg 'zeros(Int32, 1)' --arg 'Int32(0)' 2>&1 | %filecheck %s --check-prefix=DIVIDE
# RUN: %status 1 %kiln run %s divide --arg 'fill(typemin(Int32), 1)' --arg 'Int32(-1)' 2>&1 | %filecheck %s --check-prefix=DIVIDE
# DIVIDE: exceptions.jl:[[@LINE+43]]:5: DivideError[109]: thrown in thread (1, 1, 1) of block (1, 1, 1)
# RUN: %status 1 %kiln run %s store --arg 'zeros(Int32, 1)' --arg 1.5 2>&1 | %filecheck %s --check-prefix=INEXACT
# RUN: %status 1 %kiln run %s store --arg 'zeros(Int32, 1)' --arg '2^40' 2>&1 | %filecheck %s --check-prefix=INEXACT
# INEXACT: exceptions.jl:[[@LINE+45]]:5: InexactError[111]: thrown in thread
# INEXACT: [1] Int32 @ base/
# INEXACT: ] store @ {{.*}}exceptions.jl:[[@LINE+43]]
# RUN: %kiln run %s store --arg 'zeros(Int32, 1)' --arg 2.0
# RUN: %status 1 %kiln run %s power --arg 'zeros(Int64, 1)' --arg=-1 2>&1 | %filecheck %s --check-prefix=DOMAIN
# DOMAIN: exceptions.jl:[[@LINE+45]]:5: DomainError[110]: thrown in thread
# DOMAIN: ] power @ {{.*}}exceptions.jl:[[@LINE+44]]
#
# A message of the program's own, whole; the thread that threw it and no other.
# RUN: %status 1 %kiln run %s picky --arg 'zeros(Int64, 4)' --threads 1,4 2>&1 | %filecheck %s --check-prefix=ERROR
# ERROR: exceptions.jl:[[@LINE+45]]:5: ErrorException[114]: the third is unwelcome, in thread (1, 3, 1) of block (1, 1, 1)
# RUN: %status 1 %kiln run %s throws --arg 'zeros(Int64, 4)' 2>&1 | %filecheck %s --check-prefix=THROW
# THROW: exceptions.jl:[[@LINE+48]]:5: ArgumentError[107]: no such thing, in thread (1, 1, 1)
# RUN: %status 1 %kiln run %s asserts --arg 'zeros(Int64, 4)' 2>&1 | %filecheck %s --check-prefix=ASSERT
# ASSERT: exceptions.jl:[[@LINE+50]]:{{[0-9]+}}: AssertionError[113]: y[1] > 0, in thread
#
# Level 0 knows neither which nor where, and says what would.
# RUN: env KILN_CPU_THREADS=1 %status 1 %kiln run %s bounds --arg 'zeros(Float32, 5)' --threads 2 --blocks 4 -g0 2>&1 | %filecheck %s --check-prefix=LEVEL0 --match-full-lines
#      LEVEL0: error[100]: an exception was thrown in thread (2, 1, 1) of block (3, 1, 1)
# LEVEL0-NEXT: hint: -g1 tells which one and where
#
# What other threads wrote before is no result: nothing is written.
# RUN: rm -f %t.npy
# RUN: env KILN_CPU_THREADS=1 %status 1 %kiln run %s bounds --arg 'zeros(Float32, 5)' --threads 2 --blocks 4 --out 1=%t.npy 2>/dev/null
# RUN: %status 1 test -e %t.npy
#
# A plain function throws too.
# RUN: %status 1 %kiln run %s quotient --no-kernel --arg 1 --arg 0 2>&1 | %filecheck %s --check-prefix=PLAIN
# PLAIN: exceptions.jl:[[@LINE+40]]:{{[0-9]+}}: DivideError
# RUN: %status 1 %kiln run %s quotient --no-kernel --arg 1 --arg 0 2>/dev/null | %empty

using CUDA

function bounds(y)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    y[i] = 1f0
    return
end

function divide(y, d)
    y[1] = y[1] ÷ d
    return
end

function store(y, x)
    y[1] = x
    return
end

function power(y, n)
    y[1] = 2^n
    return
end

function picky(y)
    threadIdx().y == 3 && error("the third is unwelcome")
    return
end

function throws(y)
    throw(ArgumentError("no such thing"))
end

function asserts(y)
    @assert y[1] > 0
    return
end

quotient(a, b) = a ÷ b
