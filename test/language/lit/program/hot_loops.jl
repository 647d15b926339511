# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Long loops run as compiled code, also where the function around them prints, catches or has variables of several types.
#
# RUN: %kiln script --device cpu %s | %filecheck %s --match-full-lines
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 | %filecheck %s --check-prefix=KEPT
function heat(nx, ny, nt, nout)
    T = zeros(nx, ny)
    T2 = zeros(nx, ny)
    T[div(nx, 2), div(ny, 2)] = 1000.0
    name = "heat"
    for it in 1:nt
        for j in 2:ny-1, i in 2:nx-1
            T2[i, j] = T[i, j] + 0.125 * (T[i+1, j] + T[i-1, j] + T[i, j+1] + T[i, j-1] - 4 * T[i, j])
        end
        T, T2 = T2, T
        it % nout == 0 && println(name, " ", it)
    end
    return T
end
# Values of the same steps in NumPy.
# KEPT: heat#loop{{.*}}Array{Float64, 2}{{.*}} runs as compiled code
#      CHECK: heat 30
# CHECK-NEXT: heat 60
# CHECK-NEXT: 10.611883152
# CHECK-NEXT: 5.816661779
T = heat(60, 60, 60, 30)
println(round(T[30, 30]; digits=9))
println(round(T[33, 27]; digits=9))

# The loop returns, or throws, from within. Effects before the exception stay.
function search(v, x, io)
    print(io, "<")
    for (i, y) in enumerate(v)
        v[i] += 1
        y == x && return string("found at ", i)
        y < 0 && error("negative at ", i)
    end
    return "not found"
end
io = IOBuffer()
v = collect(1:5000)
# CHECK-NEXT: found at 4321
println(search(v, 4321, io))
# CHECK-NEXT: not found 14321
println(search(v, 1, io), " ", sum(v) - sum(1:5000) + 5000)
w = collect(1:2_000_000)
w[1_999_990] = -5
# CHECK-NEXT: negative at 1999990
try
    search(w, 0, io)
catch e
    println(e.msg)
end
# CHECK-NEXT: 1999989 2000000 -4 1999991
println(w[1_999_988], " ", w[2_000_000], " ", w[1_999_990], " ", w[1_999_991])
# CHECK-NEXT: <<<
println(String(take!(io)))

# A catch block reads what the loop assigns.
function last_index(v, n)
    i = 0
    try
        while true
            i += 1
            v[i] = i
        end
    catch e
        return (i, e isa BoundsError)
    end
end
# CHECK-NEXT: (30001, true)
println(last_index(zeros(Int, 30_000), 1))

# A closure shares a variable that the loop assigns.
function shared(n)
    count = 0
    seen() = count
    println(seen())
    total = 0
    for k in 1:n
        count += 1
        total += seen()
    end
    return (count, total, seen())
end
# CHECK-NEXT: 0
# CHECK-NEXT: (3000, 4501500, 3000)
println(shared(3000))

# A variable changes its type, one is assigned in the loop alone, and type parameters are used.
function widened(A::Array{T,N}, n) where {T,N}
    s = 0
    largest = typemin(T)
    for k in 1:n
        s += k == n ? A[1] / 4 : N
        if A[k] > largest
            largest = A[k]
            place = k
        end
    end
    println(s, " ", largest, " ", T)
    for k in 1:n
        last_one = k
        last_one > 4000 && break
        s = last_one
    end
    return s
end
# CHECK-NEXT: 7998.25 3 Int64
# CHECK-NEXT: 4000
println(widened(reshape([1; fill(3, 5999); 9; fill(2, 1999)], 8000, 1)[1:8000, :], 4000))
# CHECK-NEXT: 15998.25 9 Int64
# CHECK-NEXT: 4000
println(widened(reshape([1; fill(3, 5999); 9; fill(2, 1999)], 8000, 1), 8000))

# Loops at top level, and in blocks there.
# KEPT: top-level#loop{{.*}} runs as compiled code
total = let t = 0
    println("block")
    for i in 1:200_000
        t = (t * 31 + i) % 1009
    end
    t
end
# CHECK-NEXT: block
# CHECK-NEXT: 207
println(total)

# Statements on the way out of a loop run in the interpreter: the loop is compiled without them.
function first_above(v, limit)
    found = Ref(0)
    check = range -> begin
        for i in range
            if v[i] > limit
                found[] = i
                println("above at ", i)
                break
            end
        end
    end
    check(1:length(v))
    return found[]
end
# KEPT: #loop#{{.*}} runs as compiled code
# CHECK-NEXT: above at 90001
# CHECK-NEXT: (90001, 0)
println((first_above(collect(1:100_000), 90_000), first_above(collect(1:100_000), 100_000)))
