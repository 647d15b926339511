// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <thread>

using namespace kiln;

TEST_CASE_METHOD(WorldFixture, "modules: built-ins are in Core, and everyone sees them") {
  CHECK(value(world.main(), "Int64")->as_type() == t.Int64);
  CHECK(value(world.main(), "nothing") == types.nothing());
  CHECK(value(world.main(), "===") == world.intrinsic_value(Intrinsic::egal));
  CHECK(value(world.base(), "add_int") == world.intrinsic_value(Intrinsic::add_int));
  CHECK(world.intrinsic(value(world.core(), "throw")->type()) == Intrinsic::throw_);
  CHECK_FALSE(world.intrinsic(t.Int64).has_value());
  CHECK(value(world.main(), "Base")->as_module() == world.base());
  const Module *intrinsics = value(world.core(), "Intrinsics")->as_module();
  REQUIRE(intrinsics);
  CHECK(intrinsics->full_name() == "Core.Intrinsics");
  CHECK(value(intrinsics, "sitofp") == world.intrinsic_value(Intrinsic::sitofp));
  CHECK_FALSE(value(world.main(), "no_such_name").has_value());
}

TEST_CASE_METHOD(WorldFixture, "modules: nesting, Base's names, own names first") {
  Module *inner = world.module(symbol("Inner"), world.main());
  CHECK(inner == world.module(symbol("Inner"), world.main()));
  CHECK(inner->full_name() == "Main.Inner");
  CHECK(value(world.main(), "Inner")->as_module() == inner);
  CHECK(value(inner, "Inner")->as_module() == inner);
  Module *root = world.module(symbol("CUDA"), nullptr);
  CHECK(world.find_root_module(symbol("CUDA")) == root);
  CHECK(world.find_root_module(symbol("Inner")) == nullptr);
  CHECK(root->full_name() == "CUDA");

  ok(world.set_constant(*world.base(), symbol("pi"), int64(3), {}));
  ok(world.set_constant(*world.main(), symbol("mine"), int64(4), {}));
  CHECK(value(inner, "pi") == int64(3));
  CHECK_FALSE(value(inner, "mine").has_value()); // a submodule does not see its parent's
  CHECK_FALSE(value(world.core(), "pi").has_value());
  ok(world.set_constant(*inner, symbol("pi"), int64(31), {}));
  CHECK(value(inner, "pi") == int64(31));
  CHECK(value(root, "pi") == int64(3));
}

TEST_CASE_METHOD(WorldFixture, "modules: import shares the binding, under another name too") {
  Module *a = world.module(symbol("A"), world.main());
  ok(world.set_constant(*a, symbol("x"), int64(1), {}));
  ok(world.import_name(*world.main(), *a, symbol("x"), symbol("ax")));
  CHECK(value(world.main(), "ax") == int64(1));
  ok(world.set_constant(*a, symbol("x"), int64(2), {}));
  CHECK(value(world.main(), "ax") == int64(2));
  ok(world.import_name(*world.main(), *a, symbol("x"), symbol("ax"))); // again: nothing to do

  auto assigned = world.set_constant(*world.main(), symbol("ax"), int64(5), {});
  REQUIRE_FALSE(assigned.ok());
  CHECK_THAT(message(assigned.error()), Catch::Contains("imported from Main.A"));
  ok(world.set_constant(*world.main(), symbol("own"), int64(5), {}));
  CHECK_FALSE(world.import_name(*world.main(), *a, symbol("x"), symbol("own")).ok());

  ok(world.set_constant(*a, symbol("length_of"), int64(2), {}));
  auto missing = world.import_name(*world.main(), *a, symbol("lenght_of"), symbol("lenght_of"));
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().kind() == ErrorKind::Input);
  CHECK(missing.error().diagnostics()[0].hint == "did you mean length_of?");

  // An imported function gets the methods; a name that is only visible gets a function of its own.
  TypeRef base_f = take(world.function(*world.base(), symbol("f"), {})).type();
  Module *user = world.module(symbol("User"), world.main());
  CHECK(take(world.function(*user, symbol("f"), {})).type() != base_f);
  Module *extender = world.module(symbol("Extender"), world.main());
  ok(world.import_name(*extender, *world.base(), symbol("f"), symbol("f")));
  CHECK(take(world.function(*extender, symbol("f"), {})).type() == base_f);
  auto taken = world.function(*a, symbol("x"), {});
  REQUIRE_FALSE(taken.ok());
  CHECK_THAT(message(taken.error()), Catch::Contains("cannot define function x"));
}

TEST_CASE_METHOD(WorldFixture, "modules: using gives exports, and two of a name are ambiguous") {
  Module *a = world.module(symbol("A"), world.main()), *b = world.module(symbol("B"), world.main());
  for (Module *each : {a, b}) ok(world.set_constant(*each, symbol("x"), int64(each == a ? 1 : 2), {}));
  ok(world.set_constant(*a, symbol("hidden"), int64(1), {}));
  world.export_name(*a, symbol("x"));
  world.use_module(*world.main(), *a);
  CHECK(value(world.main(), "x") == int64(1));
  CHECK_FALSE(value(world.main(), "hidden").has_value());
  world.use_module(*world.main(), *b);
  CHECK(value(world.main(), "x") == int64(1));
  world.export_name(*b, symbol("x"));
  auto ambiguous = world.lookup(*world.main(), symbol("x"), world.age());
  REQUIRE_FALSE(ambiguous.ok());
  CHECK(message(ambiguous.error()) ==
        "both Main.A and Main.B export x; uses of it in module Main must be qualified");
  CHECK_FALSE(world.is_defined(*world.main(), symbol("x")));

  // A module that exports what it got by `using`, in a circle.
  Module *c = world.module(symbol("C"), nullptr);
  world.use_module(*c, *a);
  world.use_module(*a, *c);
  world.export_name(*c, symbol("x"));
  Module *d = world.module(symbol("D"), nullptr);
  world.use_module(*d, *c);
  CHECK(value(d, "x") == int64(1));
}

