// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structures with results of a session: a summary of loaded definitions, and counters of caches.
#pragma once

#include <kiln/version.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Summary of a loaded text.
struct LoadSummary {
  uint32_t methods = 0, types = 0;
  std::vector<std::string> notes;    ///< statements that were not run: "file:line: reason"
  std::vector<std::string> warnings; ///< "file:line:column: warning"; the session logs them too
};

/// Counters of a session since it was opened.
struct SessionCounters {
  /// Artifacts compiled; found in memory; waited for while another thread compiled them.
  uint64_t compiled = 0, hits = 0, waits = 0;
  uint64_t inferred = 0, inference_hits = 0; ///< functions inferred; found in memory
  uint64_t artifact_bytes = 0, artifacts_evicted = 0, inference_bytes = 0, inferred_dropped = 0;
  uint64_t disk_hits = 0, disk_misses = 0; ///< artifacts found and missed in the cache's folder
  /// Jobs whose recorded dependencies were unchanged (not inferred), and others.
  uint64_t edge_hits = 0, edge_misses = 0;
  uint64_t damaged = 0;               ///< unreadable entries
  uint64_t llvm_contexts = 0;         ///< LLVM contexts made
  uint64_t assembled = 0, merged = 0; ///< assembler calls; kernels that were assembled together with others
  /// Kernels that began with quickly assembled code; those that now use optimised code.
  uint64_t quick = 0, swapped = 0;
  uint64_t coarsened = 0; ///< kernels with a coarsened entry (SessionOptions::coarsen)
  /// Entries requested from remote stores: requests = hits + misses + errors. An error is a reply that came
  /// too late or held no valid entry. `remote_late`: hits that arrived during the session's own compile and
  /// stopped it. `remote_published`: entries that the agent accepted for publishing.
  uint64_t remote_requests = 0, remote_hits = 0, remote_misses = 0, remote_errors = 0, remote_late = 0,
           remote_published = 0;
  /// Artifacts that neither the folder nor a remote store had at first: missing = joined + late + compiled.
  /// `joined`: this session waited while another session compiled it. `compiled`: this session compiled it,
  /// also if that failed.
  uint64_t remote_missing = 0, remote_joined = 0, remote_compiled = 0;
  /// For SessionOptions::store: leases that this session got, compiles that waited for another session's
  /// lease, and the current numbers of CacheStore::statistics.
  uint64_t store_leases = 0, store_waits = 0, store_entries = 0, store_bytes = 0;
};

} // namespace kiln::inline KILN_API_VERSION
