// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a World forgets: replaced methods and values, and nothing that today's definitions need.
#include "fixture.h"

#include <lowered/lowered.h>

using namespace kiln;

namespace {

struct Counted : Dependent {
  int ended = 0;
  void invalidate(WorldAge) override { ended++; }
};

} // namespace

TEST_CASE_METHOD(WorldFixture, "forget: replaced methods go with what they hold, the others stay") {
  TypeRef f = function("f"), g = function("g");
  auto held = std::make_shared<int>(0); // by the replaced method's lowering
  auto replaced = std::make_unique<Method>();
  replaced->name = symbol("f");
  replaced->module = world.main();
  replaced->signature = types.tuple({f, t.Int64});
  replaced->lower = [held]() -> Result<CodeInfo> { return internal_error("never asked for"); };
  take(world.define(std::move(replaced)));
  const Method *other = define(types.tuple({g, t.Int64}));
  const MethodInstance *instance = world.instance(*other, types.tuple({g, t.Int64}), {});
  CHECK(world.retired() == 0);
  world.forget({});
  CHECK(world.oldest() == 0);
  CHECK(held.use_count() == 2);

  WorldAge before = world.age();
  const Method *second = define(types.tuple({f, t.Int64}));
  CHECK(world.retired() == 1);
  CHECK(look({f, t.Int64}, "", before).method != second);
  world.forget({});
  CHECK(held.use_count() == 1);
  CHECK(world.retired() == 0);
  CHECK(world.oldest() == world.age()); // `before` can no longer be answered
  CHECK(look({f, t.Int64}).method == second);
  CHECK(look({g, t.Int64}).method == other);
  CHECK(world.instance(*other, types.tuple({g, t.Int64}), {}) == instance);
  CHECK(world.methods_of(f, {}, world.age()) == std::vector<const Method *>{second});
}

TEST_CASE_METHOD(WorldFixture, "forget: old values of names") {
  ok(world.set_constant(*world.main(), symbol("x"), int64(1), {}));
  ok(world.set_constant(*world.main(), symbol("y"), int64(5), {}));
  ok(world.set_constant(*world.main(), symbol("x"), int64(2), {}));
  WorldAge changed = world.age();
  define(types.tuple({function("f"), t.Int64}));
  world.forget({});
  CHECK(world.oldest() == changed);
  CHECK(value(world.main(), "x", changed) == int64(2));
  CHECK(value(world.main(), "x") == int64(2));
  CHECK(value(world.main(), "y") == int64(5));
}

TEST_CASE_METHOD(WorldFixture, "forget: dependents that are there are still ended by what changes them") {
  TypeRef f = function("f");
  define(types.tuple({f, t.Any}));
  auto edge = [&](TypeRef argument) {
    return Edge{.kind = Edge::Kind::Call,
                .arguments = types.tuple({f, argument}),
                .method = look({f, argument}).method};
  };
  auto kept = std::make_shared<Counted>(), gone = std::make_shared<Counted>();
  REQUIRE(world.add_edges(gone, std::vector<Edge>{edge(t.Int8)}, world.age()));
  REQUIRE(world.add_edges(kept, std::vector<Edge>{edge(t.Int64)}, world.age()));
  gone.reset();
  define(types.tuple({function("g"), t.Any}));
  define(types.tuple({function("g"), t.Any}));
  world.forget({});
  CHECK(kept->ended == 0);
  define(types.tuple({f, t.Int8}));
  CHECK(kept->ended == 0);
  define(types.tuple({f, t.Int64}));
  CHECK(kept->ended == 1);
}

TEST_CASE("source files live as long as someone holds them; ids are not used again") {
  SourceMap sources;
  uint32_t library = sources.add("lib.jl", "l\n", true)->id();
  auto kept = sources.add("a.jl", "one\ntwo\n");
  uint32_t last = kept->id();
  for (int i = 0; i < 1000; i++) {
    auto file = sources.add("a.jl", "newer\n");
    REQUIRE(file->id() > last);
    last = file->id();
    REQUIRE(sources.file(last) == file);
  }
  CHECK(sources.file(last) == nullptr);
  CHECK(sources.file(library)->name() == "lib.jl");
  CHECK(sources.file(kept->id()) == kept);
  CHECK(sources.locate_line("a.jl", 2).file == kept);
  CHECK(sources.locate_line("a.jl", 2, 3).begin == 6);
}
