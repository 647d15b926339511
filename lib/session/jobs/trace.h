// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The trace of a session's jobs, a line of JSON each, for `kiln precompile`. Any number of processes append
// to one file.
#pragma once

#include <session/define/definitions.h>

#include <pipeline/pipeline.h>

#include <functional>
#include <map>
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
  /// The session begins to load this: jobs that the text itself asks for are recorded with it. A name under
  /// which no file with this text lies is remembered as such. `base`: as SourceFile's. Gives a number for
  /// failed().
  size_t loading(const std::string &name, std::string_view text, const std::string &base);
  void failed(size_t load); ///< that load ended with an error: jobs from now on are recorded without it
  /// Methods that the embedder defined without a file: no other process can make them. `by`: a function of
  /// the API, static text.
  void defined(std::span<const Method *const> methods, std::string_view by);
  /// The job was compiled or found. `typed` gives its typed code; asked only where methods were defined().
  void record(const CompilerJob &job, ArtifactKind product,
              const std::function<Result<const CodeInstance *>()> &typed);

private:
  void append(const std::string &line);
  std::string why_not_repeatable(const CompilerJob &job,
                                 const std::function<Result<const CodeInstance *>()> &typed);
  /// The function that defined the method through the API; empty: none. Under the mutex.
  std::string_view definer_of(const Method &method) const;
  std::string call_of(const CompilerJob &job, std::string &why_not);
  const std::string path_;
  Definitions &definitions_; ///< whose mutex is taken before mutex_
  Log &log_;
  std::mutex mutex_;
  int file_ = -1;
  bool is_given_up_ = false;
  struct Load {
    std::string json;         ///< empty: it failed
    std::string without_file; ///< the name of a text that lies in no file; empty: it lies in one
  };
  std::vector<Load> loads_;              ///< in order
  void join_loads();                     ///< makes the next two
  std::string files_;                    ///< what was loaded, as JSON
  std::string without_file_;             ///< the first text that lies in no file
  std::unordered_set<Fingerprint> seen_; ///< jobs, and lines
  /// Functions of the API by the methods that they defined: signature and first world, which the methods
  /// share that a generator made.
  std::map<std::pair<TypeRef, WorldAge>, std::string_view> of_api_;
};

} // namespace kiln
