// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators, calls, brackets: text and the tree that Julia's parser makes of it.
#include "parse.h"

#include <catch2/catch.hpp>

using parser_test::sexpr;

namespace {
struct Case {
  const char *text, *tree;
};
template <size_t N> void check(const Case (&cases)[N]) {
  for (const Case &c : cases) {
    INFO(c.text);
    CHECK(sexpr(c.text) == c.tree);
  }
}
} // namespace

TEST_CASE("precedence and associativity of infix operators") {
  const Case cases[] = {
      {"a+b*c-d", "(call - (call + a (call * b c)) d)"},
      {"a - b - c", "(call - (call - a b) c)"},
      {"a + b + c", "(call + a b c)"},
      {"a + b .+ c", "(dotcall + (call + a b) c)"},
      {"a * b * c", "(call * a b c)"},
      {"(a + b) + c", "(call + (call + a b) c)"},
      {"a^b^c", "(call ^ a (call ^ b c))"},
      {"-a^2", "(call - (call ^ a 2))"},
      {"-2^2", "(call - (call ^ 2 2))"},
      {"2^-x", "(call ^ 2 (call - x))"},
      {"a//b*c", "(call * (call // a b) c)"},
      {"a<<2+1", "(call + (call << a 2) 1)"},
      {"a >>> 1 & 3", "(call & (call >>> a 1) 3)"},
      {"a ÷ b % c", "(call % (call ÷ a b) c)"},
      {"a ⊻ b | c", "(call | (call ⊻ a b) c)"},
      {"a ⋅ b × c ∘ d", "(call ∘ (call × (call ⋅ a b) c) d)"},
      {"a·b", "(call ⋅ a b)"},
      {"a \\ b / c", "(call / (call \\ a b) c)"},
      {"a || b && c || d", "(|| a (|| (&& b c) d))"},
      {"a ? b : c ? d : e", "(if a b (if c d e))"},
      {"a ? b : -1", "(if a b -1)"},
      {"a => b => c", "(call => a (call => b c))"},
      {"a → b", "(call → a b)"},
      {"x |> f |> g", "(call |> (call |> x f) g)"},
      {"f <| g <| x", "(call <| f (call <| g x))"},
      {"1:2", "(call : 1 2)"},
      {"1:2:3", "(call : 1 2 3)"},
      {"a:b:c:d", "(call : (call : a b c) d)"},
      {"n:-1:1", "(call : n -1 1)"},
      {"1:n-1", "(call : 1 (call - n 1))"},
      {"0:n .+ 1", "(call : 0 (dotcall + n 1))"},
      {"a:b...", "(... (call : a b))"},
      {"a..b", "(call .. a b)"},
      {"a +₁ b", "(call +₁ a b)"},
      {"x::T", "(:: x T)"},
      {"x::A.B{T}", "(:: x (curly (. A (inert B)) T))"},
      {"-x::T", "(call - (:: x T))"},
      {"x -> y -> z", "(-> x (block (-> y (block z))))"},
      {"x -> x + 1", "(-> x (block (call + x 1)))"},
      {"a + x -> x", "(call + a (-> x (block x)))"},
  };
  check(cases);
}

TEST_CASE("comparisons, one and chained") {
  const Case cases[] = {
      {"a < b", "(call < a b)"},
      {"a < b <= c", "(comparison a < b <= c)"},
      {"a ∈ b ∉ c", "(comparison a ∈ b ∉ c)"},
      {"a .< b", "(dotcall < a b)"},
      {"a .< b .< c", "(comparison a .< b .< c)"},
      {"a <: b", "(<: a b)"},
      {"a >: b", "(>: a b)"},
      {"a <: b <: c", "(comparison a <: b <: c)"},
      {"a in b", "(call in a b)"},
      {"!(x isa T) && y", "(&& (call ! (call isa x T)) y)"},
      {"a === b !== c", "(comparison a === b !== c)"},
      {"a ≠ b", "(call ≠ a b)"},
      {"a!=b", "(call != a b)"},
      {"in(a, b)", "(call in a b)"},
      {"!isa(x, T)", "(call ! (call isa x T))"},
  };
  check(cases);
}

