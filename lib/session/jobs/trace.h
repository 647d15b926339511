// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace of a session's jobs, a line of JSON each, for `kiln precompile`. Any number of processes append
// to one file.
#pragma once

#include <session/define/definitions.h>

#include <pipeline/pipeline.h>

#include <unordered_map>
#include <unordered_set>

namespace kiln {

/// Begins every line; a line that another one's writer did not end may hold it again.
inline constexpr std::string_view trace_mark = "{\"kiln_trace\":";
inline constexpr int trace_version = 2; ///< 1 told a target by a number of options of both

/// Thread-safe. What cannot be written is lost, with a warning.
class TraceRecorder {
public:
  TraceRecorder(std::string path, Definitions &definitions, Log &log);
  ~TraceRecorder();
  /// The session has loaded this. A name under which no file with this text lies is remembered as such.
  /// `base`: as SourceFile's.
  void loaded(const std::string &name, std::string_view text, const std::string &base);
  /// Methods that the embedder defined without a file (Session::define): no other process can make them.
  void defined(std::span<const Method *const> methods);
  /// The job was compiled or found.
  void record(const CompilerJob &job, ArtifactKind product);

private:
  void append(const std::string &line);
  std::string call_of(const CompilerJob &job, std::string &why_not);
  const std::string path_;
  Definitions &definitions_; ///< whose mutex is taken before mutex_
  Log &log_;
  std::mutex mutex_;
  int file_ = -1;
  bool is_given_up_ = false;
  std::string files_;                                   ///< what was loaded, as JSON
  std::string without_file_;                            ///< the first text that lies in no file
  std::unordered_set<Fingerprint> seen_;                ///< jobs, and lines
  std::unordered_map<const Method *, WorldAge> of_api_; ///< its first world: an address comes again
};

} // namespace kiln
