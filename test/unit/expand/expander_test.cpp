// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expansion by itself, without what defines and runs code: sugar becomes calls, a macro that is a template is
// put in, and its own names belong to its module. Expected trees follow the manual of Julia: dot calls fuse
// ("Functions"), updating operators ("Mathematical Operations"), hygiene ("Metaprogramming").
#include <expand/expand.h>

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::julia;

namespace {

/// Expansion that may run no code of the program.
struct NoProgram final : Shared {
  using Shared::Shared;
  int asked = 0;
  Result<Value> interpret(const Module &, const Syntax &) override {
    ++asked;
    return input_error("nothing runs here");
  }
  Result<void> define(Module &, std::shared_ptr<Unit>, const Syntax &) override {
    ++asked;
    return input_error("nothing is defined here");
  }
  std::optional<Fingerprint> generator_inputs(const Module &, Span, TypeRef) override { return std::nullopt; }
  Result<void> define_macro(MacroDefinition &) override {
    ++asked;
    return input_error("nothing is defined here");
  }
  WatchedNames watched;
  std::vector<std::string> loaded; ///< triggers that code has met
  const WatchedNames &watched_names() const override { return watched; }
  Result<void> load_named(const NameWatch &seen) override {
    loaded.insert(loaded.end(), seen.found().begin(), seen.found().end());
    return {};
  }
};

struct Fixture {
  TypeContext types;
  SourceMap sources;
  CompilerWorld world{types, sources};
  Interpreter interpreter{world};
  std::shared_ptr<NoProgram> shared = std::make_shared<NoProgram>(LanguageHost{world, interpreter});
  std::shared_ptr<Unit> unit = std::make_shared<Unit>();

  Syntax *parse(std::string text) {
    auto file = sources.add("test.jl", std::move(text));
    auto tree = parse_expression(types, unit->arena, *file);
    if (!tree.ok()) FAIL(tree.error().what());
    return *tree;
  }
  Syntax *expand(std::string text) {
    return Expander(shared, *world.main(), unit->arena).expand(*parse(std::move(text)));
  }
  std::string expanded(std::string text) { return to_sexpr(*expand(std::move(text))); }
  void macro(Module &module, std::string_view name, std::string text) {
    auto function = world.function(module, types.symbol(name), {});
    REQUIRE(function.ok());
    auto definition = std::make_shared<MacroDefinition>();
    definition->module = &module;
    definition->node = parse(std::move(text));
    definition->unit = unit;
    shared->add_macro(*function, std::move(definition));
  }
};

/// The identifiers of that name in the tree, in order.
void identifiers(const Syntax &node, std::string_view name, std::vector<const Syntax *> &into) {
  if (node.is(Head::Identifier) && node.name.text() == name) into.push_back(&node);
  for (const Syntax *child : node.args) identifiers(*child, name, into);
}

} // namespace

TEST_CASE("code that is made from values meets triggers as text does") {
  Fixture f;
  for (const char *trigger : {"SA", "rand*", "Mark", "unused"}) f.shared->watched.add(trigger);
  auto code = [&](const char *head, std::vector<const char *> parts) {
    auto expr = std::make_shared<ExprObject>();
    expr->head = f.types.symbol(head);
    for (const char *part : parts) expr->args.push_back(Value::symbol(f.types, f.types.symbol(part)));
    return Value::expr(f.types, expr);
  };
  auto made =
      value_to_syntax(*f.shared, f.unit->arena, code("call", {"SA", "randn", "@Mark", "operand"}), {});
  REQUIRE(made.ok());
  CHECK(f.shared->loaded == std::vector<std::string>{"SA", "rand*", "Mark"});
  f.shared->loaded.clear();
  REQUIRE(value_to_syntax(*f.shared, f.unit->arena, code("inert", {"rand!"}), {}).ok()); // a quoted name
  CHECK(f.shared->loaded == std::vector<std::string>{"rand*"});
}

TEST_CASE("sugar is calls of Base") {
  Fixture f;
  struct Case {
    const char *text, *expected;
  };
  const Case cases[] = {
      {"x += 2", "(= x (call + x 2))"},
      {"a .+ b .* 2", "(call materialize (call broadcasted + a (call broadcasted * b 2)))"},
      {"f.(x)", "(call materialize (call broadcasted f x))"},
      {"[a, b]", "(call vect a b)"},
      {"[a b]", "(call hcat a b)"},
      {"\"n = $n\"", "(call string \"n = \" n)"},
      {"map(v) do x\nx + 1\nend", "(call map (-> (tuple x) (block (call + x 1))) v)"},
      {"@inbounds a[i]", "(macrocall @inbounds (ref a i))"},
      {"@assert ok \"why\"", "(if ok nothing (call throw (call AssertionError \"why\")))"},
      {"f(@simd x)", "(call f x)"},
  };
  for (const Case &each : cases) {
    INFO(each.text);
    CHECK(f.expanded(each.text) == each.expected);
  }
  CHECK(f.shared->asked == 0);
}

TEST_CASE("a macro's own names belong to its module, its arguments to the caller") {
  Fixture f;
  Module *other = f.world.module(f.types.symbol("Other"), nullptr);
  f.macro(*other, "@twice", "macro twice(x)\n:(t = $(esc(x)); t + t)\nend");
  REQUIRE(
      f.world.import_name(*f.world.main(), *other, f.types.symbol("@twice"), f.types.symbol("@twice")).ok());
  Syntax *tree = f.expand("@twice t");
  std::vector<const Syntax *> found;
  identifiers(*tree, "t", found);
  REQUIRE(found.size() == 4); // t = t; t + t: the second is the caller's
  for (size_t i = 0; i < 4; ++i) {
    const Module &where = f.shared->module_of(found[i]->scope, *f.world.main());
    CHECK(&where == (i == 1 ? f.world.main() : other));
    CHECK((found[i]->scope == 0) == (i == 1));
  }
  CHECK(f.shared->asked == 0); // a template runs nothing
}

TEST_CASE("a macro that computes is an error where it stands, and an unknown one reads its name") {
  Fixture f;
  f.macro(*f.world.main(), "@computes", "macro computes(x)\ny = x\ny\nend");
  Syntax *tree = f.expand("f(@computes 1)");
  REQUIRE(tree->is(Head::Call));
  CHECK(tree->args[1]->is(Head::Error));
  CHECK(f.shared->asked == 1);
  const Syntax *unknown = f.expand("f(@nobody 1)")->args[1];
  CHECK(unknown->is(Head::Identifier)); // an UndefVarError at run time
  CHECK(unknown->name.text() == "@nobody");
}
