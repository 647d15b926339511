// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <define/package_index.h>

#include <catch2/catch.hpp>

namespace kiln::julia::test {

namespace {

TypeContext types;

PackageIndex an_index() {
  PackageIndex index;
  const Symbol number = types.symbol("Number"), type = types.symbol("Type");
  const std::vector<CallShape> one{{1, false, {{0, number, {}}}}},
      two{{2, true, {{0, type, number}, {1, number, {}}, {1, type, {}}}}, {0, false, {}}};
  const uint32_t f = index.owner({"P", "f", true}), t = index.owner({"P.Inner", "T", false});
  index.files.push_back({"P.jl",
                         {1, 2},
                         {"rand*", "SA"},
                         {{3, 9, 1, {f}, {one}, {}}, {9, 40, 7, {f, t}, {two, one}, {{"call(x)", 10, 17}}}},
                         false});
  index.files.push_back({"sub/\u00e4.jl", {3, 4}, {}, {}, false});
  return index;
}

} // namespace

TEST_CASE("an index of a package comes back as it was written") {
  PackageIndex index = an_index();
  CHECK(index.owner({"P", "f", true}) == 0); // one place for one name
  CHECK(index.owner({"P", "f", false}) == 2);
  auto read = PackageIndex::read(types, index.write());
  REQUIRE(read.ok());
  CHECK(read->owners == index.owners);
  REQUIRE(read->files.size() == 2);
  CHECK(read->files[1].path == "sub/\u00e4.jl");
  CHECK(read->files[1].text == Fingerprint{3, 4});
  CHECK(read->files[0].triggers == std::vector<std::string>{"rand*", "SA"});
  CHECK(read->files[1].triggers.empty());
  REQUIRE(read->files[0].later.size() == 2);
  const PackageIndex::Statement &second = read->files[0].later[1];
  CHECK((second.begin == 9 && second.end == 40 && second.methods == 7));
  CHECK(second.owners == std::vector<uint32_t>{0, 1});
  CHECK(second.shapes == index.files[0].later[1].shapes);
  REQUIRE(second.skipped.size() == 1);
  CHECK(
      (second.skipped[0].what == "call(x)" && second.skipped[0].begin == 10 && second.skipped[0].end == 17));
  CHECK(read->find("P.jl") == &read->files[0]);
  CHECK(read->find("Q.jl") == nullptr);
}

TEST_CASE("statements of a file that is included twice do not wait") {
  PackageIndex index = an_index();
  index.files[0].is_included_twice = true;
  auto read = PackageIndex::read(types, index.write());
  REQUIRE(read.ok());
  CHECK(read->files[0].later.empty());
}

TEST_CASE("what is no index is an error, however it is cut off or changed") {
  const std::string bytes = an_index().write();
  for (size_t n = 0; n < bytes.size(); ++n) CHECK_FALSE(PackageIndex::read(types, bytes.substr(0, n)).ok());
  CHECK_FALSE(PackageIndex::read(types, bytes + 'x').ok());
  for (size_t i = 0; i < bytes.size(); ++i) // never a crash; places of owners stay places
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[i] = char(changed[i] ^ (1 << bit));
      auto read = PackageIndex::read(types, changed);
      if (!read.ok()) continue;
      for (const PackageIndex::File &file : read->files)
        for (const PackageIndex::Statement &each : file.later)
          for (uint32_t owner : each.owners) CHECK(owner < read->owners.size());
    }
  PackageIndex overlapping = an_index();
  overlapping.files[0].later[1].begin = 8;
  CHECK_FALSE(PackageIndex::read(types, overlapping.write()).ok());
}

} // namespace kiln::julia::test
