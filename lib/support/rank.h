// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Place of this process among the processes of a job, from the variables of its launcher.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <optional>

namespace kiln {

/// Variables of a launcher: the index of the process, and the number of processes (null: it sets none).
struct Launcher {
  const char *index, *count;
};
/// In the order in which they are read.
inline constexpr Launcher launchers[] = {
    {"SLURM_PROCID", "SLURM_NTASKS"},                 // srun(1), "OUTPUT ENVIRONMENT VARIABLES"
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI, FAQ "Running MPI jobs"
    {"RANK", "WORLD_SIZE"},                           // PyTorch, torchrun, "Environment Variables"
    {"JOB_COMPLETION_INDEX", nullptr},                // Kubernetes, "Jobs", completion mode Indexed
};

struct Rank {
  uint32_t index = 0;            ///< from 0 on
  std::optional<uint32_t> count; ///< processes of the job; nothing: the launcher does not say
  const char *variable = "";     ///< that holds the index
};

/// The first that is set: SLURM_PROCID, OMPI_COMM_WORLD_RANK, RANK, JOB_COMPLETION_INDEX. Their counts are
/// SLURM_NTASKS, OMPI_COMM_WORLD_SIZE and WORLD_SIZE. Nothing: none is set. Error (Usage): a value that is no
/// number, or an index that is not below its count.
Result<std::optional<Rank>> read_rank();

} // namespace kiln
