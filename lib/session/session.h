// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component session (layer 9): the facade that an embedder holds. It owns everything and connects the
// components: loads runtime/library through the frontend, hands the driver its target, launches what comes
// out. Public: kiln/session.h.
//   call_scope  what each of them begins with
//   session     the public functions; launch: those that make devices and streams, and run kernels
//   state       what a session owns
//   worker_program  which program the worker processes of a session run
//   environment what the options and the environment say
//   languages   the frontends, which of them reads what
//   many        many jobs at once, and without waiting; compile_queue: the threads that compile them
//   calls       calls by values, for languages (kiln/extension/language/calls.h)
//   resolve     from a call to a job
//   job_compiler  from a job to its products
//   folders     the cache that outlives sessions
//   trace       the jobs of a session as a file
//   named_hooks hooks of jobs, for options that name them
//   observers   who sees the products of jobs; dump: the one that fills KILN_DUMP_DIR
//   device_code  behind @device_code_llvm and its kin
//   ir_functions  functions whose body is an embedder's LLVM IR
//   prepared_code  functions and kernels that stay loaded; job_code: a job as what a device loads
//   background  what no call waits for
//   quick_tier  optimised code for kernels that began with fast code
//   coarsener   second entries of kernels, whose threads do several elements each
//   launcher    launches by name; launch_table: what they have found
//   driver_assembler  a GPU's driver in place of a toolkit
#pragma once

#include "background.h"
#include "coarsener.h"
#include "compile_queue.h"
#include "environment.h"
#include "folders.h"
#include "held_jobs.h"
#include "job_compiler.h"
#include "languages.h"
#include "launcher.h"
#include "named_hooks.h"
#include "observers.h"
#include "quick_tier.h"
#include "resolve.h"
#include "trace.h"

#include <devices/devices.h>
#include <interp/interp.h>
#include <launch/launch.h>
#include <support/releasable_lock.h>

namespace kiln {

/// A kernel by its handle, and the types of what it takes.
struct PreparedKernel {
  Kernel kernel;
  std::vector<TypeRef> parameters;
};

/// What a session is made of, in the order in which each needs those before it. Only the public functions of
/// kiln/session.h, and programs that are Kiln's own, see all of it.
struct Session::State {
  State(const SessionOptions &options, TargetList targets, std::shared_ptr<VisibleCode> visible,
        WorkerProcessesPtr processes);
  ~State() { close(); }
  /// Ends what runs in the background. From here on calls are refused, also those of callbacks that hear of
  /// the end of their jobs (CompileFuture::then). Once, or again.
  void close();
  bool is_closing() const { return closing_.load(std::memory_order_relaxed); }

  SessionOptions options;
  Log log;
  std::shared_ptr<SessionRuntime> runtime; ///< shared with the handles; what follows lies in it
  Timer &timer;
  KernelStats &kernels;
  SourceMap &sources;
  Executor &executor;
  TargetList targets;
  TypeContext types;
  World world;
  Interpreter interpreter;
  Languages languages;
  CodeInstanceTable code;
  std::unique_ptr<PersistentCache> persistent; ///< null: nothing outlives the session
  std::unique_ptr<EdgeCache> edges;            ///< with it
  ObjectCache objects;
  WorkerPoolPtr workers;
  WorkerProcessesPtr processes; ///< null: there are none
  Assemblers assemblers;
  Observers observers;
  IrFunctions ir;
  NamedHooks hooks;
  /// Definitions of one session come one after the other; recursive, for what a language runs while it
  /// defines may call the session. Evaluated code that waits for a device gives it up meanwhile.
  ReleasableLock load_mutex;
  std::unique_ptr<TraceRecorder> trace; ///< null: nobody wants one
  JobResolver jobs;
  std::shared_ptr<HeldJobs> held;
  Compiler compiler;
  JobCompiler products;
  PreparedCode prepared;
  Devices devices;
  BackgroundWork background;
  QuickTier tier;
  Coarsener coarsener;
  Launcher launcher;  ///< what it holds goes before what it is held by
  CompileQueue queue; ///< last: its threads use the others

  // ---- definitions
  LanguageHost language_host();
  std::function<Result<void>()> prepare_host; ///< what is to be done for LanguageHost's
  std::shared_ptr<void> package_host;         ///< what it made
  /// `base`: the folder in which a relative name is meant; empty: the process's own.
  Result<LoadSummary> load(const std::string &name, std::string text, std::string base = {});
  Result<void> define_ir(const IrFunction &function);
  Result<void> load_files(std::span<const PrecompileFile> files);
  Frontend &frontend() const { return languages.of_calls(); } ///< that reads calls and expressions
  Result<Value> evaluate(std::string_view name, std::string_view text) { return jobs.evaluate(name, text); }
  Result<Value> adapt(const Value &value) { return kernel_view(world, value); }
  /// What the language of calls makes of a value of the embedder's, before it is adapted.
  Result<Value> argument_value(const Value &value) {
    std::lock_guard lock(load_mutex);
    return frontend().argument_value(world, value);
  }

  // ---- from a call to an artifact: JobResolver, JobCompiler
  Result<CompilerJob> job(const Value &function, std::span<const TypeRef> arguments,
                          const CompilerConfig &config, const Location &at = {}) {
    return jobs.job(function, arguments, config, at);
  }
  Result<CompilerJob> job(std::string_view call, const CompilerConfig &config) {
    return jobs.job(call, config);
  }
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, ArtifactKind kind) {
    return products.compile(job, kind);
  }

  // ---- running a job's code, for programs that have its arguments as values of the language
  Result<PreparedFunction> prepare(const CompilerJob &job); ///< on the CPU
  /// Pointers to the non-ghost arguments' bytes are taken as the entry's parameters, in order.
  Result<void> launch(const PreparedFunction &function, const LaunchShape &shape,
                      std::span<void *const> arguments, const LaunchOptions &options = {});
  Result<Value> call(const PreparedFunction &function, std::span<void *const> arguments);
  Result<HostFunction> host_function(CompilerJob job); ///< of a plain function, by whichever ABI
  /// On any device: a handle of it, and what it takes. Errors: as Session::prepare.
  /// `may_be_quick`: it may begin with code of the quick tier, if that is on.
  Result<PreparedKernel> prepare_kernel(const CompilerJob &job, const Device &device,
                                        bool may_be_quick = true);
  Result<CompilerConfig> config_for(const DeviceBackend &device, const CompilerConfig &given) const {
    return launcher.config_for(device, given);
  }

private:
  std::atomic<bool> closing_{false};
};

/// A digest of all of Kiln that a product can depend on, made when the program was built: two builds share no
/// entry.
std::string_view build_digest();

} // namespace kiln
