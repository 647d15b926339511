// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads lists of jobs (PrecompileList) from files and opens their jobs in a session. docs/cache.md describes
// the files. Any thread may call these functions.
#pragma once

#include <kiln/export.h>
#include <kiln/precompile.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln::inline KILN_API_VERSION {

/// Reads a manifest (JSON, docs/cache.md). Relative paths in the manifest start at its folder. Errors: Input
/// for a file that cannot be read, and for every fault of the manifest, each with its place.
KILN_API Result<PrecompileList> read_manifest(const std::string &path);
/// Reads a manifest or a trace, whichever the file is: the first line of a trace starts with {"kiln_trace":.
/// Errors: those of read_manifest and read_job_trace.
KILN_API Result<PrecompileList> read_job_list(const std::string &path);
/// Describes a job in one line for people: the call, the target and the options that differ from the target's
/// defaults.
KILN_API std::string describe(const PrecompileJob &job);
/// Returns the expression of the hidden first argument of a KernelAbstractions `@kernel`, for
/// PrecompileJob::hidden_argument. `group` is the size of a work group, `range` the index range, each as
/// "X[,Y...]". If both are empty, the expression is empty. An empty `range` counts as equal to `group`, which
/// gives the same type. Error: Usage.
KILN_API Result<std::string> iteration_space(std::string_view group, std::string_view range);

/// Opens a session whose calls are in the job's language, and loads the job's files into it. Errors: those of
/// Session::open and load_files; Input, at the job's place in its list, if the options lack the language.
KILN_API Result<std::unique_ptr<Session>> open_session(const PrecompileJob &job,
                                                       const SessionOptions &options);
/// Loads a job's files into the session, in order. Errors: those of Session::load_file.
KILN_API Result<void> load_files(Session &session, std::span<const PrecompileFile> files);
/// Makes a held job of a list's entry, in a session that has loaded the entry's files. Errors: those of
/// Session::job; Input if the session's language is not the entry's.
KILN_API Result<Job> hold_job(Session &session, const PrecompileJob &entry);

} // namespace kiln::inline KILN_API_VERSION
