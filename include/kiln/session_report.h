// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain results of a session: the definitions of a load, and the counters of its caches.
#pragma once

#include <kiln/version.h>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// The result of loading a text.
struct LoadSummary {
  uint32_t methods = 0, types = 0;
  std::vector<std::string> notes;    ///< statements that were not run: "file:line: reason"
  std::vector<std::string> warnings; ///< "file:line:column: warning"; the session logs them too
};

/// Counters of a session since it was opened.
struct SessionCounters {
  uint64_t compiled = 0, hits = 0, waits = 0; ///< artifacts compiled, found in memory, awaited
  uint64_t inferred = 0, inference_hits = 0;  ///< functions inferred, found in memory
  uint64_t artifact_bytes = 0, artifacts_evicted = 0, inference_bytes = 0, inferred_dropped = 0;
  uint64_t disk_hits = 0, disk_misses = 0; ///< artifacts in the cache folder
  uint64_t edge_hits = 0, edge_misses = 0; ///< jobs that recorded edges proved unchanged: not inferred
  uint64_t damaged = 0;                    ///< unreadable entries
  uint64_t llvm_contexts = 0;              ///< LLVM contexts made
  uint64_t assembled = 0, merged = 0;      ///< assembler calls; kernels assembled together with others
  uint64_t quick = 0, swapped = 0; ///< kernels that began with fast code; of those, optimised code in use
  uint64_t coarsened = 0;          ///< kernels with a coarse entry (SessionOptions::coarsen)
  /// Entries that remote stores were asked for: requests = hits + misses + errors. An error is an answer that
  /// came too late or was no entry. `remote_late`: hits that stopped a compile that had begun.
  /// `remote_published`: entries that the agent took.
  uint64_t remote_requests = 0, remote_hits = 0, remote_misses = 0, remote_errors = 0, remote_late = 0,
           remote_published = 0;
  /// Artifacts that neither the folder nor a remote store had: missing = joined + late + compiled. `joined`:
  /// another session compiled it, and this one waited. `compiled`: by this session, well or not.
  uint64_t remote_missing = 0, remote_joined = 0, remote_compiled = 0;
  /// For SessionOptions::store: leases that this session got, compiles that waited for another session's, and
  /// what CacheStore::statistics returns now.
  uint64_t store_leases = 0, store_waits = 0, store_entries = 0, store_bytes = 0;
};

} // namespace kiln::inline KILN_API_VERSION
