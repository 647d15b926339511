// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bodies of the runtime library that are parsed when they are needed: what comes out is what parsing the
// whole file at once gives, and nothing in them is of the kind that must be known before.
#include <lower/lower.h>
#include <runtime_sources.h>
#include <syntax/syntax.h>

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::julia;

namespace {

struct Comparison {
  TypeContext types;
  SourceMap sources;
  SyntaxArena arena;
  size_t unread = 0, definitions = 0;

  /// `now` parsed at once, `later` with bodies left out.
  void compare(const Syntax &now, const Syntax &later, const SourceFile &file) {
    if (later.is(Head::Unread)) {
      ++unread;
      auto read = read_body(types, arena, file, later);
      INFO(file.name() << ": " << file.text().substr(later.at.begin, later.at.end - later.at.begin));
      REQUIRE(read.ok());
      CHECK(to_sexpr(**read) == to_sexpr(now));
      CHECK((*read)->at.begin == now.at.begin);
      CHECK((*read)->at.end == now.at.end);
      CHECK_FALSE(may_hold_closures(now));
      for (const Syntax *statement : now.args) {
        bool is_hint = statement->is(Head::MacroCall) && statement->args.size() == 1;
        CHECK_FALSE(is_hint);
      }
      return;
    }
    definitions += is_function_definition(now);
    REQUIRE(now.head == later.head);
    REQUIRE(now.args.size() == later.args.size());
    for (size_t i = 0; i < now.args.size(); ++i) compare(*now.args[i], *later.args[i], file);
  }

  void file(const EmbeddedSource &source) {
    auto plain = sources.add(std::string(source.name), std::string(source.text));
    auto library = sources.add(std::string(source.name), std::string(source.text), /*is_library=*/true);
    auto now = parse_file(types, arena, *plain), later = parse_file(types, arena, *library);
    INFO(source.name);
    REQUIRE(now.ok());
    REQUIRE(later.ok());
    compare(**now, **later, *library);
  }
};

} // namespace

TEST_CASE("bodies of the runtime library can be parsed later") {
  Comparison comparison;
  for (const LibraryFile &file : runtime_library()) comparison.file(file.source);
  CHECK(comparison.unread > comparison.definitions / 2); // or it would be of no use
}

TEST_CASE("bodies of other files are parsed at once") {
  TypeContext types;
  SourceMap sources;
  SyntaxArena arena;
  const char *text = "f(x) = x + 1\nfunction g(x)\n    x\nend\ng(1)\n";
  auto all_read = [&](bool is_library) {
    auto tree = parse_file(types, arena, *sources.add("a.jl", text, is_library));
    REQUIRE(tree.ok());
    return to_sexpr(**tree).find("unread") == std::string::npos;
  };
  CHECK(all_read(false));
  CHECK_FALSE(all_read(true));
}

TEST_CASE("bodies of large files are let go of, and parsed again") {
  const std::string kernel = "function copies(y, x)\n"
                             "    i = threadIdx().x # of 1:length(y)\n"
                             "    @inbounds if i <= length(y) y[i] = x[i]; end end\n";
  const std::string others[] = {
      "function closes(x)\n    f(y) = x + y\n    f(1)\nend\n",
      "function maps(x)\n    map(y -> x + y, (1, 2))\nend\n",
      "function hinted(x)\n    @inline\n    x\nend\n",
      "function quoted(x)\n    :(x + 1)\nend\n",
      "begin\nfunction within(x)\n    x\nend\nend\n",
      "@eval begin\nfunction evaluated(x)\n    x\nend\nend\n",
      "const text = quote\nmodule M\nfunction of_a_quote(x)\n    x\nend\nend\nend\n",
  };
  const std::string kept =
      std::string(others[0]) + others[1] + others[2] + others[3] + others[4] + others[5] + others[6];
  const std::string let_go = kernel +
                             "function (x::T)(y)::T where T\n    while true break end\n    x.f[end]end\n"
                             "module N\nfunction of_a_module(x)\n    begin\n        x; end\nend\nend\n";
  TypeContext types;
  SourceMap sources;
  SyntaxArena arena;
  auto parse = [&](const std::string &text) {
    auto tree = parse_file(types, arena, *sources.add("a.jl", text));
    REQUIRE(tree.ok());
    return to_sexpr(**tree);
  };
  const std::string filler = "\n" + std::string(256 * 1024, '#') + "\n";
  CHECK(parse(kept + filler) == parse(kept));
  auto file = sources.add("b.jl", let_go + filler);
  auto now = parse_file(types, arena, *sources.add("a.jl", let_go)), later = parse_file(types, arena, *file);
  REQUIRE(now.ok());
  REQUIRE(later.ok());
  Comparison comparison;
  comparison.compare(**now, **later, *file);
  CHECK(comparison.unread == 3);
  // What is wrong in a body is told as of a small file.
  auto wrong = parse_file(types, arena, *sources.add("c.jl", "function f(x)\n    x +\nend\n" + filler));
  REQUIRE_FALSE(wrong.ok());
  CHECK(wrong.error().what().find("c.jl:3") != std::string::npos);
}