TEST_CASE("assignments") {
  const Case cases[] = {
      {"a = b = c", "(= a (= b c))"},
      {"a += 1", "(op= + a 1)"},
      {"a ÷= 2", "(op= ÷ a 2)"},
      {"a >>>= 2", "(op= >>> a 2)"},
      {"a .= b", "(.= a b)"},
      {"a .+= b", "(.op= + a b)"},
      {"a, b = b, a", "(= (tuple a b) (tuple b a))"},
      {"x, = y", "(= (tuple x) y)"},
      {"(i, j), k = y", "(= (tuple (tuple i j) k) y)"},
      {"x[i].y += 2", "(op= + (. (ref x i) (inert y)) 2)"},
      {"x::Int = 1", "(= (:: x Int) 1)"},
      {"f(x) = 1", "(= (call f x) (block 1))"},
      {"f(x) = begin 1 end", "(= (call f x) (block 1))"},
      {"f(x)::T = 1", "(= (:: (call f x) T) (block 1))"},
      {"f(x::T, ::Int; k=1, z...) where {T<:Real, S} = x",
       "(= (where (call f (parameters (kw k 1) (... z)) (:: x T) (:: Int)) (<: T Real) S) (block x))"},
      {"f(x) where T where S = x", "(= (where (where (call f x) T) S) (block x))"},
      {"Base.:+(a::P, b::P) = 1", "(= (call (. Base (inert +)) (:: a P) (:: b P)) (block 1))"},
      {"(f::F)(x) = 1", "(= (call (:: f F) x) (block 1))"},
      {"a ~ b", "(call ~ a b)"},
  };
  check(cases);
}

TEST_CASE("prefix operators, juxtaposition, operators as names") {
  const Case cases[] = {
      {"-2x", "(call * -2 x)"},
      {"2x^2", "(call * 2 (call ^ x 2))"},
      {"2^2x", "(call ^ 2 (call * 2 x))"},
      {"2(x + 1)", "(call * 2 (call + x 1))"},
      {"1i32 + x", "(call + (call * 1 i32) x)"},
      {"a / 2b", "(call / a (call * 2 b))"},
      {"(a)b", "(call * a b)"},
      {"a'b", "(call * (call ' a) b)"},
      {"2√x", "(call * 2 (call √ x))"},
      {"-(a)^2", "(call - (call ^ a 2))"},
      {"+(a, b)^2", "(call ^ (call + a b) 2)"},
      {"*(a)", "(call * a)"},
      {"!f(x) && y", "(&& (call ! (call f x)) y)"},
      {"- - a", "(call - (call - a))"},
      {"~x", "(call ~ x)"},
      {".-a", "(dotcall - a)"},
      {"-x.y", "(call - (. x (inert y)))"},
      {"-0x01", "(call - 0x01)"},
      {"reduce(+, x)", "(call reduce + x)"},
      {"map(!, y)", "(call map ! y)"},
      {"f.(+, .+)", "(dotcall f + (. +))"},
      {"(+)(1, 2)", "(call + 1 2)"},
      {"c ? + : -", "(if c + -)"},
      {"&x", "(call & x)"},
      {"{<:T}", "(braces (<: T))"},
      {"A{<:T, >:S}", "(curly A (<: T) (>: S))"},
  };
  check(cases);
}

TEST_CASE("calls, fields, indices") {
  const Case cases[] = {
      {"f(a, b=1; c=2, d, e...)", "(call f (parameters (kw c 2) d (... e)) a (kw b 1))"},
      {"f((a = 1))", "(call f (= a 1))"},
      {"f(;)", "(call f (parameters))"},
      {"f(a...)", "(call f (... a))"},
      {"f(\n  a,\n  b,\n)", "(call f a b)"},
      {"f(x)(y)[z]", "(ref (call (call f x) y) z)"},
      {"f.(x, y)", "(dotcall f x y)"},
      {"a.b.c", "(. (. a (inert b)) (inert c))"},
      {"a.end", "(. a (inert end))"},
      {"A.:(==)", "(. A (inert ==))"},
      {"A.$x", "(. A (quote ($ x)))"},
      {"a'", "(call ' a)"},
      {"a[i]'", "(call ' (ref a i))"},
      {"a[]", "(ref a)"},
      {"a[:, 1]", "(ref a : 1)"},
      {"a[begin:end-1]", "(ref a (call : begin (call - end 1)))"},
      {"a[b[end] + f(end)]", "(ref a (call + (ref b end) (call f end)))"},
      {"a[2end]", "(ref a (call * 2 end))"},
      {"A{T, 1}(x)", "(call (curly A T 1) x)"},
      {"map(x) do y, z\n y\nend", "(do (call map x) (-> (tuple y z) (block y)))"},
      {"f() do; 1 end", "(do (call f) (-> (tuple) (block 1)))"},
      {"f(x -> x, y)", "(call f (-> x (block x)) y)"},
      {"sum(x for x in y if x > 1)", "(call sum (generator x (filter (call > x 1) (= x y))))"},
      {"f(::Type{T}) where T", "(where (call f (:: (curly Type T))) T)"},
  };
  check(cases);
}

