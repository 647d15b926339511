# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Forms of the language: slurps in any place, `$` in @., dotted chains, keywords of inner constructors, constant strings
# and characters.

function slurp_in_middle(t)
    a, b..., c = t
    return (a, b, c)
end
middle_of((a, b..., c)) = b
function slurp_first(t)
    a..., b = t
    return 10length(a) + b
end
#! slurps(o; (1, 2, 3, 4); (x=1, y=2.5f0, z=3))
function slurps(o, t, nt)
    a..., b = t
    put(o, 1, length(a))  #: i64(3)
    put(o, 2, a[3])  #: i64(3)
    put(o, 3, b)  #: i64(4)
    a, b..., c = t
    put(o, 4, a)  #: i64(1)
    put(o, 5, b[1] * 10 + b[2])  #: i64(23)
    put(o, 6, c)  #: i64(4)
    a, b..., c, d = t
    put(o, 7, length(b))  #: i64(1)
    put(o, 8, c * 10 + d)  #: i64(34)
    a, b..., c, d, e = (1, 2.5f0, 3, 4)
    put(o, 9, length(b))  #: i64(0)
    put(o, 10, c)  #: f32(2.5)
    (a..., (b, c)) = (1, 2, (3, 4.5))
    put(o, 11, length(a))  #: i64(2)
    put(o, 12, c)  #: f64(4.5)
    a, (b..., c), d = 1, (2, 3, 4), 5
    put(o, 13, b[2] * 100 + c * 10 + d)  #: i64(345)
    a..., = t
    put(o, 14, length(a))  #: i64(4)
    put(o, 15, slurp_first((1, 2, 3)))  #: i64(23)
    put(o, 16, slurp_in_middle(("x", 2.5, 'c'))[2][1])  #: f64(2.5)
    put(o, 17, sum(middle_of(t)))  #: i64(5)
    s = 0
    for (p, q..., r) in ((1, 2, 3), (4, 5, 6))
        s += p * 100 + q[1] * 10 + r
    end
    put(o, 18, s)  #: i64(579)
    a, rest... = nt
    put(o, 19, rest.y)  #: f32(2.5)
    put(o, 20, rest isa NamedTuple)  #: true
    a, rest... = 1:4
    put(o, 21, sum(rest))  #: i64(9)
end
#! slurp_too_short(o; (1,)): status 1: BoundsError
function slurp_too_short(o, t)
    a, b..., c, d = (t..., 2)
    o[1] = c
    return
end
#! slurp_of_array(o; [1, 2, 3]): status 1: takes part of a tuple
function slurp_of_array(o, v)
    a..., b = v
    o[1] = b
    return
end

largest(v) = maximum(v)
scale(x, by) = x * by
#! dots(o; [1.0, 2.0, 3.0, 4.0]; zeros(4); (1, 5, 2))
function dots(o, v, w, t)
    @. w = v / $maximum(v)
    put(o, 1, w[2])  #: f64(0.5)
    @. w = v - $(sum(v) / length(v))
    put(o, 2, w[1])  #: f64(-1.5)
    @. w = scale(v, $largest(v)) + 1
    put(o, 3, w[3])  #: f64(13.0)
    @. w = sqrt(abs(v - $first(v)))
    put(o, 4, w[2])  #: f64(1.0)
    @. w += v * 2
    put(o, 5, w[2])  #: f64(5.0)
    put(o, 6, sum(@. 1 < t < 5))  #: i64(1)
    put(o, 7, sum(@. 1 <= t <= 5))  #: i64(3)
    put(o, 8, sum(1 .< t .< 5))  #: i64(1)
    put(o, 9, sum(@. t > 1 && t < 5))  #: i64(1)
    put(o, 10, sum(@. t == 1 || t == 5))  #: i64(2)
    put(o, 11, sum((t .> 1) .&& (t .< 5)))  #: i64(1)
    w .= 0 .< v .<= 2
    put(o, 12, w[2] * 10 + w[3])  #: f64(10.0)
    put(o, 13, (@. t + (1:3))[3])  #: i64(5)
    @. w = ifelse(v > 2, v, -1)
    put(o, 14, w[1] + w[4])  #: f64(3.0)
    @. w[2:3] = 7
    put(o, 15, w[3])  #: f64(7.0)
    put(o, 16, (@. let y = t * 2; y + 1 end)[2])  #: i64(11)
