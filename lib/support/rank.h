// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads the rank of this process in a parallel launch (MPI, SLURM) from the launcher's environment variables.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <optional>

namespace kiln {

/// Names of a launcher's environment variables: for the index of the process, and for the number of processes
/// (null: the launcher sets none).
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
  std::optional<uint32_t> count; ///< number of processes; empty: unknown
  const char *variable = "";     ///< name of the index's variable
};

/// Reads the first variable that is set: SLURM_PROCID, OMPI_COMM_WORLD_RANK, RANK, JOB_COMPLETION_INDEX. The
/// numbers of processes are in SLURM_NTASKS, OMPI_COMM_WORLD_SIZE and WORLD_SIZE. No value: none is set.
/// Error (Usage): a value is no number, or the index is not less than the number of processes.
Result<std::optional<Rank>> read_rank();

} // namespace kiln
