// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From text to jobs.
#pragma once

#include "languages.h"

#include <infer/infer.h>
#include <job/job.h>
#include <kiln/precompile.h>
#include <support/releasable_lock.h>

#include <atomic>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>

namespace kiln {

/// From a call to a job: the config checked, the method chosen at the world as it is. Thread-safe. Who looks
/// at the job after it holds a CodeInstanceTable::use over both; between them the job's definitions may be
/// forgotten, if they are replaced.
class JobResolver {
public:
  /// All must outlive this; `load_mutex` is held while a language reads a call.
  JobResolver(World &world, CodeInstanceTable &code, const TargetList &targets, const Languages &languages,
              ReleasableLock &load_mutex, Timer &timer)
      : world_(world), code_(code), targets_(targets), languages_(languages), load_mutex_(load_mutex),
        timer_(timer) {}

  /// The job of `function` on arguments of these types; `at` is where they were written. Errors: Usage, for a
  /// config that means nothing; Input (MethodError, TypeError, KernelError).
  Result<CompilerJob> job(const Value &function, std::span<const TypeRef> arguments,
                          const CompilerConfig &config, const Location &at) const;
  /// The same of the types alone, the function's own first; nobody who collects jobs hears of it.
  Result<CompilerJob> job_of_types(std::span<const TypeRef> all, const CompilerConfig &config,
                                   const Location &at) const;
  /// Hears of every job but those; may be empty. Set before other threads come.
  std::function<void(const CompilerJob &)> on_job;
  const std::atomic<int> *collectors = nullptr; ///< while not 0, nothing may answer in a job's place
  bool is_collecting() const { return collectors && collectors->load(std::memory_order_relaxed) != 0; }
  /// Of a call in the session's language. Errors: those of Frontend::resolve_call too.
  Result<CompilerJob> job(std::string_view call, const CompilerConfig &config) const;
  /// Of a launch by name: `types` as Argument::type has them. Errors: those of Frontend::resolve_launch too.
  Result<CompilerJob> job(std::string_view function, std::span<const std::string_view> types,
                          const CompilerConfig &config) const;
  /// What a call in the session's language names. Errors: those of Frontend::resolve_call.
  Result<ResolvedCall> resolve(std::string_view call) const;
  /// Of a list's entry, where its files are loaded. Errors: those of its captured values too.
  Result<CompilerJob> job(const PrecompileJob &wanted) const;
  /// The value of an expression of the session's language, in Main. Errors: Frontend::evaluate's.
  Result<Value> evaluate(std::string_view name, std::string_view text) const;

private:
  Result<CompilerJob> make_job(std::span<const TypeRef> all, const CompilerConfig &config,
                               const Location &at) const;
  Error no_method(const MethodMatch &match, std::span<const TypeRef> all, Symbol overlay, WorldAge age,
                  const Location &at) const;
  World &world_;
  CodeInstanceTable &code_;
  const TargetList &targets_;
  const Languages &languages_;
  ReleasableLock &load_mutex_;
  Timer &timer_;
};

} // namespace kiln
