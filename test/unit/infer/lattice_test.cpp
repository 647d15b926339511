// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of values: joined where control meets, narrowed where a test was passed.
#include "fixture.h"

#include <types/types.h>

using namespace kiln;
using namespace kiln::test;

namespace {

struct Values {
  TypeContext types;
  const TypeContext::Builtins &t = types.builtins();
  Lattice of(TypeRef type) { return Lattice::of_type(types, type); }
  Lattice constant(int64_t value) { return Lattice::of_constant(types, types.int64(value)); }
  Lattice bottom() { return Lattice::bottom(types); }
  Lattice join(const Lattice &a, const Lattice &b) {
    Lattice joined = kiln::join(types, a, b);
    CHECK(joined == kiln::join(types, b, a));
    CHECK(kiln::join(types, joined, a) == joined);
    return joined;
  }
  TypeRef either(std::vector<TypeRef> members) { return types.union_of(members); }
  Lattice pair(Lattice a, Lattice b) {
    TypeRef elements[] = {a.type, b.type};
    auto fields = std::make_shared<std::vector<Lattice>>(std::vector<Lattice>{std::move(a), std::move(b)});
    return {types.tuple(elements), {}, std::move(fields)};
  }
};

} // namespace

TEST_CASE("join: constants, types, bottom, faults") {
  Values v;
  CHECK(v.join(v.constant(1), v.constant(1)) == v.constant(1));
  CHECK(v.join(v.constant(1), v.constant(2)) == v.of(v.t.Int64));
  CHECK(v.join(v.constant(1), v.of(v.t.Int64)) == v.of(v.t.Int64));
  CHECK(v.join(v.of(v.t.Int64), v.of(v.t.Float64)) == v.of(v.either({v.t.Int64, v.t.Float64})));
  CHECK(v.join(v.bottom(), v.constant(1)) == v.constant(1));
  CHECK(v.join(v.bottom(), v.bottom()) == v.bottom());
  CHECK(v.join(v.of(v.t.Nothing), v.of(v.t.Nothing)).constant); // a singleton has one value
  // A fault yields no value.
  CHECK(v.join(Lattice::poisoned(v.types), v.constant(1)) == v.constant(1));
  CHECK(v.join(Lattice::poisoned(v.types), Lattice::poisoned(v.types)).poison);
}

TEST_CASE("join: more than four types are any") {
  Values v;
  Lattice four = v.of(v.either({v.t.Int8, v.t.Int16, v.t.Int32, v.t.Int64}));
  CHECK(v.join(four, v.of(v.t.Int8)) == four);
  CHECK(v.join(four, v.of(v.t.Float64)).type == v.t.Any);
}

TEST_CASE("join: of tuples what both know of a field stays") {
  Values v;
  Lattice joined = v.join(v.pair(v.constant(1), v.constant(5)), v.pair(v.constant(1), v.constant(6)));
  CHECK(joined.type == v.types.tuple(std::vector<TypeRef>{v.t.Int64, v.t.Int64}));
  CHECK(joined.field(v.types, 0) == v.constant(1));
  CHECK(joined.field(v.types, 1) == v.of(v.t.Int64));
  CHECK(joined.field(v.types, 2) == v.bottom());
}

TEST_CASE("join: types that nest ever deeper end as any") {
  Values v;
  Lattice value = v.of(v.t.Int64);
  int rounds = 0;
  for (; value.type != v.t.Any && rounds < 100; rounds++) {
    TypeRef wrapped = v.types.tuple(std::vector<TypeRef>{value.type});
    value = v.join(value, v.of(wrapped));
  }
  CHECK(value.type == v.t.Any);
}

TEST_CASE("narrow: to a type, and away from it") {
  Values v;
  auto narrow = [&](const Lattice &a, TypeRef to, bool negate) {
    return kiln::narrow(v.types, a, to, negate);
  };
  Lattice maybe = v.of(v.either({v.t.Int64, v.t.Nothing}));
  CHECK(narrow(maybe, v.t.Nothing, false) == v.of(v.t.Nothing));
  CHECK(narrow(maybe, v.t.Nothing, true) == v.of(v.t.Int64));
  CHECK(narrow(maybe, v.t.Number, false) == v.of(v.t.Int64));
  CHECK(narrow(maybe, v.t.Float64, false) == v.bottom());
  CHECK(narrow(maybe, v.t.Float64, true) == maybe);
  CHECK(narrow(v.constant(3), v.t.Integer, false) == v.constant(3));
  CHECK(narrow(v.constant(3), v.t.Integer, true) == v.bottom());
  CHECK(narrow(v.of(v.t.Int64), v.t.Integer, false) == v.of(v.t.Int64));
  CHECK(narrow(v.of(v.t.Any), v.t.Int64, false) == v.of(v.t.Int64));
  CHECK(narrow(v.of(v.t.Any), v.t.Int64, true) == v.of(v.t.Any)); // nothing is left out of Any
}

TEST_CASE("types as values dispatch as Type{T}") {
  Values v;
  Lattice type = Lattice::of_constant(v.types, Value::type_value(v.types, v.t.Int64));
  CHECK(type.dispatch_type(v.types) == v.types.type_of_type(v.t.Int64));
  CHECK(v.constant(1).dispatch_type(v.types) == v.t.Int64);
}
