# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: sh -c 'ulimit -v 1500000; %kiln script --device cpu %S/inputs/hoards.jl' | %filecheck %s --check-prefix=HOARD
# What a program cannot have says so by name, what to write instead, and where; programs go on behind it.
# HOARD: OutOfMemoryError 1
# HOARD-NEXT: OutOfMemoryError 2
# HOARD-NEXT: OutOfMemoryError 3
# HOARD-NEXT: OutOfMemoryError 4
# HOARD-NEXT: 2.0e8
function told(f)
    try
        f()
        println("nothing was refused")
    catch e
        println(e isa ErrorException ? first(e.msg, 60) : sprint(showerror, e))
    end
end
# Locks are free, and what asks for types finds them.
l = ReentrantLock()
n = 0
lock(l) do
    global n += 1
end
@lock l n += 1
# CHECK: 2 false true
println(n, " ", 3 isa BigInt, " ", BigInt <: Integer)

# Recursion without end, and what is left behind it.
endless(n) = string(n) * endless(n + 1)
for k in 1:3
    try
        endless(1)
    catch e
        println(typeof(e), " ", k)
    end
end
# CHECK-NEXT: StackOverflowError 1
# CHECK-NEXT: StackOverflowError 2
# CHECK-NEXT: StackOverflowError 3
# CHECK-NEXT: 42
println(40 + 2)
