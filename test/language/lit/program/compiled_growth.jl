# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: sh -c 'KILN_LOG=debug %kiln script --device cpu %s 2>&1 >/dev/null' | %filecheck %s --check-prefix=HOT
# Compiled code changes the length of vectors: its own, and those that it was given, also if it throws.
function primes(n)
    found = Int[]
    composite = fill(false, n)
    for i in 2:n
        composite[i] && continue
        push!(found, i)
        for j in i*i:i:n
            composite[j] = true
        end
    end
    return found
end
# HOT: primes(::Int64) runs as compiled code
# CHECK: 9592 99991
p = primes(100_000)
println(length(p), " ", p[end])

# A given vector has its new length after the call, and can grow in the next one.
function extend!(v, n)
    for i in 1:n
        push!(v, i)
    end
    return v
end
v = [0]
# HOT: extend!(::Array{Int64, 1}, ::Int64) runs as compiled code
# CHECK: true 4001 8002000
println(extend!(v, 4000) === v, " ", length(v), " ", sum(v))
# CHECK-NEXT: 8001 16004000
extend!(v, 4000)
println(length(v), " ", sum(v))
# A vector that shares its elements parts from the others when it grows.
m = reshape(v, 3, 2667)
extend!(v, 3000)
v[1] = 7
# CHECK-NEXT: 0 7 11001
println(m[1], " ", v[1], " ", length(v))

# After an exception the vector has what was pushed before it: in a short call, which the interpreter repeats, and in a
# long one.
function fail!(v, n)
    for i in 1:n
        push!(v, i)
    end
    return v[length(v)+1]
end
for n in (2000, 3_000_000)
    w = Int[]
    try
        fail!(w, n)
    catch e
        println(e isa BoundsError, " ", length(w), " ", w[end])
    end
end
# HOT: fail!(::Array{Int64, 1}, ::Int64) runs as compiled code
# CHECK: true 2000 2000
# CHECK: true 3000000 3000000

# A queue, and both ends.
function visit(n)
    queue = [1]
    order = Int[]
    while !isempty(queue)
        k = popfirst!(queue)
        push!(order, k)
        2k <= n && push!(queue, 2k)
        2k < n && pushfirst!(queue, 2k + 1)
    end
    return order
end
# HOT: visit(::Int64) runs as compiled code
# CHECK: 5000 12502500 true
o = visit(5000)
println(length(o), " ", sum(o), " ", sort(o) == 1:5000)

# Errors of empty vectors.
function drain(v, n)
    s = 0
    for i in 1:n
        s += pop!(v)
    end
    return s
end
# HOT: drain(::Array{Int64, 1}, ::Int64) runs as compiled code
# CHECK: 500500
println(drain(collect(1:2000), 1000) - 1_000_000)
# CHECK-NEXT: ArgumentError: array must be non-empty
try
    drain(collect(1:2000), 2001)
catch e
    println(sprint(showerror, e))
end
