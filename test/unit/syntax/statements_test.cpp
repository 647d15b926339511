// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements and definitions.
#include "parse.h"

#include <catch2/catch.hpp>

namespace statements_test {

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

TEST_CASE("control flow") {
  const Case cases[] = {
      {"begin a; b end", "(block a b)"},
      {"if a; b elseif c; d else e end", "(if a (block b) (elseif c (block d) (block e)))"},
      {"if c return end", "(if c (block (return)))"},
      {"x = if a\n 1\nelse\n 2\nend", "(= x (if a (block 1) (block 2)))"},
      {"while a < b\n a += 1\nend", "(while (call < a b) (block (op= + a 1)))"},
      {"for i in 1:n, j = 1:m; x end", "(for (block (= i (call : 1 n)) (= j (call : 1 m))) (block x))"},
      {"for (i, x) in enumerate(y) end", "(for (= (tuple i x) (call enumerate y)) (block))"},
      {"let a = 1, b; a end", "(let (block (= a 1) b) (block a))"},
      {"let\n a\nend", "(let (block) (block a))"},
      {"try\n a\ncatch e\n b\nfinally\n c\nend", "(try (block a) e (block b) (block c) false)"},
      {"try\n a\ncatch\n b\nelse\n d\nend", "(try (block a) false (block b) false (block d))"},
      {"return", "(return)"},
      {"return a, b", "(return (tuple a b))"},
      {"a && return", "(&& a (return))"},
      {"a || return b", "(|| a (return b))"},
      {"break; continue", "(break)\n(continue)"},
      {"local x, y", "(local x y)"},
      {"local x::Int = 1", "(local (= (:: x Int) 1))"},
      {"global const z = 3", "(global (const (= z 3)))"},
      {"const a, b = 1, 2", "(const (= (tuple a b) (tuple 1 2)))"},
  };
  check(cases);
}

TEST_CASE("functions, macros, types, modules") {
  const Case cases[] = {
      {"function f(x) x end", "(function (call f x) (block x))"},
      {"function f end", "(function f)"},
      {"function f(x)::T where {T<:A, N}\n return x\nend",
       "(function (where (:: (call f x) T) (<: T A) N) (block (return x)))"},
      {"function (f::F)(x) where T x end", "(function (where (call (:: f F) x) T) (block x))"},
      {"function (::Type{T})(x) where T end", "(function (where (call (:: (curly Type T)) x) T) (block))"},
      {"f(x) where T = where[1]", "(= (where (call f x) T) (block (ref where 1)))"},
      {"function (f(x)) x end", "(function (call f x) (block x))"},
      {"function (a | b) c end", "(function (call | a b) (block c))"},
      {"function (x) x end", "(function (tuple x) (block x))"},
      {"function (x, y=1) x end", "(function (tuple x (= y 1)) (block x))"},
      {"function Base.:+(a, b) end", "(function (call (. Base (inert +)) a b) (block))"},
      {"function +(a, b) end", "(function (call + a b) (block))"},
      {"function f((M, N), x; k=1) end", "(function (call f (parameters (kw k 1)) (tuple M N) x) (block))"},
      {"function f(n, xs...)\nend", "(function (call f n (... xs)) (block))"},
      {"@inline function f() end", "(macrocall @inline (function (call f) (block)))"},
      {"@generated function f(x) :(x + $(y)) end",
       "(macrocall @generated (function (call f x) (block (quote (call + x ($ y))))))"},
      {"macro m(x...) esc(x) end", "(macro (call m (... x)) (block (call esc x)))"},
      {"struct A{T} <: B\n x::T\n y\nend", "(struct false (<: (curly A T) B) (block (:: x T) y))"},
      {"mutable struct C; const x::Int end", "(struct true C (block (const (:: x Int))))"},
      {"abstract type D{T} <: E end", "(abstract (<: (curly D T) E))"},
      {"primitive type F <: G 8 end", "(primitive (<: F G) 8)"},
      {"module M\nx = 1\nend", "(module true M (block (= x 1)))"},
      {"baremodule M end", "(module false M (block))"},
      {"\"doc\"\nf(x) = 1", "(doc \"doc\" (= (call f x) (block 1)))"},
      {"\"doc\"\n\nf", "\"doc\"\nf"},
      {"@doc \"doc\"\nf", "(macrocall @doc \"doc\" f)"},
      {"for T in (A, B)\n @eval f(::Type{$T}) = 1\nend",
       "(for (= T (tuple A B)) (block (macrocall @eval (= (call f (:: (curly Type ($ T)))) (block 1)))))"},
  };
  check(cases);
}

TEST_CASE("imports and exports") {
  const Case cases[] = {
      {"using A, B.C", "(using (importpath A) (importpath B C))"},
      {"using CUDA: i32, @cuda, x as y",
       "(using (: (importpath CUDA) (importpath i32) (importpath @cuda) (as (importpath x) y)))"},
      {"import Base: +, -,\n ==, (<), :<=",
       "(import (: (importpath Base) (importpath +) (importpath -) (importpath ==) "
       "(importpath <) (importpath <=)))"},
      {"import ..A.b", "(import (importpath . . A b))"},
      {"import ...A", "(import (importpath . . . A))"},
      {"import Base.==", "(import (importpath Base ==))"},
      {"import A as B", "(import (as (importpath A) B))"},
      {"export a, @b, +", "(export a @b +)"},
      {"public a", "(public a)"},
  };
  check(cases);
}

TEST_CASE("line ends and comments") {
  const Case cases[] = {
      {"a\n- b", "a\n(call - b)"},
      {"a -\n b", "(call - a b)"},
      {"(a\n - b)", "(call - a b)"},
      {"a #= x #= y =# =# + b # c", "(call + a b)"},
      {"a;; b;", "a\nb"},
      {"f(a, # first\n  b)", "(call f a b)"},
      {"x = a ?\n  b :\n  c", "(= x (if a b c))"},
      {"", ""},
      {"# only a comment", ""},
      {"a\r\nb", "a\nb"},
      {"\xef\xbb\xbf"
       "a",
       "a"},
  };
  check(cases);
}

TEST_CASE("every node knows its place") {
  kiln::TypeContext types;
  kiln::SourceMap map;
  kiln::julia::SyntaxArena arena;
  auto file = map.add("test.jl", "x = f(a,\n  b[i]) + 2y\n");
  auto result = kiln::julia::parse_file(types, arena, *file);
  REQUIRE(result);
  auto text = [&](const kiln::julia::Syntax *s) {
    return std::string(file->text().substr(s->at.begin, s->at.end - s->at.begin));
  };
  const kiln::julia::Syntax *assign = (*result)->args[0], *sum = assign->args[1];
  CHECK(text(assign) == "x = f(a,\n  b[i]) + 2y");
  CHECK(text(sum) == "f(a,\n  b[i]) + 2y");
  CHECK(text(sum->args[0]) == "+");
  CHECK(text(sum->args[1]) == "f(a,\n  b[i])");
  CHECK(text(sum->args[1]->args[2]) == "b[i]");
  CHECK(text(sum->args[2]) == "2y");
  CHECK(assign->at.file == file->id());
}

} // namespace statements_test
