# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Long loops that assign global variables run as compiled code, and leave in the variables what the interpreter leaves.
# The values are those of the same loops in Python.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 | %filecheck %s --check-prefix=KEPT
# KEPT: top-level#loop{{.*}} runs as compiled code
#      CHECK: 400001
s = 0
for i in 1:200_000
    global s += i * i % 7
end
println(s)
# CHECK-NEXT: 895516 520930 50000
a, b, steps = 0, 1, 0
for i in 1:50_000
    global a, b = b, (a + b) % 1_000_003
    global steps += 1
end
println(a, " ", b, " ", steps)
# CHECK-NEXT: 1 181 2000
n, rounds, longest, seed = 1, 0, 0, 1
while seed < 2_000
    global n = seed
    global rounds = 0
    while n != 1
        global n = iseven(n) ? n ÷ 2 : 3n + 1
        global rounds += 1
    end
    global longest = max(longest, rounds)
    global seed += 1
end
println(n, " ", longest, " ", seed)
# The variable changes its type.
# CHECK-NEXT: 7499.5
x = 0
for i in 1:10_000
    global x = i < 5_000 ? x + 1 : x + 0.5
end
println(x)
# After an exception the variable has its last value.
# CHECK-NEXT: BoundsError 1800030000
v = collect(1:60_000)
t = 0
try
    for i in 1:100_000
        global t += v[i]
    end
catch e
    println(typeof(e), " ", t)
end
# Functions that the loop calls read or assign the variable, also under another name.
# CHECK-NEXT: 20000 60000 20000
u, w = 0, 0
reads() = u + 1
writes() = (global w += 2)
for i in 1:20_000
    global u = reads()
end
for i in 1:20_000
    writes()
    global w += 1
end
module M
import Main
k = 0
reads() = getfield(Main, :q) + 1
end
q = 0
for i in 1:20_000
    global q = M.reads()
end
println(u, " ", w, " ", q)
# CHECK-NEXT: 50366
hits = 0
for i in 1:2_000
    for j in 1:100
        global hits += (i * j) % 3 == 0
        hits > 50_000 && break
    end
end
println(hits)
# Loops of a function that prints.
# CHECK-NEXT: done
# CHECK-NEXT: 12.090146129863335
total = 0.0
function fill_total(n)
    for i in 1:n
        global total += 1 / i
    end
    println("done")
end
fill_total(100_000)
println(total)
# CHECK-NEXT: 20000.0 12502500 1.04229175e10
y::Float64 = 0
for i in 1:20_000
    global y += 1
end
z, values = 0, Float64[]
for i in 1:5_000
    global z += i
    push!(values, z / 2)
end
println(y, " ", z, " ", sum(values))