end

struct Plain
    a::Int
    b::Float32
    Plain(a; b=1, c=0) = new(a + c, b)
    Plain(; a, rest...) = new(a + length(rest), 0)
end
struct Sized{T}
    x::T
    n::Int
    Sized{T}(x; n=1) where {T} = new{T}(x, n)
    Sized(x::T; scale::Int=2, n=3) where {T} = new{T}(x * scale, n)
end
struct OfSelf{T}
    x::T
    OfSelf{T}(x; twice=false) where {T} = twice ? new(2x) : new(x)
end
struct OuterKeys{T}
    x::T
end
OuterKeys{T}(; x=4) where {T} = OuterKeys{T}(x)
mutable struct Counter
    n::Int
    Counter(; start=0, step=1) = (c = new(start); c.n += step; c)
end
#! constructors(o; 5; 2.5f0)
function constructors(o, n, y)
    p = Plain(n)
    put(o, 1, p.a)  #: i64(5)
    put(o, 2, p.b)  #: f32(1.0)
    put(o, 3, Plain(n; b=y).b)  #: f32(2.5)
    put(o, 4, Plain(n; c=2, b=y).a)  #: i64(7)
    put(o, 5, Plain(a=n).a)  #: i64(5)
    put(o, 6, Plain(; a=n, k=1, l=2).a)  #: i64(7)
    put(o, 7, Sized{Float64}(n).x)  #: f64(5.0)
    put(o, 8, Sized{Float64}(n).n)  #: i64(1)
    put(o, 9, Sized{Float32}(n; n=9).n)  #: i64(9)
    put(o, 10, Sized(y).x)  #: f32(5.0)
    put(o, 11, Sized(y; scale=3).x)  #: f32(7.5)
    put(o, 12, Sized(y; n=4, scale=n).n)  #: i64(4)
    put(o, 13, OfSelf{Float64}(n; twice=true).x)  #: f64(10.0)
    put(o, 14, OfSelf{Int16}(n).x)  #: i16(5)
    put(o, 15, OuterKeys{Float32}().x)  #: f32(4.0)
    put(o, 16, OuterKeys{Float32}(x=n).x)  #: f32(5.0)
    c = Counter(start=n)
    put(o, 17, c.n)  #: i64(6)
    put(o, 18, Counter().n)  #: i64(1)
    put(o, 19, Counter(step=n, start=1).n)  #: i64(6)
end
#! constructor_without(o; 5): status 1: UndefKeywordError
constructor_without(o, n) = (o[1] = n > 9 ? 1 : Plain().a; return)

const greeting = "Grüße, 世界"
count_in(s) = (n = 0; for c in s; n += 1; end; n)
code_sum(s) = (n = 0; for c in s; n += Int(c); end; n)
pick_text(s, i) = s[i]
#! strings(o; 3; 'l')
function strings(o, i, c)
    put(o, 1, length("hello"))  #: i64(5)
    put(o, 2, ncodeunits("hello"))  #: i64(5)
    put(o, 3, length(greeting))  #: i64(9)
    put(o, 4, ncodeunits(greeting))  #: i64(len("Grüße, 世界".encode()))
    put(o, 5, sizeof("€"))  #: i64(3)
    put(o, 6, length(""))  #: i64(0)
    put(o, 7, isempty(""))  #: true
    put(o, 8, "hello"[1] == 'h')  #: true
    put(o, 9, Int("hello"[end]))  #: i64(ord('o'))
    put(o, 10, "hello"[i] == c)  #: true
    put(o, 11, Int(pick_text("hello", i + 2)))  #: i64(ord('o'))
    put(o, 12, Int(greeting[i]))  #: i64(ord('ü'))
    put(o, 13, Int(greeting[end]))  #: i64(ord('界'))
    put(o, 14, Int("a😀b"[2]))  #: i64(ord('😀'))
    put(o, 15, c in "hello")  #: true
    put(o, 16, 'z' in "hello")  #: false
    put(o, 17, 'ß' ∈ greeting)  #: true
    put(o, 18, "abc" < "abd")  #: true
    put(o, 19, "abc" < "ab")  #: false
    put(o, 20, "Z" < "a")  #: true
    put(o, 21, "z" < "é")  #: true
    put(o, 22, "abc" <= "abc")  #: true
    put(o, 23, "b" > "abc")  #: true
    put(o, 24, cmp("b", "a"))  #: i64(1)
    put(o, 25, "abc" == "abc")  #: true
    put(o, 26, "abc" == "abd")  #: false
    put(o, 27, "abc" != "abd")  #: true
    put(o, 28, isequal("abc", "abc"))  #: true
    put(o, 29, count_in("hello"))  #: i64(5)
    put(o, 30, count_in(greeting))  #: i64(9)
    put(o, 31, count_in(""))  #: i64(0)
    put(o, 32, code_sum(greeting))  #: i64(sum(map(ord, "Grüße, 世界")))
    put(o, 33, codeunit("hello", i))  #: u8(ord('l'))
    put(o, 34, lastindex("aß"))  #: i64(2)
    put(o, 35, Int(first("xyz")))  #: i64(ord('x'))
    put(o, 36, Int(last("xyß")))  #: i64(ord('ß'))
    put(o, 37, isvalid(greeting, i))  #: true
    put(o, 38, isvalid(greeting, i + 1))  #: false
    put(o, 39, ntuple(identity, length("abcd"))[4])  #: i64(4)
    a, b = "xy"
    put(o, 40, b == 'y')  #: true
    put(o, 41, sum(Int(x) - 48 for x in "1234"))  #: i64(10)
    put(o, 42, any(isdigit, "ab7"))  #: true
