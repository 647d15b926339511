// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lists of jobs (PrecompileList) from files, and their entries in a session. docs/cache.md describes the
// files. Free functions; any thread.
#pragma once

#include <kiln/export.h>
#include <kiln/precompile.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Reads a manifest (JSON, docs/cache.md). Relative paths in it start at its own folder. Errors: Input for a
/// file that cannot be read, and for every fault of the manifest, each with its place.
KILN_API Result<PrecompileList> read_manifest(const std::string &path);
/// Reads a manifest or a trace: the first line of a trace starts with {"kiln_trace":. Errors: those of
/// read_manifest and read_job_trace.
KILN_API Result<PrecompileList> read_job_list(const std::string &path);
/// One line for people: the call, the target and the options that differ from the target's defaults.
KILN_API std::string describe(const PrecompileJob &job);
/// The hidden first argument of a `@kernel` as an expression, for PrecompileJob::hidden_argument. `group` is
/// the size of a group, `range` the iteration space, each as "X[,Y...]". Both empty: an empty expression.
/// Without `range` it equals `group`, which determines the same type. Error: Usage.
KILN_API Result<std::string> iteration_space(std::string_view group, std::string_view range);

/// Opens a session in which calls are of the job's language, and loads the job's files. Errors: those of
/// Session::open and load_files; Input, at the job's place in its list, for a language that the options lack.
KILN_API Result<std::unique_ptr<Session>> open_session(const PrecompileJob &job,
                                                       const SessionOptions &options);
/// Loads a job's files into the session, in order. Errors: those of Session::load_file.
KILN_API Result<void> load_files(Session &session, std::span<const PrecompileFile> files);
/// The job of an entry, in a session that has loaded its files. Errors: those of Session::job; Input, if the
/// session reads calls in another language than the entry's.
KILN_API Result<Job> hold_job(Session &session, const PrecompileJob &entry);

} // namespace kiln::inline KILN_API_VERSION
