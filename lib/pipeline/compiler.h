// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of a session: state that all compiles share, and their interface.
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
class WorkerPool; ///< defined in llvm_support; the layers above this header do not see LLVM
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

/// Receives the product of each stage, for dumps, reflection and tests. Called on the requesting thread;
/// `text` is made only if wants() returned true. A job that is compiled shows all its products, a job found
/// in a store only the stored one. A job found in memory shows nothing, since its products were shown when it
/// entered memory.
class Observer {
public:
  virtual ~Observer() = default;
  virtual bool wants(const CompilerJob &job, ArtifactKind product) = 0;
  /// Receives a product. An error fails the job's compile, although the product is valid and stays cached.
  virtual Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) = 0;
};

/// Scope that collects the first error that an observer returns on this thread. The error is reported only
/// after the product was stored, since the product is valid and other threads may wait for it.
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
  std::vector<Fingerprint> keys; ///< of all products on the way to the last; assembly before cubin
  unsigned made = 0;             ///< number of products that this call made; 0 is a hit
};

/// Facts and keys of a job, known before inference.
struct JobKeys {
  InferenceFacts facts;
  Fingerprint inference;  ///< level 1
  Fingerprint edges;      ///< key of the job's edge record; set only if requested
  bool positions = false; ///< the product contains source positions
};

/// A job's typed code and the digest of everything that the code reaches. Recorded edges supply the digest
/// without typed code.
struct ResolvedCode {
  const CodeInstance *code = nullptr; ///< null: the digest came from recorded edges, without inference
  Fingerprint digest;
  CodeSummary summary;                       ///< set if `code` is null
  bool is_recorded = false;                  ///< true if the store has the edges, or a write is in progress
  MissCause cause = MissCause::OtherOptions; ///< reason of a compile if the store has no product
};

/// A job and the product that a later compile will request, for Compiler::read_ahead.
struct WantedProduct {
  CompilerJob job;
  ArtifactKind product;
};

/// Cache keys of the object (cubin) that is assembled from an assembly text.
struct AssembledKeys {
  Fingerprint exact; ///< with this machine's assembler; without one, equal to `any`
  Fingerprint any;   ///< by any assembler
  std::string assembler;
  /// Keys of the cubin that is assembled at a lower level after a call exceeded the session's time limit: by
  /// this machine's assembler, and by any. Not set: the session has no limit.
  std::optional<Fingerprint> limited = {}, limited_any = {};
};

/// An object key and its parts.
struct KeyExplanation {
  Fingerprint key;
  std::vector<KeyField> fields;
};

