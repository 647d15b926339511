# RUN: %kiln script --device cpu %s | %filecheck %s
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 >/dev/null | %filecheck %s --check-prefix=COMPILED
# RUN: env KILN_LOG=debug %kiln script --device cpu %s 2>&1 >/dev/null | %filecheck %s --check-prefix=ALL --implicit-check-not "compiled_{{[a-z!]+}}({{.*}}stays"
# Loops over dictionaries, sets and strings. Functions named compiled_... run as compiled code. The expected values are
# those of the same loops in Python.
# COMPILED: compiled_add!(::Dict{Int64, Int64}, ::Int64) runs as compiled code
# ALL: runs as compiled code
# COMPILED: compiled_words(::Array{SubString{String}, 1}) runs as compiled code

# A loop that begins anew as compiled code changes a dictionary of the caller once.
function compiled_add!(d, n)
    for i in 1:n
        d[i % 7] = get(d, i % 7, 0) + i
    end
    return length(d)
end
d = Dict(0 => 100, 100 => 5)
println(compiled_add!(d, 5000), " ", [d[k] for k in 0:6], " ", d[100])
# CHECK: 8 [1786885, 1787500, 1788215, 1783929, 1784643, 1785357, 1786071] 5

function compiled_words(words)
    counts = Dict{String,Int}()
    for word in words
        counts[word] = get(counts, word, 0) + 1
    end
    return counts
end
words = split(join(("w" * string(i * i % 11) for i in 1:3000), ' '))
println([k => v for (k, v) in compiled_words(words)])
# CHECK-NEXT: ["w1" => 545, "w4" => 545, "w9" => 546, "w5" => 546, "w3" => 546, "w0" => 272]

# A KeyError has its key, in a short call that the interpreter repeats, and in a long one.
function compiled_find(d, keys)
    s = 0
    for k in keys
        d["seen"] += 1
        s += d[k]
    end
    return s
end
e = Dict("a" => 1, "b" => 2, "seen" => 0)
keys_of(n) = split(repeat("a b ", n))
println(compiled_find(e, keys_of(2000)), " ", e["seen"])
# CHECK-NEXT: 6000 4000
for (n, at) in ((2000, 100), (100_000, 150_000))
    list = keys_of(n)
    list[at] = SubString("a missing", 3)
    println(try compiled_find(e, list) catch x; sprint(showerror, x) end, " ", e["seen"])
end
# CHECK-NEXT: KeyError: key "missing" not found 4100
# CHECK-NEXT: KeyError: key "missing" not found 154100

# Exceptions of the program in the middle of changes, with values and texts.
struct Broken <: Exception; at::Int; key::String; end
function compiled_fill!(d, n, limit, way)
    for i in 1:n
        d[i] = 2i
        i == limit && way == 1 && throw(Broken(i, "k"))
        i == limit && way == 2 && error("broken at $i of ", n / 2)
        i == limit && way == 3 && throw(DomainError(i, "no"))
        delete!(d, i - 10)
    end
    return d
end
function tried(n, limit, way)
    d = Dict(-1 => -1)
    result = try length(compiled_fill!(d, n, limit, way)) catch e; sprint(showerror, e) end
    println(result, " ", length(d), " ", sum(p -> p.second, d))
end
tried(5000, 0, 1)
# CHECK-NEXT: 10 10 99910
tried(50, 40, 1)
tried(5000, 4000, 1)
tried(400_001, 400_000, 1)
# CHECK-NEXT: Broken(40, "k") 11 770
# CHECK-NEXT: Broken(4000, "k") 11 87890
# CHECK-NEXT: Broken(400000, "k") 11 8799890
tried(50, 40, 2)
tried(400_001, 400_000, 2)
# CHECK-NEXT: broken at 40 of 25.0 11 770
# CHECK-NEXT: broken at 400000 of 200000.5 11 8799890
tried(50, 40, 3)
# CHECK-NEXT: DomainError with 40{{.*}}
# CHECK-NEXT: no 11 770

# Keys and values that are structs; NaN and -0.0 as keys.
function compiled_points(n)
    d = Dict{Tuple{Int,Float64},NamedTuple{(:a, :s),Tuple{Bool,String}}}()
    for i in 1:n
        k = (i % 3, i % 2 == 0 ? NaN : -0.0)
        v = get(d, k, (a=false, s="none"))
        d[k] = (a=!v.a, s=v.s == "none" ? "one" : "many")
    end
    haskey(d, (1, 0.0)) && empty!(d)
    return d
