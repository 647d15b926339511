// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Look-ups that search several overlay tables: "first+second" searches them in that order, then the common
// one.
#include "fixture.h"

using namespace kiln;

namespace {

struct Instance : Dependent {
  WorldAge end = EndOfTime;
  void invalidate(WorldAge world) override { end = world; }
};

} // namespace

TEST_CASE_METHOD(WorldFixture,
                 "overlays: the first table that has a method decides, whatever is more specific elsewhere") {
  TypeRef f = function("f");
  const Method *common = define(types.tuple({f, t.Int64}));
  const Method *second = define(types.tuple({f, t.Int64}), "second");
  CHECK(look({f, t.Int64}, "first+second").method == second);
  const Method *first = define(types.tuple({f, t.Any}), "first");
  CHECK(look({f, t.Int64}, "first+second").method == first);
  CHECK(look({f, t.Int64}, "second+first").method == second);
  CHECK(look({f, t.Int64}, "second").method == second);
  CHECK(look({f, t.Int64}, "first").method == first);
  CHECK(look({f, t.Int64}, "other").method == common);
  CHECK(look({f, t.Int64}).method == common);
  CHECK(look({f, t.Int64}, "fir+sec").method == common); // names, not beginnings of names
  CHECK(look({f, t.Int64}, "first+second").from_overlay);
  CHECK(world.methods_of(f, symbol("first+second"), world.age()) ==
        std::vector<const Method *>{first, second, common});
}

TEST_CASE_METHOD(WorldFixture, "overlays: a definition ends those that search its table, and no others") {
  TypeRef f = function("f");
  const Method *common = define(types.tuple({f, t.Int64}));
  auto instance = [&](const char *overlay) {
    auto made = std::make_shared<Instance>();
    Edge edge{.kind = Edge::Kind::Call,
              .arguments = types.tuple({f, t.Int64}),
              .overlay = *overlay ? symbol(overlay) : Symbol(),
              .method = common};
    CHECK(world.add_edges(made, std::vector<Edge>{edge}, world.age()));
    return made;
  };
  auto both = instance("first+second"), one = instance("second"), none = instance("");
  CHECK_FALSE(world.may_choose_added(types.tuple({f, t.Float32}), symbol("first+second")));
  define(types.tuple({f, t.Int64}), "first");
  CHECK(both->end == world.age());
  CHECK(one->end == EndOfTime);
  CHECK(none->end == EndOfTime);
  define(types.tuple({f, t.Int64}), "second");
  CHECK(one->end == world.age());
  CHECK(none->end == EndOfTime);
  CHECK(world.may_choose_added(types.tuple({f, t.Int64}), symbol("first+second")));
}
