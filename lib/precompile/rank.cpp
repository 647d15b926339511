// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the rank of this process among those that a launcher (Slurm, mpirun, ...) started.
#include <kiln/precompile.h>
#include <support/rank.h>
#include <support/read_number.h>
#include <support/support.h>

#include <optional>

namespace kiln {

namespace {

Error rank_error(std::string message, std::string hint) {
  return make_error(ErrorCode::Usage, std::move(message), {}, std::move(hint));
}

/// Reads a number from an environment variable. Empty: the variable is not set.
Result<std::optional<unsigned>> read_variable(const char *name, unsigned min) {
  const std::optional<std::string> text = environment_variable(name);
  if (!text) return std::optional<unsigned>();
  const auto number = read_number<unsigned>(*text);
  if (number && *number >= min) return std::optional(*number);
  return rank_error(
      fmt::format("the environment variable {} holds `{}`, and not a number from {} on", name, *text, min),
      "name the shard: --shard I/N");
}

/// A rank that was read from a launcher's variables. `from` names these in messages.
struct FoundRank {
  Shard shard;
  std::string from; ///< "SLURM_PROCID=0 of SLURM_NTASKS=2"
};

/// Finds the rank that this launcher gave. Empty: it did not start this process. `count`: number of
/// processes; 0: unknown.
Result<std::optional<FoundRank>> find_rank(const Launcher &launcher, unsigned count) {
  KILN_TRY(const std::optional<unsigned> rank, read_variable(launcher.index, 0));
  if (!rank) return std::optional<FoundRank>(); // an interactive shell of a batch system has only the count
  std::string from = fmt::format("{}={}", launcher.index, *rank);
  std::optional<unsigned> own_count;
  if (launcher.count) {
    KILN_TRY(own_count, read_variable(launcher.count, 1));
    if (own_count) from += fmt::format(" of {}={}", launcher.count, *own_count);
  }
  if (own_count && count && *own_count != count)
    return rank_error(fmt::format("{} contradicts the number of shards, {}", from, count),
                      "leave one of them out");
  if (!own_count && !count)
    return rank_error(
        fmt::format("{} has no number of processes{}", from,
                    launcher.count ? fmt::format(": {} is not set", launcher.count) : std::string()),
        "name the number: --shard auto/N");
  const unsigned all = own_count.value_or(count);
  if (*rank >= all)
    return rank_error(fmt::format("{} is no rank of {} processes: ranks are 0 to {}", from, all, all - 1),
                      "name the shard: --shard I/N");
  return std::optional(FoundRank{{*rank + 1, all}, std::move(from)});
}

} // namespace

Result<Shard> KILN_API_VERSION::shard_of_rank(unsigned count) {
  std::optional<FoundRank> found;
  for (const Launcher &launcher : launchers) {
    KILN_TRY(std::optional<FoundRank> next, find_rank(launcher, count));
    if (!next) continue;
    if (found && (found->shard.index != next->shard.index || found->shard.count != next->shard.count))
      return rank_error(fmt::format("{} contradicts {}", found->from, next->from),
                        "unset the variables of the outer launcher, or name the shard: --shard I/N");
    if (!found) found = std::move(next);
  }
  if (found) return found->shard;
  std::string names;
  for (const Launcher &launcher : launchers)
    names += fmt::format("{}{}", names.empty() ? "" : ", ", launcher.index);
  return rank_error(fmt::format("no launcher gave this process a rank: none of {} is set", names),
                    "start it with srun, mpirun, torchrun or an indexed Job, or name the shard: --shard I/N");
}

} // namespace kiln
