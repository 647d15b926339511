// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component precompile (layer 10): filling and checking the cache's folder without a launch, by sessions of
// its own. What a session records for it is session/jobs/trace.h. Public:
// kiln/precompile.h, kiln/job_list.h, kiln/cache.h.
//   job_list     jobs as they are told from each other, on any machine; lists from files
//   manifest     a manifest as a list of jobs; candidates: its names with lists of values
//   iteration_space  the hidden argument of a @kernel
//   trace_read   a trace as a list of jobs
//   job_sessions each job of a list in a session that has loaded its files
//   precompile   a list compiled
//   job_queue    a list that workers on several machines share; held_entries: what a worker had before
//   verify       entries of the folder compared with fresh compiles
//   rank         the shard of a process that a launcher started
//   cache_folder kiln/cache.h; cache_archive: entries to and from a file; cache_explain: why a job misses
//   cache_image  entries as an OCI image; tar_layer: its layer
#pragma once

#include "job_sessions.h"
#include "verify.h"

#include <kiln/job_list.h>
#include <support/support.h>

namespace kiln {

/// Tells a job from all others in a list, on whichever machine: files by name, the target as it is asked for.
Fingerprint identity_of(const PrecompileJob &job);

} // namespace kiln
