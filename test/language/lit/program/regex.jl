# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Regular expressions: what Julia's manual and its tests say of them.
#
# RUN: %kiln script %s | %filecheck %s --match-full-lines --strict-whitespace
# RUN: not %kiln script %S/inputs/bad_regex.jl 2>&1 | %filecheck %s --check-prefix=BAD
# BAD: PCRE compilation error: quantifier does not follow a repeatable item at offset 0
#      CHECK:RegexMatch("12-345", 1="12", 2="345")
m = match(r"(\d+)-(\d+)", "tel 12-345 x")
println(m)
# CHECK-NEXT:12-345 Union{Nothing, SubString{String}}["12", "345"] 5 [5, 8] 12345
println(m.match, " ", m.captures, " ", m.offset, " ", m.offsets, " ", m[1], m[2])
# CHECK-NEXT:1245 RegexMatch("12:45", hour="12", minute="45")
m = match(r"(?<hour>\d+):(?<minute>\d+)", "12:45")
println(m[:hour], m["minute"], " ", m)
# CHECK-NEXT:nothing
println(match(r"z", "abc"))
# CHECK-NEXT:Union{Nothing, SubString{String}}["a", nothing, "c"] [1, 0, 2]
m = match(r"(a)(b)?(c)", "ac")
println(m.captures, " ", m.offsets)
# CHECK-NEXT:SubString{String}["ab", "ac", "ad"]SubString{String}["", "", ""]
println([x.match for x in eachmatch(r"a.", "abacad")], [x.match for x in eachmatch(r"", "ab")])
# CHECK-NEXT:SubString{String}["a1a", "a2a", "a3a"]
println([x.match for x in eachmatch(r"a.a", "a1a2a3a", overlap=true)])
# CHECK-NEXT:truefalsetruetruetrue
println(occursin(r"^ab"i, "ABC"), occursin(r"a.c", "a\nc"), occursin(r"a.c"s, "a\nc"), occursin(r"^c"m, "a\nc"), occursin(r"a b"x, "ab"))
# CHECK-NEXT:The quick buses run quickly.
println(replace("The quick foxes run quickly.", r"fox(es)?" => s"bus\1"))
# CHECK-NEXT:second first
println(replace("first second", r"(\w+) (?<agroup>\w+)" => s"\g<agroup> \1"))
# CHECK-NEXT:a2b23xaxcxbba
println(replace("a1b22", r"\d+" => x -> string(parse(Int, x) + 1)), replace("abc", r"b*" => "x"), replace("aaa", "a" => "b"; count=2))
# CHECK-NEXT:bca
println(replace("abcabc", "a" => "b", "b" => "c", r".+" => "a"))
# CHECK-NEXT:SubString{String}["a", "b", "c"]SubString{String}["a", "b", "c"]SubString{String}["a", "b2c"]
println(split("a, b;c", r"[,;]\s*"), split("abc", r""), split("a1b2c", r"\d"; limit=2))
# CHECK-NEXT:2:4 UnitRange{Int64}[2:2, 4:4] 4:4 3
println(findfirst(r"b+", "abbbc"), " ", findall(r"b", "abcb"), " ", findnext(r"b", "abcb", 3), " ", count(r"a", "banana"))
# CHECK-NEXT:truefalsetruefalse
println(startswith("hello", r"h.l"), startswith("hello", r"l"), endswith("hello", r"l+o"), endswith("hello", r"l"))
# CHECK-NEXT:r"a\"b"i r"x"ms true true
println(r"a\"b"i, " ", r"x"ms, " ", r"a" == Regex("a"), " ", Regex("A", "i") == r"A"i)
# CHECK-NEXT:4日
println(match(r"é", "caféé").offset, match(r".", "日本").match)
# CHECK-NEXT:PCRE compilation error: missing closing parenthesis at offset 2
try
    Regex("(a")
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT:PCRE error: unknown substring
try
    replace("a", r"(a)" => s"\2")
catch e
    println(sprint(showerror, e))
end
# CHECK-NEXT:no capture group named b found in regex
try
    match(r"(?<a>x)", "x")[:b]
catch e
    println(sprint(showerror, e))
end