TEST_CASE("tuples, parentheses, arrays") {
  const Case cases[] = {
      {"()", "(tuple)"},
      {"(a)", "a"},
      {"(a,)", "(tuple a)"},
      {"a, b", "(tuple a b)"},
      {"(a=1, b=2)", "(tuple (= a 1) (= b 2))"},
      {"(; a=1, b)", "(tuple (parameters (kw a 1) b))"},
      {"(a, b; c=1)", "(tuple (parameters (kw c 1)) a b)"},
      {"(a; b)", "(block a b)"},
      {"(a = 1; b)", "(block (= a 1) b)"},
      {"(a; b=1) -> a", "(-> (tuple (parameters (kw b 1)) a) (block a))"},
      {"(xs...) -> xs", "(-> (tuple (... xs)) (block xs))"},
      {"() -> 1", "(-> (tuple) (block 1))"},
      {"[]", "(vect)"},
      {"[a, b,]", "(vect a b)"},
      {"[a b; c d]", "(vcat (row a b) (row c d))"},
      {"[a b\n c d\n]", "(vcat (row a b) (row c d))"},
      {"[a; b]", "(vcat a b)"},
      {"[a -b]", "(hcat a (call - b))"},
      {"[a - b]", "(vect (call - a b))"},
      {"[a-b c]", "(hcat (call - a b) c)"},
      {"[f (x)]", "(hcat f x)"},
      {"[a :b]", "(hcat a (inert b))"},
      {"[1;; 2]", "(ncat 2 1 2)"},
      {"[1 2; 3 4;;; 5 6; 7 8]", "(ncat 3 (nrow 1 (row 1 2) (row 3 4)) (nrow 1 (row 5 6) (row 7 8)))"},
      {"T[]", "(ref T)"},
      {"T[1, 2]", "(ref T 1 2)"},
      {"T[a b]", "(typed_hcat T a b)"},
      {"T[a; b]", "(typed_vcat T a b)"},
      {"[x for x in y]", "(comprehension (generator x (= x y)))"},
      {"[x\n for x = y\n if z]", "(comprehension (generator x (filter z (= x y))))"},
      {"[x for a in A, b in B]", "(comprehension (generator x (= a A) (= b B)))"},
      {"[x for a in A for b in B]", "(comprehension (flatten (generator (generator x (= b B)) (= a A))))"},
      {"T[x for x ∈ y]", "(typed_comprehension T (generator x (= x y)))"},
      {"(x for x in y)", "(generator x (= x y))"},
  };
  check(cases);
}

TEST_CASE("quotes and macro calls") {
  const Case cases[] = {
      {":a", "(inert a)"},
      {":end", "(inert end)"},
      {":+", "(inert +)"},
      {":(=)", "(inert =)"},
      {":(a)", "(inert a)"},
      {":(a + $b)", "(quote (call + a ($ b)))"},
      {":(f($(x...)))", "(quote (call f ($ (... x))))"},
      {":($x)", "(quote ($ x))"},
      {":1", "1"},
      {"quote a; b end", "(quote (block a b))"},
      {"Val{:a}()", "(call (curly Val (inert a)))"},
      {"x[:a]", "(ref x (inert a))"},
      {"@m", "(macrocall @m)"},
      {"@m a b", "(macrocall @m a b)"},
      {"@m(a, b)", "(macrocall @m a b)"},
      {"@m(a, k=1)", "(macrocall @m a (= k 1))"},
      {"@m a, b", "(macrocall @m (tuple a b))"},
      {"@m a -b", "(macrocall @m a (call - b))"},
      {"@m a - b", "(macrocall @m (call - a b))"},
      {"@m (a)", "(macrocall @m a)"},
      {"@m [1 2]", "(macrocall @m (hcat 1 2))"},
      {"@m{x::Int}", "(macrocall @m (braces (:: x Int)))"},
      {"@inbounds a[i] = b[i] + 1", "(macrocall @inbounds (= (ref a i) (call + (ref b i) 1)))"},
      {"@inbounds for i in x\n y\nend", "(macrocall @inbounds (for (= i x) (block y)))"},
      {"@a @b c", "(macrocall @a (macrocall @b c))"},
      {"@. a + b", "(macrocall @__dot__ (call + a b))"},
      {"A.B.@m x", "(macrocall (macroname (. A (inert B)) @m) x)"},
      {"@A.m x", "(macrocall (macroname A @m) x)"},
      {"A.@m(x).y", "(. (macrocall (macroname A @m) x) (inert y))"},
      {"x = @index(Global, Linear)", "(= x (macrocall @index Global Linear))"},
      {"c ? @m(x) : y", "(if c (macrocall @m x) y)"},
      {"(@m a\n)", "(macrocall @m a)"},
      {"[@m(x) for x in y]", "(comprehension (generator (macrocall @m x) (= x y)))"},
      {"var\"a b\" + 1", "(call + a b 1)"},
  };
  check(cases);
}
