// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

using namespace kiln;

namespace {

struct Recorder : Dependent {
  std::vector<WorldAge> ended;
  void invalidate(WorldAge world) override { ended.push_back(world); }
};

struct InvalidationFixture : WorldFixture {
  Edge call(std::initializer_list<TypeRef> arguments, const char *overlay = "") {
    Edge edge;
    edge.arguments = types.tuple(arguments);
    edge.overlay = *overlay ? symbol(overlay) : Symbol();
    edge.method = look(arguments, overlay).method;
    return edge;
  }
  Edge binding(const Module *module, const char *name) {
    Edge edge;
    edge.kind = Edge::Kind::Binding;
    edge.binding = {module, symbol(name)};
    return edge;
  }
  std::shared_ptr<Recorder> depend(std::vector<Edge> edges) {
    auto made = std::make_shared<Recorder>();
    REQUIRE(world.add_edges(made, edges, world.age()));
    return made;
  }
};

} // namespace

TEST_CASE_METHOD(InvalidationFixture, "invalidation: a method ends exactly the calls that it changes") {
  TypeRef f = function("f"), g = function("g");
  define(types.tuple({f, t.Any}));
  define(types.tuple({f, t.Int8}));
  define(types.tuple({g, t.Any}));
  auto on_int = depend({call({f, t.Int64})});
  auto on_int8 = depend({call({f, t.Int8})});
  auto on_float = depend({call({f, t.Float64})});
  auto on_g = depend({call({g, t.Int64})});
  auto on_both = depend({call({g, t.Int64}), call({f, t.Int64}), call({f, t.Int64})});
  auto on_nothing = depend({call({f, t.Int64, t.Int64})});

  define(types.tuple({f, t.Integer})); // f(::Int8) still goes to its own
  WorldAge now = world.age();
  CHECK(on_int->ended == std::vector<WorldAge>{now});
  CHECK(on_both->ended == std::vector<WorldAge>{now});
  CHECK(on_int8->ended.empty());
  CHECK(on_float->ended.empty());
  CHECK(on_g->ended.empty());
  CHECK(on_nothing->ended.empty());

  define(types.tuple({f, t.Int64, t.Int64})); // what matched no method does now
  CHECK(on_nothing->ended == std::vector<WorldAge>{world.age()});
  define(types.tuple({g, t.Any})); // a replacement
  CHECK(on_g->ended == std::vector<WorldAge>{world.age()});
  CHECK(on_both->ended.size() == 1); // ended once
  CHECK(on_int->ended.size() == 1);

  auto again = depend({call({f, t.Int64})});
  define(types.tuple({f, t.Float64}));
  CHECK(again->ended.empty());
  define(types.tuple({f, t.Int64}));
  CHECK(again->ended.size() == 1);
}

TEST_CASE_METHOD(InvalidationFixture, "invalidation: an ambiguity ends what chose one of its sides") {
  TypeRef f = function("f");
  define(types.tuple({f, t.Int64, t.Any}));
  auto dependent = depend({call({f, t.Int64, t.Int64})});
  define(types.tuple({f, t.Any, t.Int64}));
  CHECK(dependent->ended.size() == 1);
}

TEST_CASE_METHOD(InvalidationFixture, "invalidation: overlays and general methods") {
  TypeRef f = function("f");
  define(types.tuple({f, t.Any}));
  auto common = depend({call({f, t.Int64})});
  auto ptx = depend({call({f, t.Int64}, "ptx")});
  auto native = depend({call({f, t.Int64}, "native")});
  define(types.tuple({f, t.Int64}), "ptx");
  CHECK(common->ended.empty());
  CHECK(native->ended.empty());
  CHECK(ptx->ended.size() == 1);

  auto covered = depend({call({f, t.Int64}, "ptx")}); // the overlay's method stays chosen
  define(types.tuple({f, t.Int64}));
  CHECK(common->ended.size() == 1);
  CHECK(native->ended.size() == 1);
  CHECK(covered->ended.empty());

  auto unmatched = depend({call({f, t.String, t.String})});
  define(types.tuple({t.Function, t.String, t.String}));
  CHECK(unmatched->ended.size() == 1);
}

TEST_CASE_METHOD(InvalidationFixture, "invalidation: bindings, by what the name resolves to") {
  ok(world.set_constant(*world.base(), symbol("limit"), int64(1), {}));
  auto from_main = depend({binding(world.main(), "limit")});
  auto from_base = depend({binding(world.base(), "limit")});
  auto undefined = depend({binding(world.main(), "later")});
  auto other = depend({binding(world.main(), "Int64")});

  ok(world.set_constant(*world.main(), symbol("limit"), int64(2), {})); // hides Base's from Main
  CHECK(from_main->ended == std::vector<WorldAge>{world.age()});
  CHECK(from_base->ended.empty());
  ok(world.set_constant(*world.base(), symbol("limit"), int64(3), {}));
  CHECK(from_base->ended.size() == 1);
  CHECK(from_main->ended.size() == 1);
  ok(world.set_constant(*world.main(), symbol("later"), int64(2), {}));
  CHECK(undefined->ended.size() == 1);

  auto same = depend({binding(world.main(), "limit")});
  ok(world.set_constant(*world.main(), symbol("limit"), int64(2), {})); // no change
  CHECK(same->ended.empty());
  Module *used = world.module(symbol("Used"), world.main());
  ok(world.set_constant(*used, symbol("fresh"), int64(5), {}));
  world.export_name(*used, symbol("fresh"));
  auto by_using = depend({binding(world.main(), "fresh")});
  world.use_module(*world.main(), *used);
  CHECK(by_using->ended.size() == 1);
  CHECK(same->ended.empty());
  CHECK(other->ended.empty());
}

TEST_CASE_METHOD(InvalidationFixture,
                 "add_edges: what changed since the dependent's world is not registered") {
  TypeRef f = function("f");
  define(types.tuple({f, t.Any}));
  ok(world.set_constant(*world.main(), symbol("c"), int64(1), {}));
  WorldAge old = world.age();
  std::vector<Edge> to_call{call({f, t.Int64})}, to_float{call({f, t.Float64})},
      to_binding{binding(world.main(), "c")};
  define(types.tuple({f, t.Int64}));
  ok(world.set_constant(*world.main(), symbol("c"), int64(2), {}));

  auto stale = std::make_shared<Recorder>(), stale_binding = std::make_shared<Recorder>(),
       fine = std::make_shared<Recorder>();
  CHECK_FALSE(world.add_edges(stale, to_call, old));
  CHECK(stale->ended == std::vector<WorldAge>{old + 1});
  CHECK_FALSE(world.add_edges(stale_binding, to_binding, old));
  CHECK(world.add_edges(fine, to_float, old));
  CHECK(fine->ended.empty());
  define(types.tuple({f, t.Float64}));
  CHECK(fine->ended.size() == 1);
}

TEST_CASE_METHOD(InvalidationFixture, "add_edges: dependents that are gone are forgotten") {
  TypeRef f = function("f");
  define(types.tuple({f, t.Any}));
  for (int i = 0; i < 100; ++i) depend({call({f, t.Int64}), binding(world.main(), "x")});
  auto kept = depend({call({f, t.Int64})});
  define(types.tuple({f, t.Int64}));
  CHECK(kept->ended.size() == 1);
}
