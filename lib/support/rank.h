// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Place of this process among the processes of a job, from the variables of its launcher.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <optional>

namespace kiln {

/// Variables of a launcher: the index of the process, and the number of processes (null: not set by it).
struct Launcher {
  const char *index, *count;
};
/// In the order of reading.
inline constexpr Launcher launchers[] = {
    {"SLURM_PROCID", "SLURM_NTASKS"},                 // srun(1), "OUTPUT ENVIRONMENT VARIABLES"
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, // Open MPI, FAQ "Running MPI jobs"
    {"RANK", "WORLD_SIZE"},                           // PyTorch, torchrun, "Environment Variables"
    {"JOB_COMPLETION_INDEX", nullptr},                // Kubernetes, "Jobs", completion mode Indexed
};

struct Rank {
  uint32_t index = 0;            ///< counted from 0
  std::optional<uint32_t> count; ///< processes of the job; empty: unknown
  const char *variable = "";     ///< name of the index's variable
};

/// Reads the first variable that is set: SLURM_PROCID, OMPI_COMM_WORLD_RANK, RANK, JOB_COMPLETION_INDEX.
/// Their counts are SLURM_NTASKS, OMPI_COMM_WORLD_SIZE and WORLD_SIZE. Empty: none is set. Error (Usage): a
/// value that is no number, or an index not less than its count.
Result<std::optional<Rank>> read_rank();

} // namespace kiln
