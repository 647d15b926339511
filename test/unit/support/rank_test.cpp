// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "must.h"
#include "variables.h"

#include <catch2/catch.hpp>

#include <support/rank.h>

#include <deque>

namespace rank_test {

using kiln::read_rank;
using kiln::test::must;
using kiln::test::Variable;

namespace {

/// All variables of launchers unset, but for these.
struct Launcher {
  explicit Launcher(std::initializer_list<std::pair<const char *, const char *>> set) {
    for (const char *name : {"SLURM_PROCID", "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
                             "RANK", "WORLD_SIZE", "JOB_COMPLETION_INDEX"})
      variables.emplace_back(name, nullptr);
    for (const auto &[name, value] : set) variables.emplace_back(name, value);
  }
  ~Launcher() {
    while (!variables.empty()) variables.pop_back(); // the last first: each restores what it found
  }
  std::deque<Variable> variables;
};

} // namespace

TEST_CASE("a rank comes from the variables of launchers") {
  {
    const Launcher none({});
    CHECK_FALSE(must(read_rank()));
  }
  const struct {
    const char *index, *count;
  } launchers[] = {{"SLURM_PROCID", "SLURM_NTASKS"},
                   {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                   {"RANK", "WORLD_SIZE"}};
  for (const auto &each : launchers) {
    const Launcher launcher({{each.index, "3"}, {each.count, "8"}});
    const auto rank = must(read_rank());
    REQUIRE(rank);
    CHECK(rank->index == 3);
    CHECK(rank->count == 8u);
    CHECK(std::string(rank->variable) == each.index);
  }
  const Launcher kubernetes({{"JOB_COMPLETION_INDEX", "0"}, {"WORLD_SIZE", "4"}});
  const auto rank = must(read_rank());
  REQUIRE(rank);
  CHECK(rank->index == 0);
  CHECK_FALSE(rank->count);
}

TEST_CASE("the launcher that is nearest to the process counts") {
  const Launcher both({{"SLURM_PROCID", "1"}, {"RANK", "7"}});
  CHECK(must(read_rank())->index == 1);
}

TEST_CASE("a rank that cannot be is a usage error") {
  for (const auto &[index, count] : {std::pair("x", ""), {"-1", ""}, {"3", "3"}, {"1", "many"}}) {
    const Launcher launcher({{"RANK", index}, {"WORLD_SIZE", count}});
    const auto rank = read_rank();
    REQUIRE_FALSE(rank.ok());
    CHECK(rank.error().kind() == kiln::ErrorKind::Usage);
  }
}

} // namespace rank_test
