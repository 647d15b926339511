# RUN: %kiln script --device cpu %s | %filecheck %s
# What programs of users' asked for and did not get: found by programs of several kinds, by hand and by Python.

# Structs that refer to themselves, after other fields too.
struct Tree
    value::Int
    left::Union{Tree,Nothing}
    right::Union{Tree,Nothing}
end
insert(::Nothing, v) = Tree(v, nothing, nothing)
insert(n::Tree, v) = v < n.value ? Tree(n.value, insert(n.left, v), n.right) : Tree(n.value, n.left, insert(n.right, v))
walk(::Nothing) = Int[]
walk(n::Tree) = [walk(n.left); n.value; walk(n.right)]
depth(n) = n === nothing ? 0 : 1 + max(depth(n.left), depth(n.right))
tree = foldl(insert, [5, 3, 8, 1, 4, 9]; init=nothing)
# CHECK: [1, 3, 4, 5, 8, 9] 3 Union{Nothing, Tree} true
println(walk(tree), " ", depth(tree), " ", fieldtype(Tree, :left), " ", fieldtype(Tree, :left) === Union{Tree,Nothing})
struct Item
    name::String
    inside::Vector{Item}
    first::Tuple{Int,Union{Nothing,Item}}
end
# CHECK-NEXT: 2 b
let b = Item("b", Item[], (0, nothing)), a = Item("a", [b, b], (1, b))
    println(length(a.inside), " ", a.first[2].name)
end

# What is folded and empty; Julia's identity elements, errors where there is none.
# CHECK-NEXT: 0 1.0 0 0 5
println(reduce(+, Int[]), " ", reduce(*, Float64[]), " ", mapreduce(abs, +, Int[]), " ", foldl(+, Int[]), " ", reduce(+, Int[]; init=5))
for f in (() -> reduce(max, Int[]), () -> reduce(+, []), () -> mapreduce(x -> 2x, +, Int[]))
    try
        println(f())
    catch e
        println(typeof(e))
    end
end
# CHECK-NEXT: ArgumentError
# CHECK-NEXT: {{ArgumentError|MethodError}}
# CHECK-NEXT: ArgumentError

# Comprehensions over what has a length, but no shape.
struct Squares
    n::Int
end
Base.iterate(s::Squares, i=1) = i > s.n ? nothing : (i^2, i + 1)
Base.length(s::Squares) = s.n
Base.eltype(::Type{Squares}) = Int
# CHECK-NEXT: [2 3 4; 5 6 7] ["ax" "ay"; "bx" "by"] (2, 3, 1)
println([x + y for x in Squares(2), y in 1:3], " ", [a * b for a in "ab", b in "xy"], " ", size([1 for a in "ab", b in 1:3, c in Squares(1)]))

# CHECK-NEXT: [1] [1, 4, 5] [1, 3] [1, 2, 3] [2] [3]
println(setdiff([1, 2, 3], [2], [3]), " ", setdiff(1:5, 2:3), " ", symdiff([1, 2], [2, 3]), " ", union(1:2, [3]), " ", intersect([1, 2], 2:3), " ", setdiff(eachindex([7, 8, 9]), (1, 2)))
# CHECK-NEXT: true false [1, 2] [1, 2, 9] true
let s = Set([1, 2, 3])
    println(issubset([1], s), " ", isdisjoint([1], s), " ", sort(collect(setdiff!(s, 3:4))), " ", sort(collect(s ∪ [9])), " ", s ∩ [1] == Set([1]))
end
# CHECK-NEXT: 2 0 7
println(get([1, 2], 2, 0), " ", get([1, 2], 3, 0), " ", get(() -> 7, [1], 5))
# CHECK-NEXT: true false true true false
println(isabstracttype(Number), " ", isabstracttype(Int), " ", isprimitivetype(Int), " ", isstructtype(Tree), " ", isabstracttype(Vector))
# CHECK-NEXT: UInt8[0x61, 0x0a] 2
let path = tempname()
    write(path, "a\n")
    println(read(path), " ", open(f -> length(read(f)), path))
    rm(path)
end

# @fastmath over a definition: its arithmetic, as Base.FastMath has it. x + y - x is y then.
@fastmath function lost(x, y)
    z = x + y
    return isnan(z - z)
end
@fastmath same(x) = isnan(x)
# CHECK-NEXT: false false true
println(lost(Inf, 1.0), " ", same(NaN), " ", isnan(Inf - Inf))

# Methods of a local function are there from its beginning; of two alike the last one is.
function two()
    h(x::Int) = "int"
    a = h(1)
    h(x::String) = "text"
    return a, h(1), h("s")
end
function redefined()
    k() = 1
    a = k()
    k() = 2
    return a, k()
end
# CHECK-NEXT: ("int", "int", "text") (2, 2)
println(two(), " ", redefined())
function either(n)
    if n > 0
        inner(x) = x + 1
    else
        inner(x) = x + 2
    end
    return inner(1)
end
# CHECK-NEXT: 3 UndefVarError
println(either(1), " ", try either(-1) catch e; typeof(e) end)
# CHECK-NEXT: a\nb$c true false NamedTuple()
println(raw"a\nb$c", " ", ismutable([1]), " ", ismutable(1), " ", NamedTuple())

