// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component precompile (layer 10): fills and checks the cache's folder without launches, with sessions of its
// own. Traces of jobs, which it reads, are recorded by session/jobs/trace.h. Public: kiln/precompile.h,
// kiln/job_list.h, kiln/cache.h.
//   job_list     digests that identify jobs on any machine; lists from files
//   manifest     a manifest as a list of jobs; candidates: its named lists of values
//   iteration_space  the hidden argument of KernelAbstractions' @kernel functions
//   trace_read   a trace as a list of jobs
//   job_sessions runs each job of a list in a session that has loaded its files
//   precompile   compiles a list
//   job_queue    a list shared by workers on several machines; held_entries: a worker's earlier entries
//   verify       compares entries of the folder with fresh compiles
//   rank         the shard of a process that a launcher started
//   cache_folder kiln/cache.h; cache_archive: entries as one file; cache_explain: why the cache lacks a job
//   cache_image  entries as an OCI image; tar_layer: its layer
#pragma once

#include "job_sessions.h"
#include "verify.h"

#include <kiln/job_list.h>
#include <support/support.h>

namespace kiln {

/// Digest that identifies a job of a list on any machine. It contains files by name, and the target as the
/// list gives it.
Fingerprint identity_of(const PrecompileJob &job);

} // namespace kiln
