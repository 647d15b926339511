# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# --timings of a program: its host code, launches and waits are rows, and little of the wall time is untimed.
#
# REQUIRES: allocations
# RUN: printf 'one line\n' | %kiln script --device cpu --timings=json:%t.json %s | %filecheck %s
# CHECK: one line 832040 4.0
# RUN: %timings program %t.json 0.4 | %filecheck %s --check-prefix=ROWS
# ROWS: stages: {{.*}}open the session{{.*}}run the program
# ROWS: all stages: {{.*}}host interpretation
# RUN: %timings program %t.json 0.4 | %filecheck %s --check-prefix=COMPILED
# COMPILED: all stages: {{.*}}compiled host code
# RUN: %timings program %t.json 0.4 | %filecheck %s --check-prefix=LAUNCH
# LAUNCH: all stages: {{.*}}launch, {{.*}}wait for the device
# RUN: %timings program %t.json 0.4 | %filecheck %s --check-prefix=INPUT
# INPUT: all stages: {{.*}}wait for input
using CUDA

fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)

function wait_until(limit)
    n = 0
    while time() < limit
        n += 1
    end
    return n
end

line = readline()
f = fib(30)
x = CUDA.ones(Float32, 4)
wait_until(time() + 0.4)
println(line, " ", f, " ", sum(x))
