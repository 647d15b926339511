// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trace of a session's jobs for `kiln precompile`, one JSON object per line. Any number of processes may
// append to one file.
#pragma once

#include <session/define/definitions.h>

#include <pipeline/pipeline.h>

#include <functional>
#include <map>
#include <unordered_set>

namespace kiln {

/// Begins every record. A line whose writer was interrupted may contain the next record.
inline constexpr std::string_view trace_mark = "{\"kiln_trace\":";
inline constexpr int trace_version = 2; ///< version 1 used one option number for both in a target

/// Thread-safe. Lines that cannot be written are lost, with a warning.
class TraceRecorder {
public:
  TraceRecorder(std::string path, Definitions &definitions, Log &log);
  ~TraceRecorder();
  /// Call it when the session begins to load a text: jobs that the text requests are recorded with it. A text
  /// without a file of that name and content is marked as such. `base`: as SourceFile's. Returns an id for
  /// failed().
  size_t loading(const std::string &name, std::string_view text, const std::string &base);
  void failed(size_t load); ///< the load failed: later jobs are recorded without it
  /// Marks methods defined through the API without a file: no other process can repeat them. `by`: the API
  /// function, static text.
  void defined(std::span<const Method *const> methods, std::string_view by);
  /// Records a compile or cache hit. `typed` returns the typed code; called only if methods were defined().
  void record(const CompilerJob &job, ArtifactKind product,
              const std::function<Result<const CodeInstance *>()> &typed);

private:
  void append(const std::string &line);
  std::string why_not_repeatable(const CompilerJob &job,
                                 const std::function<Result<const CodeInstance *>()> &typed);
  /// The API function that defined the method; may be empty. Call it under the mutex.
  std::string_view definer_of(const Method &method) const;
  std::string call_of(const CompilerJob &job, std::string &why_not);
  const std::string path_;
  Definitions &definitions_; ///< its mutex is taken before mutex_
  Log &log_;
  std::mutex mutex_;
  int file_ = -1;
  bool is_given_up_ = false;
  struct Load {
    std::string json;         ///< empty: the load failed
    std::string without_file; ///< name of a text that is in no file; else empty
  };
  std::vector<Load> loads_;              ///< in load order
  void join_loads();                     ///< builds the next two
  std::string files_;                    ///< loaded files as JSON
  std::string without_file_;             ///< first text that is in no file
  std::unordered_set<Fingerprint> seen_; ///< jobs and lines
  /// API function by the methods it defined. Key: signature and first world, shared by all methods of one
  /// generator.
  std::map<std::pair<TypeRef, WorldAge>, std::string_view> of_api_;
};

} // namespace kiln
