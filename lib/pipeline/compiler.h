// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of a session: state shared by compiles, and their interface.
#pragma once

#include "assemblers.h"
#include "ir_functions.h"

#include <cache/cache.h>
#include <infer/infer.h>
#include <support/strong_digest.h>

#include <chrono>
#include <functional>
#include <optional>

namespace kiln {

class AssemblyBatch;
class WorkerPool; ///< in llvm_support; components above do not see LLVM
struct WorkerPoolDeleter {
  void operator()(WorkerPool *pool) const;
};
using WorkerPoolPtr = std::unique_ptr<WorkerPool, WorkerPoolDeleter>;
WorkerPoolPtr make_worker_pool(unsigned limit = 0);
uint64_t contexts_made(const WorkerPool &pool); ///< number of LLVM contexts that the pool has made

struct WorkerProcessesDeleter {
  void operator()(WorkerProcesses *processes) const;
};
using WorkerProcessesPtr = std::unique_ptr<WorkerProcesses, WorkerProcessesDeleter>;

/// Sees each stage's product: dumps, reflection, tests. Called on the requesting thread; `text` is made only
/// if wants() returned true. A compiled job shows all products. A job found in a store shows only the stored
/// product, its last one. A job found in memory shows nothing: it was shown when it was put there.
class Observer {
public:
  virtual ~Observer() = default;
  virtual bool wants(const CompilerJob &job, ArtifactKind product) = 0;
  /// An error fails the job's compile, although the product exists (ObserverFault).
  virtual Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) = 0;
};

/// Collects the first error of observers on this thread while it lives. Other threads may wait for the
/// product, which is valid: the error is reported only after the product was stored.
class ObserverFault {
public:
  ObserverFault();
  ~ObserverFault();
  ObserverFault(const ObserverFault &) = delete;
  ObserverFault &operator=(const ObserverFault &) = delete;
  Result<void> take();
  static void note(Result<void> shown);

private:
  ObserverFault *const outer_;
  std::optional<Error> error_;
};

/// A product and its origin.
struct Compiled {
  ObjectCache::ArtifactPtr artifact;
  std::vector<Fingerprint> keys; ///< keys from source to product: the text of a cubin before the cubin
  unsigned made = 0;             ///< number of products that this call made; 0 is a hit
};

/// Facts and keys of a job, known before inference.
struct JobKeys {
  InferenceFacts facts;
  Fingerprint inference;  ///< level 1
  Fingerprint edges;      ///< key of the record of its edges; only if requested
  bool positions = false; ///< the product contains source positions
};

/// Content of a job's code and everything that it reaches. Recorded edges supply the digest without typed
/// code.
struct ResolvedCode {
  const CodeInstance *code = nullptr; ///< null: the digest came from recorded edges, without inference
  Fingerprint digest;
  bool is_recorded = false; ///< the edges are in the store, or being written
};

/// A job and one of its products, for Compiler::read_ahead.
struct WantedProduct {
  CompilerJob job;
  ArtifactKind product;
};

/// Keys of objects assembled from a text.
struct AssembledKeys {
  Fingerprint exact; ///< with this machine's assembler; without one, equal to `any`
  Fingerprint any;   ///< by any assembler
  std::string assembler;
  /// Keys of the cubin at a lower level, for sessions with a limit: by this machine's assembler, and by any.
  /// Not set: the session has no limit.
  std::optional<Fingerprint> limited = {}, limited_any = {};
};

/// An object key and its parts.
struct KeyExplanation {
  Fingerprint key;
  std::vector<KeyField> fields;
};

/// Compiles jobs. References must outlive every compile. Thread-safe.
struct Compiler {
  CompilerWorld &world;
  CodeInstanceTable &code; ///< level 1
  ObjectCache &objects;    ///< level 2
  WorkerPool &workers;
  Assemblers &assemblers;
  const TargetList &targets; ///< for nested configs
  Timer *timer = nullptr;
  Observer *observer = nullptr;
  bool colour = false;                   ///< highlight values of non-concrete type in typed code
  std::string toolchain;                 ///< Kiln and LLVM: part of the object key
  PersistentCache *persistent = nullptr; ///< null: nothing outlives the session
  EdgeCache *edges = nullptr;            ///< set with `persistent`
  const IrFunctions *ir = nullptr;       ///< functions with LLVM IR bodies; null: none
  bool may_compile = true;               ///< false: an error for code missing in every cache
  mutable std::atomic<uint64_t> assembler_calls{0}, kernels_merged{0}, quick_kernels{0}, kernels_swapped{0},
      kernels_coarsened{0};
  /// Receives warnings about code when it is compiled; cache hits do not warn. Called on the compiling
  /// thread; may be empty.
  std::function<void(const Diagnostic &)> warn;
  WorkerProcesses *processes = nullptr; ///< for the work in LLVM; null: this process does it
  /// Limit of one call of an assembler that runs in worker processes; 0: none.
  std::chrono::milliseconds assemble_limit{0};

