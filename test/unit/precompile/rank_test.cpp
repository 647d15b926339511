// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shard of a process that a launcher started, from its variables.
#include "must.h"
#include "variables.h"

#include <kiln/precompile.h>

#include <catch2/catch.hpp>

#include <list>

namespace rank_test {

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

constexpr const char *names[] = {"SLURM_PROCID",         "SLURM_NTASKS", "OMPI_COMM_WORLD_RANK",
                                 "OMPI_COMM_WORLD_SIZE", "RANK",         "WORLD_SIZE",
                                 "JOB_COMPLETION_INDEX"};
using Values = std::vector<std::pair<std::string, std::string>>;

/// These variables, and none of the others.
class Environment {
public:
  explicit Environment(const Values &values) {
    for (const char *name : names) all_.emplace_back(name, nullptr);
    for (const auto &[name, value] : values) all_.emplace_back(name.c_str(), value.c_str());
  }
  ~Environment() {
    while (!all_.empty()) all_.pop_back(); // in the opposite order, so that the first values come back
  }

private:
  std::list<kiln::test::Variable> all_;
};

std::string shard_in(const Values &values, unsigned count = 0) {
  const Environment environment(values);
  const Result<Shard> shard = shard_of_rank(count);
  if (shard.ok()) return std::to_string(shard->index) + "/" + std::to_string(shard->count);
  CHECK(shard.error().code() == ErrorCode::Usage);
  return shard.error().what();
}

} // namespace

TEST_CASE("a rank from 0 is a shard from 1, for each launcher") {
  CHECK(shard_in({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "8"}}) == "1/8");
  CHECK(shard_in({{"SLURM_PROCID", "7"}, {"SLURM_NTASKS", "8"}}) == "8/8");
  CHECK(shard_in({{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}}) == "3/4");
  CHECK(shard_in({{"RANK", "1"}, {"WORLD_SIZE", "2"}}) == "2/2");
  CHECK(shard_in({{"RANK", "0"}, {"WORLD_SIZE", "1"}}) == "1/1");
  CHECK(shard_in({{"JOB_COMPLETION_INDEX", "3"}}, 5) == "4/5");
  CHECK(shard_in({{"SLURM_PROCID", "1"}}, 2) == "2/2");
  CHECK(shard_in({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "2"}}, 2) == "2/2");
}

TEST_CASE("launchers that agree are one, and a number without a rank is none") {
  CHECK(shard_in({{"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "4"}, {"RANK", "1"}, {"WORLD_SIZE", "4"}}) ==
        "2/4");
  CHECK(shard_in({{"JOB_COMPLETION_INDEX", "1"}, {"WORLD_SIZE", "9"}}, 4) == "2/4");
  CHECK(shard_in({{"SLURM_NTASKS", "8"}, {"RANK", "1"}, {"WORLD_SIZE", "2"}}) == "2/2");
}

TEST_CASE("what gives no shard is an error that names the variables") {
  CHECK_THAT(shard_in({}), Contains("SLURM_PROCID, OMPI_COMM_WORLD_RANK, RANK, JOB_COMPLETION_INDEX"));
  CHECK_THAT(shard_in({{"SLURM_NTASKS", "8"}}), Contains("none of"));
  CHECK_THAT(shard_in({{"SLURM_PROCID", "0"}}),
             Contains("SLURM_PROCID=0 has no number of processes: SLURM_NTASKS is not set") &&
                 Contains("auto/N"));
  CHECK_THAT(shard_in({{"JOB_COMPLETION_INDEX", "0"}}),
             Contains("JOB_COMPLETION_INDEX=0") && Contains("auto/N"));
  CHECK_THAT(shard_in({{"RANK", "4"}, {"WORLD_SIZE", "4"}}),
             Contains("RANK=4 of WORLD_SIZE=4 is no rank of 4 processes: ranks are 0 to 3"));
  CHECK_THAT(shard_in({{"JOB_COMPLETION_INDEX", "5"}}, 5), Contains("no rank of 5"));
  CHECK_THAT(shard_in({{"RANK", "0"}, {"WORLD_SIZE", "4"}}, 8),
             Contains("RANK=0 of WORLD_SIZE=4 contradicts the number of shards, 8"));
  for (const char *wrong : {"", "-1", "1.5", "one", " 1", "99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_THAT(shard_in({{"RANK", wrong}, {"WORLD_SIZE", "4"}}),
               Contains("RANK holds `" + std::string(wrong) + "`, and not a number from 0 on"));
    CHECK_THAT(shard_in({{"RANK", "0"}, {"WORLD_SIZE", wrong}}), Contains("WORLD_SIZE holds"));
  }
  CHECK_THAT(shard_in({{"RANK", "0"}, {"WORLD_SIZE", "0"}}), Contains("not a number from 1 on"));
}

TEST_CASE("launchers that contradict each other are an error with both") {
  const std::string told = shard_in({{"SLURM_PROCID", "0"},
                                     {"SLURM_NTASKS", "8"},
                                     {"OMPI_COMM_WORLD_RANK", "3"},
                                     {"OMPI_COMM_WORLD_SIZE", "8"}});
  CHECK_THAT(told, Contains("SLURM_PROCID=0 of SLURM_NTASKS=8 contradicts OMPI_COMM_WORLD_RANK=3 of "
                            "OMPI_COMM_WORLD_SIZE=8") &&
                       Contains("unset the variables"));
}

} // namespace rank_test