end
foreach(println, [(k, v) for (k, v) in compiled_points(3001)])
# CHECK-NEXT: ((1, -0.0), (a = true, s = "many"))
# CHECK-NEXT: ((2, NaN), (a = false, s = "many"))
# CHECK-NEXT: ((0, -0.0), (a = false, s = "many"))
# CHECK-NEXT: ((1, NaN), (a = false, s = "many"))
# CHECK-NEXT: ((2, -0.0), (a = false, s = "many"))
# CHECK-NEXT: ((0, NaN), (a = false, s = "many"))

function compiled_sets(n)
    s, t = Set{Int}(), Set{String}()
    for i in 1:n
        push!(s, i * i % 100)
        i % 4 == 0 && delete!(s, i % 100)
        push!(t, i % 2 == 0 ? "even" : "odd")
    end
    total = 0
    for x in s
        total = total * 3 % 1000003 + x
    end
    return (length(s), total, length(t), "even" in t, "neither" in t)
end
println(compiled_sets(3000))
# CHECK-NEXT: (18, 985295, 2, true, false)

# Deletion and clearing.
function compiled_queue(n)
    d = Dict{Int,String}()
    log = 0
    for i in 1:n
        d[i] = "v"
        if length(d) == 100
            (k, v) = first(d)
            delete!(d, k)
            log += k
        end
        i % 1000 == 0 && empty!(d)
    end
    return log, length(d)
end
println(compiled_queue(2950))
# CHECK-NEXT: (3778228, 99)
rest = Dict(i => i for i in 1:100)
filter!(p -> p.first > 99, rest) # more than three quarters are deleted during the loop
println(rest)
# CHECK-NEXT: Dict(100 => 100)

# Variables of the program: new contents, new values, and values of another type.
table = Dict("x" => 1)
names = ["a", "b", "x"]
const LIMITS = [10, 20, 30]
function compiled_use(n)
    s = 0
    for i in 1:n
        for name in names
            s += get(table, name, 0)
        end
        s += LIMITS[i % 3 + 1]
    end
    return s
end
println(compiled_use(3000))
table["a"] = 5
println(compiled_use(3000))
table = Dict("b" => 7)
println(compiled_use(3000))
names = ["b", "b"]
push!(names, "b")
LIMITS[1] = 0
println(compiled_use(3000))
# CHECK-NEXT: 63000
# CHECK-NEXT: 78000
# CHECK-NEXT: 81000
# CHECK-NEXT: 113000
use_of(d) = get(d, "b", 0)
mixed(n) = (s = 0; for i in 1:n; s += use_of(table); end; s)
println(mixed(3000))
table = Dict("b" => 0.5)
println(mixed(3000))
table = 7
println(try mixed(3) catch e; typeof(e) end)
# CHECK-NEXT: 21000
# CHECK-NEXT: 1500.0
# CHECK-NEXT: MethodError

# A dictionary within a dictionary.
nested = Dict(1 => Dict("a" => 1), 2 => Dict("b" => 2))
function compiled_nested(n)
    t = 0
    for i in 1:n
        inner = nested[i % 2 + 1]
        inner["n"] = get(inner, "n", 0) + 1
        t += length(inner)
    end
    return t
end
println(compiled_nested(2001), " ", nested[1]["n"], " ", nested[2]["n"])
# CHECK-NEXT: 4002 1000 1001

# Strings: order, equality, parts, lengths in bytes and characters.
function compiled_order(words)
    first_at = Dict{String,Int}()
    for (i, w) in enumerate(words)
        haskey(first_at, w) || (first_at[w] = i)
    end
    best, bytes = "", 0
    for (w, i) in first_at
        (isempty(best) || w > best) && (best = w)
        bytes += ncodeunits(w) * 10 + length(w)
    end
    return best, first_at[best], bytes, best == "é", best === "z"
end
println(compiled_order(repeat(["ab", "zz", "é", "b"], 500)))
# CHECK-NEXT: ("é", 3, 76, true, false)

# More strings than one scan of the stack keeps.
function compiled_parts(words, rounds)
    longest, different = "", 0
    for k in 1:rounds, w in words
        s = String(w)
        s == longest || (different += 1)
        ncodeunits(s) > ncodeunits(longest) && (longest = s)
    end
    return longest, different
end
println(compiled_parts(split("one three two"), 100_000))
# CHECK-NEXT: ("three", 200001)