# Elements' types of what is empty.
# CHECK-NEXT: Vector{Int64} Vector{Float64} Vector{Bool} Matrix{Int64}
println(typeof(Int[] .+ Int[]), " ", typeof(Int[] .* 2.0), " ", typeof(Int[] .> 1), " ", typeof(zeros(Int, 0, 2) .+ 1))
# CHECK-NEXT: Vector{Int64} Vector{Int64} Vector{Float64} Vector{Float64}
println(typeof([x for x in Int[]]), " ", typeof(map(x -> x + 1, Int[])), " ", typeof([x / 2 for x in 1:0]), " ", typeof(sqrt.(Int[])))
# Pascal's triangle, whose first turn has an empty middle.
let row = [1]
    for _ in 1:5
        # CHECK-NEXT: {{^1$}}
        # CHECK-NEXT: 1 1
        # CHECK-NEXT: 1 2 1
        # CHECK-NEXT: 1 3 3 1
        # CHECK-NEXT: 1 4 6 4 1
        println(join(row, " "))
        row = [1; row[1:end-1] .+ row[2:end]; 1]
    end
end

@enum Color red = 1 green blue
# CHECK-NEXT: red 3 green (red, green, blue) blue Color[red, blue] green
println(red, " ", Int(blue), " ", Color(2), " ", instances(Color), " ", Symbol(blue), " ", [red, blue], " ", string(green))
# CHECK-NEXT: ArgumentError: invalid value for Enum Color: 7
println(try Color(7) catch e; sprint(showerror, e) end)
# CHECK-NEXT: red::Color = 1
display(red)
# CHECK-NEXT: 8.0 1.5 0.75 (0.75, 4)
println(ldexp(1.0, 3), " ", significand(12.0), " ", ldexp(3f0, -2), " ", frexp(12.0))
# CHECK-NEXT: [2 4; 1 3] [3 1; 4 2] [4 3; 2 1]
println(rotl90([1 2; 3 4]), " ", rotr90([1 2; 3 4]), " ", rot180([1 2; 3 4]))
# Splitting: at blanks of all kinds, texts, characters; parts of parts; empty parts.
# CHECK-NEXT: ["a", "b", "c", "d"] ["", "a", "b", ""] ["a", "b"] ["a", "b c d"] ["x", "y", "", "z"] ["é", "ü"] ["a", ""] String[]
let show_all(v) = repr(String.(v)), t = " a b "
    println(join([show_all(split("a\tb\u3000c\u00a0 d\n")), show_all(split(t, ' ')), show_all(split(t)), show_all(split("a b c d"; limit=2)), show_all(split("x--y----z", "--")), show_all(split(SubString("1é,ü2", 2, 5), ',')), show_all(split("a,", ",")), show_all(split("  "))], " "))
end
# CHECK-NEXT: 18000 9
let w = split(repeat("the quick brown fox jumps over the lazy dog ", 2000))
    println(length(w), " ", length(unique(w)) + 1)
end
# CHECK-NEXT: Vector{String} Vector{String} Vector{Int64} Vector{Int64} Vector{String} Vector{Float64}
println(join([typeof(string.(Int[])), typeof(map(string, Int[])), typeof(length.(String[])), typeof(parse.(Int, String[])), typeof(String.(split(""; keepempty=false))), typeof(Float64.(Any[]))], " "))
# CHECK-NEXT: cba ac éb
println("abc"[end:-1:1], " ", "abc"[[1, 3]], " ", "aéb"[[2, 4]])
# CHECK-NEXT: 1[2, 3] é SubString{String} (2, 3)
let (head, tail...) = [1, 2, 3], (a, text...) = "xéz", (_, more...) = (1, 2, 3)
    println(head, tail, " ", text[1], " ", typeof(text), " ", more)
end

# Arrays of a program's own.
struct SparseVec{T} <: AbstractVector{T}
    n::Int
    d::Dict{Int,T}
end
Base.size(s::SparseVec) = (s.n,)
Base.getindex(s::SparseVec{T}, i::Int) where {T} = get(s.d, i, zero(T))
Base.setindex!(s::SparseVec, v, i::Int) = (s.d[i] = v)
let s = SparseVec{Float64}(5, Dict(2 => 1.5))
    s[4] = 2
    # CHECK-NEXT: 3.5 [1.5, 0.0, 2.0] [2.0, 1.5] [1.5, 2.0] [0.0, 3.0, 0.0, 4.0, 0.0] [1.0, 2.5, 1.0, 3.0, 1.0]
    println(sum(s), " ", s[2:4], " ", s[[4, 2]], " ", s[s.>0], " ", s .* 2, " ", map(x -> x + 1, s))
end
struct Product <: AbstractMatrix{Int}
    n::Int
end
Base.size(p::Product) = (p.n, p.n)
Base.getindex(p::Product, i::Int, j::Int) = i * j
# CHECK-NEXT: [2, 4, 6] [1 3; 2 6] 36 [3, 6, 9] [2 4 6]
println(Product(3)[:, 2], " ", Product(3)[1:2, [1, 3]], " ", sum(Product(3)), " ", Product(3)[3, :], " ", Product(3)[2:2, :])
# CHECK-NEXT: Dict(1 => 3)
println(merge(+, Dict(1 => 1), Dict(1 => 2)))
rests(v) = (s = 0; while !isempty(v); (x, v...) = v; s += x; end; s)
rests([1, 2]); for _ in 1:300; rests([i for i in 1:20]); end
# CHECK-NEXT: 210 [2, 3]
println(rests([i for i in 1:20]), " ", partialsortperm([3, 1, 2], 1:2))
