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
  for (auto sources : {base_sources(), device_sources(), kernelabstractions_sources(), ptx_overlay_sources(),
                       native_overlay_sources()})
    for (const EmbeddedSource &source : sources) comparison.file(source);
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
