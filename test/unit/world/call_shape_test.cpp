// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape may let a call pass that no method takes. It never stops a call that a method takes.
#include "fixture.h"

using namespace kiln;

TEST_CASE_METHOD(WorldFixture, "a shape lets every call pass that the signature takes") {
  TypeRef f = function("f"), own = new_struct("Own"), numbers = types.tuple({t.Int64, t.Float32});
  const TypeVar *T = var("T"), *N = var("N", t.Number), *I = var("I", t.Integer);
  const std::vector<TypeRef> parameters = {
      t.Any,
      t.Number,
      t.Integer,
      t.Int32,
      own,
      numbers,
      types.union_of({t.Int64, own}),
      type_of(t.Int64),
      type_of(own),
      t.DataType,
      ptr(t.Float32),
      types.union_of({type_of(t.Int64), t.Float32}),
  };
  const std::vector<TypeRef> arguments = {t.Int32, t.Int64,        t.Float32,        own,
                                          numbers, ptr(t.Float32), type_of(t.Int64), type_of(own),
                                          f,       ptr(own),       type_of(f),       type_of(ptr(own))};
  std::vector<TypeRef> signatures = {where(types.tuple({f, T, T}), T),
                                     where(types.tuple({f, N, type_of(N)}), N),
                                     where(types.tuple({f, type_of(I), I}), I),
                                     types.tuple({f, t.Int64, types.vararg(t.Number)}), types.tuple({f})};
  for (TypeRef a : parameters)
    for (TypeRef b : parameters) signatures.push_back(types.tuple({f, a, b}));
  size_t stopped = 0;
  for (TypeRef signature : signatures) {
    const CallShape shape = call_shape(types, signature);
    auto check = [&](TypeRef call) {
      const bool passes = may_take(shape, call->as<DataType>()->params());
      if (is_subtype(types, call, signature)) CHECK(passes);
      stopped += !passes;
    };
    check(types.tuple({f}));
    for (TypeRef a : arguments) {
      check(types.tuple({f, a}));
      for (TypeRef b : arguments) check(types.tuple({f, a, b}));
    }
  }
  CHECK(stopped > signatures.size() * 100); // of 157 calls each
}