/// Compiles jobs. The referenced objects must outlive every compile. Thread-safe.
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
  const IrFunctions *ir = nullptr;       ///< functions with LLVM IR bodies; null: the session has none
  bool may_compile = true;               ///< false: a job missing in every cache is an error
  mutable std::atomic<uint64_t> assembler_calls{0}, kernels_merged{0}, quick_kernels{0}, kernels_swapped{0},
      kernels_coarsened{0};
  /// Receives warnings about code when it is compiled; cache hits do not warn. Called on the compiling
  /// thread; may be empty.
  std::function<void(const Diagnostic &)> warn;
  WorkerProcesses *processes = nullptr; ///< run LLVM and assemblers; null: this process does
  /// Maximum time of one assembler call in a worker process; 0: no limit.
  std::chrono::milliseconds assemble_limit{0};

  /// Product of `job` at stage `kind`, from the cache or compiled now. `target` must be that of job.config.
  /// Errors: Input (KernelError, InvalidIRError, ...), Machine (a missing library), Internal.
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Error: NotCompiled, if this session must not compile. The message names `product`.
  Result<void> check_may_compile(const CompilerJob &job, ArtifactKind product) const;
  /// Compiles a job like compile(), and also returns the cache keys of the product.
  Result<Compiled> compile_with_keys(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Cubin of `job` made by the given assembler, from the cache or assembled now.
  Result<Compiled> compile_with(const CompilerJob &job, const Target &target, const Assembler &assembler);
  /// Returns a cubin of `job` for loading. A cached one may be the kernel's own, or a merged one
  /// (Artifact::merged) made by assemble_many(). Without a cached one, assembles the kernel alone. Errors:
  /// those of compile().
  Result<Compiled> loadable(const CompilerJob &job, const Target &target);
  /// Returns fast-made code that a device runs until the code of loadable() is ready: assembled with the
  /// assembler's quick setting (Assembler::quick). It stays in memory under a key of its own and is not shown
  /// to observers. The artifact is null if the cache has the code of loadable(), if the kernel does not gain
  /// from the quick setting, or if the assembler has none. Errors: those of compile().
  Result<Compiled> quick(const CompilerJob &job, const Target &target);
  /// Returns an object of the first tier for a kernel on the CPU (CompilerConfig::first_tier), for which the
  /// caches have an own key. The artifact is null if the kernel has no first tier, if the caches have its
  /// optimised object, or if an observer wants its products. Errors: those of compile().
  Result<Compiled> first_tier(const CompilerJob &job, const Target &target);
  /// Does the work of loadable() for several jobs of one target, on this thread, with as few assembler calls
  /// as possible. Returns one result per job. Kernels that cannot be merged, such as those that an observer
  /// wants to see, get a cubin of their own. `time` starts a job's row in the timings.
  using TimeJob = std::function<TimedJob(const CompilerJob &job, bool continues)>;
  std::vector<Result<Compiled>> assemble_many(std::span<const CompilerJob> jobs, const Target &target,
                                              const TimeJob &time = {});
  AssembledKeys assembled_keys(const CompilerConfig &config, const Artifact &assembly, const Target &target);
  /// Returns the key of the product and the parts of the key, for `kiln cache explain`. Infers the job, but
  /// does not look the key up.
  Result<KeyExplanation> explain_key(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Digest of everything that determines a job's code: equal digests mean equal products. Errors: those of
  /// inference.
  Result<Fingerprint> code_digest(const CompilerJob &job, const Target &target);
  /// Returns what inference finds of a job, from recorded edges if they hold. Errors: those of inference.
  Result<CodeSummary> summary(const CompilerJob &job, const Target &target);
  /// Fetches the recorded edges and the artifacts of all the jobs from a remote store, in a constant number
  /// of round trips. Later compiles of the jobs find them in memory. Does nothing if the cache is only a
  /// local folder. At most 1,024 jobs per call.
  void read_ahead(std::span<const WantedProduct> wanted);
  /// Prepares a worker for jobs with this config: makes the target machine and the pipelines (about 5 ms the
  /// first time). May run on another thread while definitions are loaded, since it uses no definition.
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
  /// True if a cache has the product, or if the job's definitions were swept. Moves a product of a store to
  /// memory.
  Result<bool> is_cached(const CompilerJob &job, const Target &target, ArtifactKind kind);
  bool is_observed(const CompilerJob &job) const;
  Result<const CodeInstance *> infer(const CompilerJob &job, const JobKeys &keys);
  void record_edges(const CompilerJob &job, const Target &target, ArtifactKind kind, const JobKeys &keys,
                    const CodeInstance &instance, Fingerprint digest);
  PersistPolicy persist_policy(const CompilerJob &job, const Target &target, ArtifactKind kind,
                               const JobKeys &keys, Fingerprint callees);
  void show(const CompilerJob &job, const Artifact &artifact); ///< to the observer
  // ---- assemble.cpp
  /// Finds the lower-level cubin of a kernel whose assembler call exceeded the limit before. Null: there is
  /// none.
  ObjectCache::ArtifactPtr find_limited(const CompilerJob &job, const AssembledKeys &keys);
  Error limit_exceeded(const CompilerJob &job, int opt_level) const;
  void warn_limited(const CompilerJob &job) const;
  Result<Compiled> assemble(const CompilerJob &job, const Target &target);
  // ---- assemble_many.cpp
  ObjectCache::ArtifactPtr stored_member(const Artifact &assembly, const AssembledKeys &keys);
  friend class AssemblyBatch;
  /// Returns the object under `keys`, or assembles it. `find_assembler` supplies the assembler, and is called
  /// only if no cache has the object.
  Result<Compiled> assemble_by(const CompilerJob &job, Compiled assembly, const AssembledKeys &keys,
                               const std::function<Result<const Assembler *>()> &find_assembler);
};

/// Best number of jobs per assemble_many() call if `threads` threads share the jobs: every thread gets work,
/// and no batch exceeds the useful group size.
size_t batch_size(size_t jobs, unsigned threads);

/// The part of the object key that identifies Kiln's build and LLVM's version. `build`: digest of Kiln's
/// sources that affect products.
std::string toolchain_id(std::string_view build);

/// Makes all later keys of this process include a SHA-256. Remote stores name their entries by it.
void use_strong_keys();

/// Facts about a job's config and target that inference depends on. `targets` must contain the targets of
/// nested configs.
InferenceFacts inference_facts(CompilerWorld &world, const CompilerConfig &config, const Target &target,
                               const TargetList &targets);

} // namespace kiln
