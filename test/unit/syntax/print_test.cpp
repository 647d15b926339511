// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees as Julia text: reading the text again gives the same tree.
#include "parse.h"

#include <catch2/catch.hpp>

using namespace kiln;

namespace {
std::string printed(const std::string &text) {
  TypeContext types;
  SourceMap map;
  julia::SyntaxArena arena;
  auto result = julia::parse_file(types, arena, *map.add("test.jl", text));
  return result ? to_string(**result) : "ERROR";
}
} // namespace

TEST_CASE("text is printed as it is read") {
  for (const char *text :
       {"a + b * c", "(a + b) * c", "a - (b - c)",    "-x",    "a[i, end]",   "f(x; k = 1)",  "x -> x + 1",
        "A{T}",      "a.b",         "x::T",           ":a",    "\"a$(b)\"",   "@m(a, b)",     "[a b; c d]",
        "(a,)",      "f.(x)",       "a .+ b",         "a'",    "1:n",         "a < b <= c",   "x = y",
        "x += 1",    "return a",    "f(x) where {T}", "xs...", "a && b || c", "[x for x = y]"}) {
    INFO(text);
    CHECK(printed(text) == text);
  }
}

TEST_CASE("printed text has the same tree") {
  for (const char *text : {
           "function f(x::T, y=1; z...) where {T<:Real}\n for i in 1:n, j in 1:m\n  a[i] = -(b + c)^2 / 2x\n "
           "end\nend",
           "if a\n b\nelseif c\n d\nelse\n e\nend",
           "try\n a\ncatch e\n b\nfinally\n c\nend",
           "let a = 1\n a\nend",
           "struct A{T} <: B\n x::T\nend",
           "mutable struct A\n x\nend",
           "abstract type A <: B end",
           "while a\n break\n continue\nend",
           "a ? b : c",
           "map(x) do y\n y\nend",
           "[1, 2, 3]",
           "T[1 2; 3 4]",
           "using A, B.C",
           "using B.C: d as e",
           "import ..A.b",
           "module M\nx = 1\nend",
           "(a; b)",
           "(; a = 1)",
           "quote\n $x + 1\nend",
           "macro m(x)\n x\nend",
           "const x = 1",
           "a => b",
           "!(a && b)",
           "(x -> x)(1)",
           "[x for x in y if z]",
       }) {
    INFO(text);
    const std::string once = printed(text);
    INFO(once);
    CHECK(parser_test::sexpr(once) ==
          parser_test::sexpr(parser_test::parse(text).errors.empty() ? text : ""));
  }
}