TEST_CASE_METHOD(WorldFixture, "modules: a world does not see a later import, using or export") {
  Module *a = world.module(symbol("A"), world.main());
  for (const char *name : {"x", "y", "z"}) ok(world.set_constant(*a, symbol(name), int64(1), {}));
  world.export_name(*a, symbol("x"));
  WorldAge before_import = world.age();
  ok(world.import_name(*world.main(), *a, symbol("z"), symbol("z")));
  WorldAge before_using = world.age();
  world.use_module(*world.main(), *a);
  WorldAge before_export = world.age();
  world.export_name(*a, symbol("y"));

  CHECK_FALSE(value(world.main(), "z", before_import).has_value());
  CHECK(value(world.main(), "z", before_using) == int64(1));
  CHECK_FALSE(value(world.main(), "x", before_using).has_value());
  CHECK(value(world.main(), "x", before_export) == int64(1));
  CHECK_FALSE(value(world.main(), "y", before_export).has_value());
  CHECK(value(world.main(), "y") == int64(1));
  for (const char *name : {"x", "y", "z"}) CHECK(value(world.main(), name) == int64(1));
}

TEST_CASE_METHOD(WorldFixture, "bindings: every value with the worlds it held in") {
  WorldAge before = world.age();
  ok(world.set_constant(*world.main(), symbol("x"), int64(1), {}));
  WorldAge first = world.age();
  ok(world.set_constant(*world.main(), symbol("x"), int64(1), {}));
  CHECK(world.age() == first); // the same value is no definition
  ok(world.set_constant(*world.main(), symbol("x"), int64(2), {}));
  CHECK_FALSE(value(world.main(), "x", before).has_value());
  CHECK(value(world.main(), "x", first) == int64(1));
  CHECK(value(world.main(), "x") == int64(2));
  CHECK(world.names(*world.main()) == std::vector<Symbol>{symbol("x")});
}

TEST_CASE_METHOD(WorldFixture, "bindings: a value of the machine is not the library's, as others are") {
  using Kind = CompilerWorld::Meaning::Kind;
  auto one = [&]() -> Result<Value> { return int64(1); };
  ok(world.set_deferred(*world.base(), symbol("x"), true, one));
  ok(world.set_machine_value(*world.base(), symbol("threads"), one));
  world.library_is_loaded();
  CHECK(world.meaning(*world.main(), symbol("x"), world.age()).kind == Kind::Library);
  CHECK(world.meaning(*world.main(), symbol("threads"), world.age()).kind == Kind::Value);
  CHECK(value(world.main(), "threads") == int64(1));
}

TEST_CASE_METHOD(WorldFixture, "bindings: a deferred value is evaluated once, when it is read") {
  int evaluated = 0;
  ok(world.set_deferred(*world.main(), symbol("x"), true, [&]() -> Result<Value> {
    ++evaluated;
    return types.int64(7);
  }));
  ok(world.set_deferred(*world.main(), symbol("y"), true, [&]() -> Result<Value> {
    KILN_TRY(auto x, world.lookup(*world.main(), symbol("x"), world.age()));
    return types.int64(int64_t(x->low_bits()) + 1);
  }));
  CHECK(world.is_defined(*world.main(), symbol("x")));
  CHECK(evaluated == 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] { (void)world.lookup(*world.main(), symbol("y"), world.age()); });
  for (std::thread &thread : threads) thread.join();
  CHECK(value(world.main(), "y") == int64(8));
  CHECK(value(world.main(), "x") == int64(7));
  CHECK(evaluated == 1);
}

TEST_CASE_METHOD(WorldFixture,
                 "bindings: a value defined by itself is an error; a failure is tried again in a new world") {
  auto read = [&](const char *name) {
    return [this, name]() -> Result<Value> {
      KILN_TRY(auto value, world.lookup(*world.main(), symbol(name), world.age()));
      if (!value) return make_error(ErrorCode::UndefVarError, std::string(name) + " not defined");
      return *value;
    };
  };
  ok(world.set_deferred(*world.main(), symbol("a"), true, read("b")));
  ok(world.set_deferred(*world.main(), symbol("b"), true, read("a")));
  auto circle = world.lookup(*world.main(), symbol("a"), world.age());
  REQUIRE_FALSE(circle.ok());
  CHECK(circle.error().kind() == ErrorKind::Input);

  ok(world.set_deferred(*world.main(), symbol("c"), true, read("later")));
  CHECK_FALSE(world.lookup(*world.main(), symbol("c"), world.age()).ok());
  ok(world.set_constant(*world.main(), symbol("later"), int64(1), {}));
  CHECK(value(world.main(), "c") == int64(1));
}

TEST_CASE_METHOD(WorldFixture, "similar names: near ones, nearest first") {
  for (const char *name : {"length", "lengthy", "strength", "size", "Length", "len"})
    ok(world.set_constant(*world.main(), symbol(name), int64(1), {}));
  CHECK(world.similar_names(*world.main(), symbol("lenght")) == std::vector<std::string>{"length"});
  CHECK(world.similar_names(*world.main(), symbol("le")) == std::vector<std::string>{"len"});
  CHECK(world.similar_names(*world.base(), symbol("le")).empty());     // short, and another module's
  CHECK(world.similar_names(*world.main(), symbol("fength")).empty()); // another word
  CHECK(world.similar_names(*world.main(), symbol("Int46")) == std::vector<std::string>{"Int16", "Int64"});
  CHECK(world.similar_names(*world.main(), symbol("completely_else")).empty());
}
