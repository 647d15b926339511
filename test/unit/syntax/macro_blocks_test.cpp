// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macro calls without parentheses whose argument is a block, wherever an expression may stand. In Julia `@m
// x` and `@m(x)` are the same call, so one is the expected tree of the other.
#include "parse.h"

#include <catch2/catch.hpp>

using parser_test::sexpr;

namespace {

const std::string blocks[] = {
    "for i in 1:n; x[i] = 1; end",
    "for i in 1:n\n  x[i] = 1\nend",
    "for i = 1:n, j in 1:m; x[i, j] = x[end]; end",
    "for i in 1:n; if i > 2; break; end; while true; end; end",
    "for i in 1:n; s = \"end) $(f(\"]\")) for\"; c = ')'; d = a'; r = raw\"\\\\\"; end",
    "for i in 1:n; y = [a for a in b if c]; z = q.end; s = :end; end",
    "for i in 1:n; f(i) do x; x; end; end",
    "while i < n; i += 1; end",
    "if c; a; elseif d; b; else; e; end",
    "let a = 1; a; end",
    "begin a; b; end",
    "try; f(); catch e; g(); finally; h(); end",
    "function g(x) x + 1; end",
    "map(x) do y; y; end",
    "quote a; end",
};
// %: the macro call. Nothing follows it behind a comma, which would make a tuple of its last argument.
const std::string contexts[] = {
    "(%)",
    "(a; %; b)",
    "f(%)",
    "f(a, %)",
    "f(%; k = 1)",
    "f(a; k = %)",
    "[%]",
    "[a, %]",
    "x = %",
    "x = (%)",
    "c ? (%) : b",
    "c ? % : b",
    "c && (%)",
    "c && %",
    "return (%)",
    "x -> (%)",
    "g(x) = (%)",
    "g(x) = %",
    "(1, %)",
    "(b, a = %)",
    "x[(%)]",
    "f((%)) do x; end",
    "(\n  %\n)",
    "f(\n  a,\n  %\n)",
    "[\n  a,\n  %\n]",
    "T[%]",
    "{%}",
    "$(%)",
    "local x = (%)",
    "A.f(%)",
    "f.(%)",
};

std::string put(const std::string &context, const std::string &call) {
  std::string text = context;
  text.replace(text.find('%'), 1, call);
  return text;
}

} // namespace

TEST_CASE("parser: a block is a macro's argument in every context") {
  for (const std::string &block : blocks)
    for (const std::string &context : contexts) {
      if (context == "x[(%)]" && block.find("end]") != block.npos)
        continue; // `end` is the index there as well
      if ((context == "T[%]" || context == "x[(%)]") && block.starts_with("begin"))
        continue; // and `begin` is
      for (const std::string &before :
           {std::string("@m "), std::string("@A.m "), std::string("@m 4 "), std::string("@m @n ")}) {
        // "@m 4 x" is @m(4, x), "@m @n x" is @m(@n(x)).
        std::string called = before == "@m "     ? "@m(" + block + ")"
                             : before == "@A.m " ? "@A.m(" + block + ")"
                             : before == "@m 4 " ? "@m(4, " + block + ")"
                                                 : "@m(@n(" + block + "))";
        const std::string written = put(context, before + block), wanted = put(context, called);
        CAPTURE(written);
        CHECK(sexpr(written) == sexpr(wanted));
        CHECK_FALSE(sexpr(written).starts_with("ERROR"));
      }
    }
}

TEST_CASE("parser: a generator behind a macro call stays a generator") {
  const std::pair<const char *, const char *> cases[] = {
      {"sum(@m x[i] for i in 1:n)", "sum(@m(x[i]) for i in 1:n)"},
      {"[@m x[i] for i in 1:n]", "[@m(x[i]) for i in 1:n]"},
      {"(@m x for x in y if x > 2)", "(@m(x) for x in y if x > 2)"},
      {"(@m x y for x in y, z in w)", "(@m(x, y) for x in y, z in w)"},
      {"f(@m x for x in y; k = 1)", "f(@m(x) for x in y; k = 1)"},
      {"[@m x for x in f(a) do z; z; end]", "[@m(x) for x in f(a) do z; z; end]"},
      {"[@m x for x in y for y in z]", "[@m(x) for x in y for y in z]"},
      {"(@m x for x in (@m for i in r; end))", "(@m(x) for x in (@m(for i in r; end)))"},
      {"[@m for x in y]", "[@m() for x in y]"},
      {"f(@m a, b)", "f(@m((a, b)))"},
  };
  for (const auto &[written, wanted] : cases) {
    CAPTURE(written);
    CHECK(sexpr(written) == sexpr(wanted));
    CHECK_FALSE(sexpr(written).starts_with("ERROR"));
  }
}

TEST_CASE("parser: a block of a macro in brackets that has no end is told at the bracket") {
  for (const char *text : {"(@m for i in 1:n; x", "f(@m while c; x)", "[@m if c; x]"}) {
    CAPTURE(text);
    CHECK(sexpr(text).starts_with("ERROR"));
  }
}
