// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules that do not see Base.
#include "fixture.h"

using Catch::Matchers::Contains;

namespace {

struct BareModule : WorldFixture {
  kiln::Module *bare = world.module(symbol("Bare"), nullptr, {.uses_base = false});
  kiln::Module *common = world.module(symbol("Common"), nullptr);
  BareModule() { ok(world.set_constant(*world.base(), symbol("sinus"), int64(7), {})); }
};

} // namespace

TEST_CASE_METHOD(BareModule, "names of Base are not found in a module without Base") {
  CHECK(value(common, "sinus"));
  CHECK_FALSE(value(bare, "sinus"));
  CHECK_FALSE(world.is_defined(*bare, symbol("sinus")));
  CHECK(value(bare, "Int64")); // of Core
  ok(world.set_constant(*bare, symbol("sinus"), int64(1), {}));
  CHECK(value(bare, "sinus")->low_bits() == 1);
  CHECK(value(common, "sinus")->low_bits() == 7);
}

TEST_CASE_METHOD(BareModule, "a hint names no name that the module does not see") {
  CHECK_THAT(world.undefined_hint(*common, symbol("sinuz")), Contains("did you mean sinus?"));
  CHECK(world.undefined_hint(*bare, symbol("sinuz")).empty());
  CHECK(world.similar_names(*bare, symbol("sinuz")).empty());
  CHECK_THAT(world.undefined_hint(*common, symbol("println")), !Contains("did you mean"));
  CHECK_FALSE(world.undefined_hint(*common, symbol("println")).empty()); // Base's, of the host
  CHECK(world.undefined_hint(*bare, symbol("println")).empty());
}

TEST_CASE_METHOD(BareModule, "a module without Base may import and use") {
  ok(world.import_name(*bare, *world.base(), symbol("sinus"), symbol("s")));
  CHECK(value(bare, "s")->low_bits() == 7);
  ok(world.set_constant(*common, symbol("shared"), int64(3), {}));
  world.export_name(*common, symbol("shared"));
  world.use_module(*bare, *common);
  CHECK(value(bare, "shared")->low_bits() == 3);
  CHECK_FALSE(value(bare, "sinus")); // what Common sees of Base is not Common's own
}

TEST_CASE_METHOD(BareModule, "a submodule has options of its own, and an existing module keeps its options") {
  CHECK(value(world.module(symbol("Inner"), bare), "sinus"));
  CHECK_FALSE(value(world.module(symbol("Inner"), common, {.uses_base = false}), "sinus"));
  CHECK(world.module(symbol("Bare"), nullptr) == bare);
  CHECK_FALSE(value(bare, "sinus"));
}
