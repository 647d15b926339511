// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares the entries of a cache folder with the results of fresh compiles.
#pragma once

#include <cache/cache.h>
#include <kiln/cache.h>

#include <span>

namespace kiln {

/// Compiles up to `sample` of the jobs and compares the results with the folder. Jobs are selected by their
/// digests. Errors: those of opening sessions and loading files.
Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample);
/// Assembles stored texts and compares the results with the stored cubins: up to `sample` texts, and up to
/// `sample` merged cubins. The report is empty if there is no assembler.
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample);

/// The target of an entry, from the fields of its key. Empty: they name no target of the list.
std::optional<TargetSpec> recorded_target(const std::vector<KeyField> &fields, const TargetList &targets);

} // namespace kiln
