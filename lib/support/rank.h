// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Place of this process among the processes of a job, from the variables of its launcher.
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <optional>

namespace kiln {

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
