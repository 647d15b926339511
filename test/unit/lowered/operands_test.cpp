// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operands against std::vector, which has the same members with the same meaning.
#include <kiln/extension/language/code.h>

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace kiln;

static bool same(const Operands &a, const std::vector<Operand> &b) {
  return a.size() == b.size() && a.empty() == b.empty() && std::equal(a.begin(), a.end(), b.begin());
}

TEST_CASE("operands behave as a vector of them does") {
  std::mt19937 random(7);
  auto below = [&](uint32_t n) { return uint32_t(random() % n); };
  std::vector<Operands> ours(4);
  std::vector<std::vector<Operand>> theirs(4);
  for (int step = 0; step < 20'000; step++) {
    const uint32_t i = below(4), j = below(4), n = below(12);
    const Operand operand{Operand::Kind(below(6)), below(100)};
    switch (below(9)) {
    case 0:
    case 1:
    case 2: ours[i].push_back(operand), theirs[i].push_back(operand); break;
    case 3: ours[i] = ours[j], theirs[i] = theirs[j]; break;
    case 4:
      if (i != j) ours[i] = std::move(ours[j]), theirs[i] = std::move(theirs[j]), theirs[j].clear();
      break;
    case 5: ours[i].resize(n, operand), theirs[i].resize(n, operand); break;
    case 6: ours[i].clear(), theirs[i].clear(); break;
    case 7: // the first, and behind it the others
      ours[i] = Operands(operand, ours[j]);
      theirs[i] = theirs[j];
      theirs[i].insert(theirs[i].begin(), operand);
      if (i == j) break;
      if (!ours[i].empty()) ours[i][0] = theirs[i][0] = Operand::slot(n);
      break;
    case 8: {
      Operands copy(ours[i]), moved(std::move(copy));
      REQUIRE(copy.empty());
      REQUIRE(same(moved, theirs[i]));
      break;
    }
    }
    if (theirs[i].size() > 40) ours[i].clear(), theirs[i].clear();
    REQUIRE(same(ours[i], theirs[i]));
    REQUIRE(same(ours[j], theirs[j]));
    REQUIRE((ours[i] == ours[j]) == (theirs[i] == theirs[j]));
    REQUIRE(std::vector<Operand>(ours[i]) == theirs[i]);
  }
}

TEST_CASE("up to four operands take no memory of their own") {
  for (size_t count = 0; count <= 8; count++) {
    Operands all;
    for (size_t i = 0; i < count; i++) all.push_back(Operand::ssa(uint32_t(i)));
    CHECK((all.heap_bytes() == 0) == (count <= 4));
    CHECK(Operands(all).heap_bytes() == (count <= 4 ? 0 : count * sizeof(Operand)));
  }
}
