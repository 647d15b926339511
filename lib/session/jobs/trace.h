// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a session's jobs to a trace file for `kiln precompile`: one JSON object per line. Any number of
// processes may append to one file.
#pragma once

#include <session/define/definitions.h>

#include <pipeline/pipeline.h>

#include <functional>
#include <map>
#include <unordered_set>

namespace kiln {

/// Beginning of every record. If a writer was interrupted, the rest of its line may contain another process's
/// record.
inline constexpr std::string_view trace_mark = "{\"kiln_trace\":";
/// Version of the trace format. Traces of other versions are not read.
inline constexpr int trace_version = 2;

/// Appends the jobs of a session to a trace file. Thread-safe. Lines that cannot be written are lost, with a
/// warning.
class TraceRecorder {
public:
  TraceRecorder(std::string path, Definitions &definitions, Log &log);
  ~TraceRecorder();
  /// Records a text whose loading begins, so that jobs requested meanwhile are recorded with it. A text is
  /// marked if no file has its name and content. `base` is as for SourceFile. Returns an id for failed().
  size_t loading(const std::string &name, std::string_view text, const std::string &base);
  void failed(size_t load); ///< the load with this id failed: later jobs are recorded without its text
  /// Marks methods that were defined by API calls instead of a file, which other processes cannot repeat.
  /// `by` is the name of the API function, as a static string.
  void defined(std::span<const Method *const> methods, std::string_view by);
  /// Records a job that was compiled or found in a cache. `typed` returns its typed code; it is called only
  /// if defined() marked any methods.
  void record(const CompilerJob &job, ArtifactKind product,
              const std::function<Result<const CodeInstance *>()> &typed);

private:
  void append(const std::string &line);
  std::string why_not_repeatable(const CompilerJob &job,
                                 const std::function<Result<const CodeInstance *>()> &typed);
  /// Returns the API function that defined the method; empty if a file did. The caller holds the mutex.
  std::string_view definer_of(const Method &method) const;
  std::string call_of(const CompilerJob &job, std::string &why_not);
  const std::string path_;
  Definitions &definitions_; ///< locking order: Definitions::mutex before mutex_
  Log &log_;
  std::mutex mutex_;
  int file_ = -1;
  bool is_given_up_ = false;
  struct Load {
    std::string json;         ///< empty: the load failed
    std::string without_file; ///< name of the text if no file has its content, else empty
  };
  std::vector<Load> loads_;              ///< in load order
  void join_loads();                     ///< builds the next two
  std::string files_;                    ///< loaded files as JSON
  std::string without_file_;             ///< name of the first text that is in no file; empty: none
  std::unordered_set<Fingerprint> seen_; ///< jobs and lines
  /// API functions by the methods that they defined. The key is the method's signature and first world age,
  /// which a @generated method shares with its expansions.
  std::map<std::pair<TypeRef, WorldAge>, std::string_view> of_api_;
};

} // namespace kiln
