// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Service Definitions of a session: its types, methods and languages, and the methods' typed code.
#pragma once

#include "languages.h"

#include <session/session_log.h>

#include <infer/infer.h>
#include <interp/interp.h>
#include <kiln/forward.h>
#include <kiln/precompile.h>
#include <launch/launch.h>
#include <support/releasable_lock.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace kiln {

class HostLibrary;
class PersistentCache;
class TraceRecorder;

/// Thread-safe.
class Definitions {
public:
  /// `persistent` stores records of languages. `persistent` and `host` may be null. All referenced objects
  /// must outlive the Definitions.
  Definitions(SessionLog &log, SourceMap &sources, PersistentCache *persistent, size_t inference_budget,
              HostLibrary *host);

  TypeContext &types() { return types_; }
  CompilerWorld &world() { return world_; }
  SourceMap &sources() { return sources_; }
  Interpreter &interpreter() { return interpreter_; }
  Languages &languages() { return languages_; }
  /// Returns the language in which calls and expressions are read.
  Frontend &frontend() const { return languages_.of_calls(); }
  CodeInstanceTable &code() { return code_; }
  /// Returns a scope that keeps all definitions visible to the caller in memory. Take it before any lock.
  CodeInstanceTable::Use use() { return code_.use(); }
  /// Returns the mutex that serialises definitions and calls of frontends. It is recursive, and released
  /// while evaluated code waits for a device.
  ReleasableLock &mutex() { return mutex_; }
  LanguageHost language_host();

  // ---- the host library
  /// Binds the session's host library for packages, if it is not bound yet. Errors: Usage, if the session has
  /// none; errors of HostLibrary::bind.
  Result<void> bind_host();
  /// Binds `library` for a program. Error: Usage, if the session has another library or none, or already had
  /// a program.
  KILN_PROGRAMS_API Result<void> begin_program(const HostLibrary &library);

  /// Loads a text. `base` is the folder for relative names; empty: the working folder. `by` is the API
  /// function that generated the text, as a static string; empty: the embedder passed the text.
  Result<LoadSummary> load(const std::string &name, std::string text, std::string base = {},
                           std::string_view by = {});
  Result<LoadSummary> load_library(const std::string &name, std::string text);
  Result<void> load_files(std::span<const PrecompileFile> files);
  Result<void> define(const std::function<Result<void>(World &)> &definitions);

  /// Evaluates an expression of the session's language in module Main. Errors: those of Frontend::evaluate.
  Result<Value> evaluate(std::string_view name, std::string_view text);
  /// Resolves the text of a call to its function and argument types. Errors: those of Frontend::resolve_call.
  Result<ResolvedCall> resolve_call(std::string_view call, std::span<const Capture> captures = {});
  /// Resolves a launch by the kernel's name. `types` has the form of Argument::type. Errors: those of
  /// Frontend::resolve_launch.
  Result<ResolvedCall> resolve_launch(std::string_view function, std::span<const std::string_view> types);
  /// Converts the embedder's value to an argument of the session's language.
  Result<Value> argument_value(const Value &value);
  /// Parses a type of the language; `what` names it in messages. Errors: TypeError; errors of the language.
  Result<TypeRef> read_type(const std::string &what, const std::string &text);
  /// Converts a value to the form in which kernels receive it: host arrays become CuDeviceArrays
  /// (lib/launch).
  Result<Value> kernel_value(const Value &value) { return kernel_view(world_, value); }

  void set_session(Session &session) { session_ = &session; } ///< for HostLibrary::bind
  // JobService sets these before other threads use the object.
  void set_trace(TraceRecorder *trace) { trace_ = trace; } ///< null: none
  void on_change(std::function<void()> changed) { changed_ = std::move(changed); }
  /// Tells the JobService that definitions may have changed. Call it without holding a lock.
  void changed() {
    if (changed_) changed_();
  }

private:
  Result<LoadSummary> load(const std::shared_ptr<const SourceFile> &file, std::string_view by,
                           bool is_traced);

  SessionLog &log_;
  SourceMap &sources_;
  PersistentCache *const persistent_;
  HostLibrary *const host_; ///< may be null
  Session *session_ = nullptr;
  bool host_is_bound_ = false, had_program_ = false;
  TypeContext types_;
  CompilerWorld world_;
  std::shared_ptr<void> host_objects_; ///< result of HostLibrary::bind, kept alive for its host functions
  Interpreter interpreter_;
  Languages languages_;
  CodeInstanceTable code_;
  ReleasableLock mutex_;
  TraceRecorder *trace_ = nullptr;
  std::function<void()> changed_;
};

} // namespace kiln