end
#! string_bounds(o; 9): status 1: BoundsError
string_bounds(o, i) = (o[1] = Int("hello"[i]); return)
#! string_index(o; 4): status 1: StringIndexError
string_index(o, i) = (o[1] = Int(greeting[i]); return)
#! string_of_run(o; 4): status 1: a string in a kernel must be a constant
string_of_run(o, i) = (o[1] = length(i > 3 ? "ab" : "c"); return)

# Every character up to U+00FF at once: the numbers of those of which the condition holds, mixed into one.
function mixed(f)
    h = 0x00000000
    for i in 0:255
        h = h * 0x0000001f + UInt32(f(Char(i)))
    end
    return h
end
#! characters(o; 7)
function characters(o, i)
    put(o, 1, mixed(isdigit))  #: u32(mixed(lambda c: c in "0123456789"))
    put(o, 2, mixed(isxdigit))  #: u32(mixed(lambda c: c in "0123456789abcdefABCDEF"))
    put(o, 3, mixed(isspace))  #: u32(mixed(lambda c: c.isspace() and c not in "\x1c\x1d\x1e\x1f"))
    put(o, 4, mixed(isletter))  #: u32(mixed(lambda c: category(c).startswith("L")))
    put(o, 5, mixed(isuppercase))  #: u32(mixed(lambda c: category(c) == "Lu"))
    put(o, 6, mixed(islowercase))  #: u32(mixed(lambda c: category(c) == "Ll"))
    put(o, 7, mixed(ispunct))  #: u32(mixed(lambda c: category(c).startswith("P")))
    put(o, 8, mixed(isnumeric))  #: u32(mixed(lambda c: category(c).startswith("N")))
    put(o, 9, mixed(iscntrl))  #: u32(mixed(lambda c: category(c) == "Cc"))
    put(o, 10, mixed(isprint))  #: u32(mixed(lambda c: category(c)[0] not in "C"))
    put(o, 11, mixed(isascii))  #: u32(mixed(lambda c: c.isascii()))
    put(o, 12, mixed(c -> UInt32(lowercase(c))))  #: u32(mixed(lambda c: ord(c.lower())))
    put(o, 13, mixed(c -> c == 'ß' ? 0 : UInt32(uppercase(c))))  #: u32(mixed(lambda c: 0 if c == "ß" else ord(c.upper())))
    put(o, 14, isdigit('٣'))  #: false
    put(o, 15, isspace(' '))  #: true
    put(o, 16, isspace('　'))  #: true
    put(o, 17, isspace('世'))  #: false
end
#! unknown_letter(o; 0x4e16): status 1: ArgumentError
unknown_letter(o, i) = (o[1] = isletter(Char(i)); return)
