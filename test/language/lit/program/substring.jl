# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Parts of strings: what split, strip and SubString give, and what takes it. Values are those of Julia's documentation.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
s = SubString("hello", 2, 4)
#      CHECK:ell SubString{String} 3el SubString{String} 3
println(s, " ", typeof(s), " ", length(s), s[1], s[end], " ", typeof(s[1:2]), " ", ncodeunits(s))
# CHECK-NEXT:true true true true true 0
println(s == "ell", " ", isequal("ell", s), " ", hash(s) == hash("ell"), " ", s === s, " ", s < "elm", " ", cmp(s, "ell"))
# CHECK-NEXT:1 true true
println(Dict("ell" => 1)[s], " ", haskey(Dict(s => 1), "ell"), " ", "ell" in Set([s]))
# CHECK-NEXT:SubString{String}["a", "b"] true true ell! ellell
println(repr(split("a b")), " ", String(s) isa String, " ", string(s) isa String, " ", s * "!", " ", s^2)
# CHECK-NEXT:Vector{SubString{String}} SubString{String} SubString{String} String
println(typeof(split("a b")), " ", typeof(strip(" x ")), " ", typeof(chop("ab")), " ", typeof(first("abc", 2)))
# CHECK-NEXT:SubString{String}["a", "b", "", "c"] SubString{String}["a", "b", "c"]
println(split("a,b,,c", ","), " ", split("a,b,,c", ","; keepempty=false))
# CHECK-NEXT:SubString{String}["a", "b,c"] SubString{String}["a,b", "c"]
println(split("a,b,c", ","; limit=2), " ", rsplit("a,b,c", ","; limit=2))
# CHECK-NEXT:SubString{String}["a", "b"] SubString{String}[""] SubString{String}[] SubString{String}["a", "b", "c"]
println(split("  a  b "), " ", split("", ","), " ", split(""), " ", split("a.b c", ['.', ' ']))
# CHECK-NEXT:Marc ar Hello aa 3, 5 burger Hamburg
println(chop("March"), " ", chop("March"; head=1, tail=2), " ", chomp("Hello\n"), " ", lstrip("xxa", 'x'), rstrip("axx", 'x'), " ", strip("{3, 5}\n", ['{', '}', '\n']), " ",
        chopprefix("Hamburger", "Ham"), " ", chopsuffix("Hamburger", "er"))
a, b = split("k=12", "=")
# CHECK-NEXT:k 13 12.0 k K   12|
println(a, " ", parse(Int, b) + 1, " ", tryparse(Float64, b), " ", Symbol(a), " ", uppercase(a), " ", lpad(b, 4), "|")
# CHECK-NEXT:['e', 'l', 'l'] lle true true true 2 el l
println(collect(s), " ", reverse(s), " ", occursin("l", s), " ", contains(s, 'e'), " ", startswith(s, "el"), " ", findfirst('l', s), " ", first(s, 2), " ", last(s, 1))
# CHECK-NEXT:el äger 3 a-b
println(@view("hello"[2:3]), " ", SubString("jäger", 2), " ", nextind(SubString("jäger", 2), 1), " ", join(split("a b"), "-"))
kind(::AbstractString) = "text"
only_string(::String) = 1
# CHECK-NEXT:text text
println(kind(s), " ", kind("a"))
# CHECK-NEXT:MethodError: no method matching only_string(::SubString{String})
try
    only_string(s)
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT:[1, 4, 9] SubString{String}["a", "b", "c"] SubString{String}["a", "b"] true
println(map(x -> x^2, parse.(Int, split("1 2 3"))), " ", sort(split("c a b")), " ", unique(split("a b a")), " ", "a" in split("a b"))
function counted(words)
    n = Dict{String,Int}()
    for w in words
        n[w] = get(n, w, 0) + 1
    end
    return n
end
# CHECK-NEXT:2 ["a", "b"] ell
println(counted(split("a b a"))["a"], " ", String[split("a b")...], " ", convert(String, s))
# CHECK-NEXT:BoundsError: attempt to access 3-codeunit String at index [2:5]
try
    SubString("abc", 2, 5)
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT:12 ABC true a\nb [2, 4, 6] 4 2:3 01ff
println(filter(isdigit, "a1b2"), " ", map(uppercase, "abc"), " ", unescape_string("a\\nb\\x41\\u00e9") == "a\nbAé", " ", escape_string("a\nb"), " ", findall(isequal('a'), "banana"), " ",
        findprev('a', "banana", 5), " ", findprev("an", "banana", 3), " ", bytes2hex(UInt8[1, 255]))
# CHECK-NEXT:true Bool[1, 0]
println(([1, 2] .> 1) isa BitVector, " ", BitVector([1, 0]))
