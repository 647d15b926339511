// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Layouts are those of the C++ compiler for the same struct.
#include "fixture.h"

#include <cstddef>

using namespace kiln_test;

namespace {

struct Mixed {
  int8_t a;
  int32_t b;
  int16_t c;
  double d;
  bool e;
};
struct Nested {
  int8_t a;
  Mixed m;
  int8_t b;
};
struct Wide {
  int8_t a;
  __int128 b;
};

} // namespace

TEST_CASE("primitives are as large as their bits and aligned to their size") {
  Fixture x;
  const std::pair<const char *, uint64_t> sizes[] = {
      {"Bool", 1}, {"Int8", 1},    {"UInt16", 2},    {"Float16", 2},          {"Int32", 4},
      {"Char", 4}, {"Float64", 8}, {"Ptr{Int8}", 8}, {"LLVMPtr{Int8, 3}", 8}, {"Int128", 16}};
  for (auto [name, size] : sizes) {
    INFO(name);
    const Layout *layout = layout_of(x.types, x.t(name));
    REQUIRE(layout);
    CHECK(layout->size == size);
    CHECK(layout->align == size);
    CHECK(layout->offsets.empty());
  }
}

TEST_CASE("structs are laid out as in C") {
  Fixture x;
  TypeRef mixed = x.structure("Mixed", {{"a", x.t("Int8")},
                                        {"b", x.t("Int32")},
                                        {"c", x.t("Int16")},
                                        {"d", x.t("Float64")},
                                        {"e", x.t("Bool")}});
  const Layout *layout = layout_of(x.types, mixed);
  REQUIRE(layout);
  CHECK(layout->size == sizeof(Mixed));
  CHECK(layout->align == alignof(Mixed));
  CHECK(layout->offsets == std::vector<uint64_t>{offsetof(Mixed, a), offsetof(Mixed, b), offsetof(Mixed, c),
                                                 offsetof(Mixed, d), offsetof(Mixed, e)});
  CHECK(layout_of(x.types, mixed) == layout);

  layout = layout_of(x.types, x.structure("Nested", {{"a", x.t("Int8")}, {"m", mixed}, {"b", x.t("Int8")}}));
  REQUIRE(layout);
  CHECK(layout->size == sizeof(Nested));
  CHECK(layout->offsets ==
        std::vector<uint64_t>{offsetof(Nested, a), offsetof(Nested, m), offsetof(Nested, b)});

  layout = layout_of(x.types, x.t("Tuple{Int8, Int128}"));
  REQUIRE(layout);
  CHECK(layout->size == sizeof(Wide));
  CHECK(layout->align == alignof(Wide));
  CHECK(layout->offsets == std::vector<uint64_t>{offsetof(Wide, a), offsetof(Wide, b)});
}

TEST_CASE("singletons take no space") {
  Fixture x;
  for (const char *name : {"Nothing", "Tuple{}", "Val{3}", "typeof(f)"}) {
    const Layout *layout = layout_of(x.types, x.t(name));
    REQUIRE(layout);
    CHECK(layout->size == 0);
    CHECK(layout->align == 1);
  }
  const Layout *layout = layout_of(x.types, x.t("Tuple{Int8, Nothing, Int32}"));
  REQUIRE(layout);
  CHECK(layout->size == 8);
  CHECK(layout->offsets == std::vector<uint64_t>{0, 1, 4});
}

TEST_CASE("what is not isbits has no layout, and the culprit is named") {
  Fixture x;
  for (const char *name : {"Any", "Real", "Array{Int64, 1}", "Array", "Union{Int64, Nothing}",
                           "Tuple{Int64, Any}", "Tuple{Vararg{Int64}}", "Point", "Union{}", "String"}) {
    INFO(name);
    CHECK(!layout_of(x.types, x.t(name)));
  }
  TypeRef inner = x.structure("Inner", {{"n", x.t("Int64")}, {"data", x.t("Array{Int64, 1}")}});
  TypeRef outer = x.structure("Outer", {{"k", x.t("Float32")}, {"inner", inner}, {"any", x.t("Any")}});
  auto paths = non_isbits_fields(x.types, outer);
  REQUIRE(paths.size() == 2);
  CHECK(paths[0].names == std::vector<std::string>{"inner", "data"});
  CHECK(paths[0].type == x.t("Array{Int64, 1}"));
  CHECK(paths[1].names == std::vector<std::string>{"any"});
  CHECK(paths[1].type == x.t("Any"));
  CHECK(non_isbits_fields(x.types, x.t("Point{Int64}")).empty());
  paths = non_isbits_fields(x.types, x.t("Tuple{Int64, Tuple{String}}"));
  REQUIRE(paths.size() == 1);
  CHECK(paths[0].names == std::vector<std::string>{"2", "1"});
  paths = non_isbits_fields(x.types, x.t("Array{Int64, 1}"));
  REQUIRE(paths.size() == 1);
  CHECK(paths[0].names.empty());
}
