# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: sh -c 'KILN_LOG=debug %kiln script --device cpu %s 2>&1 >/dev/null' | %filecheck %s --check-prefix=HOT
# Compiled functions whose results have one of several types. Expected values: Python.
function search(a, x, all)
    found = Int[]
    for i in 1:length(a)
        if a[i] == x
            all || return i
            push!(found, i)
        end
    end
    return isempty(found) ? nothing : found
end
a = [mod(i, 100) for i in 1:100_000]
# HOT: search(::Array{Int64, 1}, ::Int64, ::Bool) runs as compiled code
# CHECK: 7 1000 nothing nothing
println(search(a, 7, false), " ", length(search(a, 7, true)), " ", search(a, 200, true), " ", search(a, 200, false))
function mixed(n)
    s = 0
    for i in 1:n
        s += i % 7
    end
    n % 3 == 0 && return s
    n % 3 == 1 && return s / 2
    return (s, "text")
end
# HOT: mixed(::Int64) runs as compiled code
# CHECK-NEXT: 90000 Int64
# CHECK-NEXT: 45003.0 Float64
# CHECK-NEXT: (90006, "text") Tuple{Int64, String}
for n in (30_000, 30_001, 30_002)
    println(mixed(n), " ", typeof(mixed(n)))
end
# Inference joins five types to Any.
function many(n)
    s = 0
    for i in 1:n
        s += i
    end
    return s % 5 == 0 ? 1 : s % 5 == 1 ? 2.0 : s % 5 == 2 ? 'c' : s % 5 == 3 ? true : "s"
end
# HOT: many(::Int64) stays interpreted: it gives a Any
# CHECK-NEXT: 1 2.0
println(many(5000), " ", many(5001 + 1000))
