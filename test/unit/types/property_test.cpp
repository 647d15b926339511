// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Laws of the relation on random types: they hold whatever the types are.
#include "fixture.h"

#include <random>

using namespace kiln_test;

namespace {

class Generator {
public:
  explicit Generator(Fixture &fixture, unsigned seed) : x_(fixture), random_(seed) {}

  TypeRef type(int depth = 2) {
    std::vector<const TypeVar *> scope;
    return type(depth, scope);
  }
  size_t pick(size_t n) { return random_() % n; } // the standard's distributions differ between libraries

private:
  Fixture &x_;
  std::mt19937 random_;

  TypeRef type(int depth, std::vector<const TypeVar *> &scope) {
    static const char *leaves[] = {"Int64", "Float64", "Int8", "Real", "Integer", "Any", "String", "Nothing"};
    if (!scope.empty() && pick(3) == 0) return scope[pick(scope.size())];
    if (depth == 0) return x_.names.find(leaves[pick(8)])->second;
    auto below = [&] { return type(depth - 1, scope); };
    switch (pick(9)) {
    case 0: return x_.types.tuple({below()});
    case 1: return x_.types.tuple({below(), below()});
    case 2: return x_.types.tuple({below(), x_.types.vararg(below())});
    case 3: return apply("Box", {below()});
    case 4: return apply("Two", {below(), below()});
    case 5: return x_.types.union_of({below(), below()});
    case 6:
    case 7: {
      static const char *bounds[] = {"Any", "Any", "Real", "Integer"};
      const TypeVar *var =
          x_.types.new_var(x_.types.symbol("T"), x_.types.bottom(), x_.names.find(bounds[pick(4)])->second);
      scope.push_back(var);
      TypeRef body = type(depth, scope);
      scope.pop_back();
      return x_.types.union_all(var, body);
    }
    default: return x_.names.find(leaves[pick(8)])->second;
    }
  }
  TypeRef apply(const char *name, std::vector<TypeRef> params) {
    return x_.types.apply(x_.names.find(name)->second, params).value();
  }
};

std::vector<TypeRef> random_types(Fixture &x, unsigned seed, size_t count) {
  Generator generator(x, seed);
  std::vector<TypeRef> types;
  while (types.size() < count) {
    TypeRef t = generator.type();
    if (!t->has_free_vars()) types.push_back(t);
  }
  return types;
}

/// Concrete types stand for their values.
std::vector<TypeRef> concrete_types(Fixture &x) {
  std::vector<TypeRef> types;
  for (const char *text : {"Int64",
                           "Float64",
                           "Int8",
                           "String",
                           "Nothing",
                           "Tuple{Int64}",
                           "Tuple{Int64, Int64}",
                           "Tuple{Int64, Float64}",
                           "Tuple{Int8, Int8}",
                           "Tuple{String, Nothing}",
                           "Tuple{Int64, Int64, Int64}",
                           "Tuple{Int64, Int8, String}",
                           "Box{Int64}",
                           "Box{Real}",
                           "Box{Any}",
                           "Two{Int64, Int64}",
                           "Two{Int64, Real}",
                           "Tuple{Box{Int64}, Int64}",
                           "Tuple{Box{Real}, Int64}",
                           "Tuple{Box{Int64}, Box{Int64}}",
                           "Tuple{Tuple{Int64}, Int64}",
                           "Box{Box{Int64}}",
                           "Box{Tuple{Int64}}",
                           "Box{Union{Int64, Nothing}}"})
    types.push_back(x.t(text));
  return types;
}

} // namespace

TEST_CASE("reflexive; unions are above their members; Any and Union{} are the ends") {
  Fixture x;
  auto all = random_types(x, 1, 300);
  for (size_t i = 0; i < all.size(); ++i) {
    TypeRef a = all[i], b = all[(i * 7 + 1) % all.size()], u = x.types.union_of({a, b});
    INFO(to_string(a) << " and " << to_string(b));
    CHECK(is_subtype(x.types, a, a));
    CHECK(is_subtype(x.types, a, x.types.builtins().Any));
    CHECK(is_subtype(x.types, x.types.bottom(), a));
    CHECK(is_subtype(x.types, a, u));
    CHECK(is_subtype(x.types, b, u));
    CHECK(equal_types(x.types, u, x.types.union_of({b, a})));
    CHECK(is_subtype(x.types, u, a) == is_subtype(x.types, b, a));
    CHECK(is_subtype(x.types, x.types.tuple({a}), x.types.tuple({b})) == is_subtype(x.types, a, b));
  }
}

TEST_CASE("transitive") {
  Fixture x;
  auto all = random_types(x, 2, 120);
  for (TypeRef a : all)
    for (TypeRef b : all) {
      if (a == b || b == x.types.builtins().Any || !is_subtype(x.types, a, b)) continue;
      for (TypeRef c : all) {
        if (!is_subtype(x.types, b, c)) continue;
        bool holds = is_subtype(x.types, a, c);
        if (!holds) {
          INFO(to_string(a) << "  <:  " << to_string(b) << "  <:  " << to_string(c));
          CHECK(holds);
        }
      }
    }
}

TEST_CASE("values of both are values of the intersection, which lies in both") {
  Fixture x;
  auto all = random_types(x, 3, 150);
  auto concrete = concrete_types(x);
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < 12; ++j) {
      TypeRef a = all[i], b = all[(i * 31 + j * 17 + 1) % all.size()], both = intersect(x.types, a, b);
      INFO(to_string(a) << " and " << to_string(b) << ": " << to_string(both));
      CHECK(may_intersect(x.types, a, b) == may_intersect(x.types, b, a));
      CHECK((is_subtype(x.types, both, a) || is_subtype(x.types, both, b)));
      for (TypeRef c : concrete) {
        if (!is_subtype(x.types, c, a) || !is_subtype(x.types, c, b)) continue;
        INFO("value of type " << to_string(c));
        CHECK(may_intersect(x.types, a, b));
        CHECK(is_subtype(x.types, c, both));
      }
    }
}

TEST_CASE("a match exists exactly for subtypes, and what it binds gives a type in between") {
  Fixture x;
  auto all = random_types(x, 4, 150);
  auto concrete = concrete_types(x);
  for (TypeRef signature : all)
    for (TypeRef c : concrete) {
      INFO(to_string(c) << " against " << to_string(signature));
      auto values = match_signature(x.types, c, signature);
      CHECK(values.has_value() == is_subtype(x.types, c, signature));
      if (!values) continue;
      std::vector<const TypeVar *> vars;
      TypeRef body = nullptr;
      x.types.unwrap_all(signature, vars, body);
      TypeRef bound = x.types.substitute(body, vars, *values);
      for (size_t i = vars.size(); i-- > 0;) bound = x.types.union_all(vars[i], bound);
      INFO("bound: " << to_string(bound));
      CHECK(is_subtype(x.types, c, bound));
    }
}

TEST_CASE("specificity is strict and follows strict subtyping") {
  Fixture x;
  auto elements = random_types(x, 5, 60);
  std::vector<TypeRef> signatures;
  for (size_t i = 0; i + 1 < elements.size(); ++i)
    signatures.push_back(x.types.tuple({elements[i], elements[i + 1]}));
  for (TypeRef a : signatures)
    for (TypeRef b : signatures) {
      INFO(to_string(a) << " and " << to_string(b));
      bool before = is_more_specific(x.types, a, b), after = is_more_specific(x.types, b, a);
      CHECK(!(before && after));
      bool below = is_subtype(x.types, a, b), above = is_subtype(x.types, b, a);
      if (below && !above) CHECK(before);
    }
}