  /// Product of `job` at stage `kind`, from the cache or compiled now. `target` must be that of job.config.
  /// Errors: Input (KernelError, InvalidIRError, ...), Machine (a missing library), Internal.
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Error: NotCompiled, if this session must not compile. `product` is for the message.
  Result<void> check_may_compile(const CompilerJob &job, ArtifactKind product) const;
  /// Like compile(), and returns the keys of the product.
  Result<Compiled> compile_with_keys(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Cubin of `job` by this assembler, from the cache or assembled now.
  Result<Compiled> compile_with(const CompilerJob &job, const Target &target, const Assembler &assembler);
  /// Code of `job` for a device: a cubin of its own, or a merged one (`merged`) that assemble_many left here
  /// or in the store. Otherwise assembles it alone. Errors: those of compile().
  Result<Compiled> loadable(const CompilerJob &job, const Target &target);
  /// Fast code for a device until loadable() is done: assembled with the assembler's quick setting
  /// (Assembler::quick). It stays in memory under a key of its own and is not shown to observers. Null, if
  /// loadable() would hit the cache, if the kernel does not gain from the quick setting, or if the assembler
  /// has none. Errors: those of compile().
  Result<Compiled> quick(const CompilerJob &job, const Target &target);
  /// Like loadable(), for several jobs of one target, on this thread, with as few assembler calls as
  /// possible. Returns one result per job. Makes cubins of single kernels only for kernels that cannot be
  /// merged, such as those that an observer wants to see. `time`: starts a job's row in the timings.
  using TimeJob = std::function<TimedJob(const CompilerJob &job, bool continues)>;
  std::vector<Result<Compiled>> assemble_many(std::span<const CompilerJob> jobs, const Target &target,
                                              const TimeJob &time = {});
  AssembledKeys assembled_keys(const CompilerConfig &config, const Artifact &assembly, const Target &target);
  /// Key of the product and its parts, for `kiln cache explain`. Infers the job, but does not look up the
  /// key.
  Result<KeyExplanation> explain_key(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Digest of everything that determines a job's code: equal digests mean equal products. Errors: those of
  /// inference.
  Result<Fingerprint> code_digest(const CompilerJob &job, const Target &target);
  /// Fetches the recorded edges and the artifacts of all the jobs, in a constant number of round trips to the
  /// store and to the agent. Later compiles of the jobs find them in memory. Does nothing for a cache folder
  /// alone. Callers give at most 1,024 jobs at a time.
  void read_ahead(std::span<const WantedProduct> wanted);
  /// Prepares a worker for jobs like this one (target machine, pipelines: about 5 ms the first time). May run
  /// on another thread while definitions are loaded, since it uses no definition. Errors: those of creating
  /// these.
  Result<void> warm_up(const CompilerConfig &config, const Target &target);

private:
  // ---- keys.cpp
  Result<JobKeys> keys_of(const CompilerJob &job, const Target &target, bool with_edges);
  std::vector<KeyField> fields_of(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                  const JobKeys &keys, Fingerprint callees);
  // ---- cached_compile.cpp
  Result<Compiled> compile_cached(const CompilerJob &job, const Target &target, ArtifactKind kind);
  Result<ResolvedCode> resolve(const CompilerJob &job, const Target &target, ArtifactKind kind,
                               const JobKeys &keys, bool trust_recorded_edges);
  Result<Compiled> get_or_compile(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                  const JobKeys &keys, const ResolvedCode &resolved);
  Result<const CodeInstance *> code_to_compile(const CompilerJob &job, const Target &target,
                                               ArtifactKind kind, const JobKeys &keys,
                                               const ResolvedCode &resolved);
  Result<const CodeInstance *> infer(const CompilerJob &job, const JobKeys &keys);
  void record_edges(const CompilerJob &job, const Target &target, ArtifactKind kind, const JobKeys &keys,
                    const CodeInstance &instance, Fingerprint digest);
  PersistPolicy persist_policy(const CompilerJob &job, const Target &target, ArtifactKind kind,
                               const JobKeys &keys, Fingerprint callees);
  void show(const CompilerJob &job, const Artifact &artifact); ///< to the observer
  // ---- assemble.cpp
  /// The cubin of a kernel that exceeded the limit before, from memory or the store; null: none.
  ObjectCache::ArtifactPtr find_limited(const CompilerJob &job, const AssembledKeys &keys);
  Error limit_exceeded(const CompilerJob &job, int opt_level) const;
  void warn_limited(const CompilerJob &job) const;
  Result<Compiled> assemble(const CompilerJob &job, const Target &target);
  // ---- assemble_many.cpp
  ObjectCache::ArtifactPtr stored_member(const Artifact &assembly, const AssembledKeys &keys);
  friend class AssemblyBatch;
  /// Assembles with the assembler of `find_assembler`, which is called only if there is nothing under the
  /// keys.
  Result<Compiled> assemble_by(const CompilerJob &job, Compiled assembly, const AssembledKeys &keys,
                               const std::function<Result<const Assembler *>()> &find_assembler);
};

/// Best number of jobs per assemble_many call on each of `threads` threads: all threads have work, and a
/// batch is no larger than useful.
size_t batch_size(size_t jobs, unsigned threads);

/// The part of the object key that identifies this Kiln and its LLVM. `build`: digest of all compiling code.
std::string toolchain_id(std::string_view build);

/// Makes all later keys of the process include a SHA-256, by which remote stores name entries.
void use_strong_keys();

/// Facts of a job's config and target for inference. `targets` contains those of its nested configs.
InferenceFacts inference_facts(CompilerWorld &world, const CompilerConfig &config, const Target &target,
                               const TargetList &targets);

} // namespace kiln
