// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiling needs besides the job, and what can be asked of it. A session owns one Compiler.
#pragma once

#include "assemblers.h"
#include "ir_functions.h"

#include <cache/cache.h>
#include <infer/infer.h>

#include <functional>
#include <optional>

namespace kiln {

class AssemblyBatch;
class WorkerPool; ///< llvm_support's; components above own one without seeing LLVM
struct WorkerPoolDeleter {
  void operator()(WorkerPool *pool) const;
};
using WorkerPoolPtr = std::unique_ptr<WorkerPool, WorkerPoolDeleter>;
WorkerPoolPtr make_worker_pool(unsigned limit = 0);
uint64_t contexts_made(const WorkerPool &pool); ///< LLVM contexts since it was made

struct WorkerProcessesDeleter {
  void operator()(WorkerProcesses *processes) const;
};
using WorkerProcessesPtr = std::unique_ptr<WorkerProcesses, WorkerProcessesDeleter>;

/// Sees each stage's product: dumps, reflection, tests. Called on the thread that asks; `text` is made only
/// if wants() said so. A job that is compiled shows all of them. One that a store held shows what the store
/// held, which is the last of them; one that was in memory shows nothing, since it was shown when it came
/// there.
class Observer {
public:
  virtual ~Observer() = default;
  virtual bool wants(const CompilerJob &job, ArtifactKind product) = 0;
  /// Error: the observer's own; the job's compile ends with it, though the product is there (ObserverFault).
  virtual Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) = 0;
};

/// The first error of observers that this thread called since it was made, once it is asked for. What
/// observers see is made under keys that other threads wait for, and is right: so the error waits until it is
/// kept.
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

/// A product, and what it took to get it.
struct Compiled {
  ObjectCache::ArtifactPtr artifact;
  std::vector<Fingerprint>
      keys; ///< under which it is kept, and what it was made of: the text of a cubin before the cubin
  unsigned made = 0; ///< how many of them this call made: 0 is a hit
};

/// What is known of a job before its code is inferred.
struct JobKeys {
  InferenceFacts facts;
  Fingerprint inference;  ///< level 1
  Fingerprint edges;      ///< where the record of its edges lies; only if that was asked
  bool positions = false; ///< source positions are part of the product
};

/// What a job's code is, by content: all that it reaches. Typed code itself is not needed where recorded
/// edges tell the digest.
struct ResolvedCode {
  const CodeInstance *code = nullptr; ///< null: a record of edges told the digest, and nothing was inferred
  Fingerprint digest;
  bool is_recorded = false; ///< the edges are in the store, or on their way
};

struct WantedProduct {
  CompilerJob job;
  ArtifactKind product;
};

/// The keys of what is assembled from a text.
struct AssembledKeys {
  Fingerprint exact; ///< with the assembler that is here; `any` if there is none
  Fingerprint any;   ///< by whichever assembler
  std::string assembler;
};

/// An object key and what it is made of.
struct KeyExplanation {
  Fingerprint key;
  std::vector<KeyField> fields;
};

/// References outlive every compile. All functions are thread-safe.
struct Compiler {
  CompilerWorld &world;
  CodeInstanceTable &code; ///< level 1
  ObjectCache &objects;    ///< level 2
  WorkerPool &workers;
  Assemblers &assemblers;
  const TargetList &targets; ///< of nested configs
  Timer *timer = nullptr;
  Observer *observer = nullptr;
  bool colour = false;                   ///< typed code paints values whose type is not concrete
  std::string toolchain;                 ///< Kiln and LLVM: enters the object key
  PersistentCache *persistent = nullptr; ///< null: nothing outlives the session
  EdgeCache *edges = nullptr;            ///< with `persistent`
  const IrFunctions *ir = nullptr;       ///< bodies that are LLVM IR; null: there are none
  bool may_compile = true;               ///< false: code that no cache has is an error
  mutable std::atomic<uint64_t> assembler_calls{0}, kernels_merged{0}, quick_kernels{0}, kernels_swapped{0},
      kernels_coarsened{0};
  /// Hears of what compiles and is hardly meant, when it is compiled: a hit says nothing. On the compiling
  /// thread; may be empty.
  std::function<void(const Diagnostic &)> warn;
  WorkerProcesses *processes = nullptr; ///< that do the work in LLVM; null: this process does

  /// The product of `job` at stage `kind`, from the cache or made now. `target` is that of job.config.
  /// Errors: Input (KernelError, InvalidIRError, ...), Machine (a missing library), Internal.
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// Error: NotCompiled, if the session must not compile what `product` names.
  Result<void> check_may_compile(const CompilerJob &job, ArtifactKind product) const;
  /// The same, and under which keys it is kept.
  Result<Compiled> compile_with_keys(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// A cubin of `job` by this assembler, from the cache or made now.
  Result<Compiled> compile_with(const CompilerJob &job, const Target &target, const Assembler &assembler);
  /// What a device loads for `job`: a cubin of its own, or one in which it lies with others (its `merged`),
  /// where assemble_many has left such a one here or in the store. Else it is made, alone. Errors: compile's.
  Result<Compiled> loadable(const CompilerJob &job, const Target &target);
  /// What a device may load until loadable() has made its own: the assembler's fast code (Assembler::quick),
  /// which stays in memory, under a key of its own, and which no observer sees. Its artifact is null where
  /// loadable() would find what it gives, or the kernel does not gain from it, or the assembler has no such
  /// setting. Errors: compile's.
  Result<Compiled> quick(const CompilerJob &job, const Target &target);
  /// The same for several jobs of one target, on this thread; what has to be assembled of them is assembled
  /// in as few calls as may be. A result each. Cubins of single kernels never come of this, but for those
  /// that cannot be merged; what an observer wants to see is not. `time`: begins a job's row in the timings.
  using TimeJob = std::function<TimedJob(const CompilerJob &job, bool continues)>;
  std::vector<Result<Compiled>> assemble_many(std::span<const CompilerJob> jobs, const Target &target,
                                              const TimeJob &time = {});
  AssembledKeys assembled_keys(const CompilerConfig &config, const Artifact &assembly, const Target &target);
  /// The key of the product, and what it is made of; the job is inferred, and nothing is looked up. For `kiln
  /// cache explain`.
  Result<KeyExplanation> explain_key(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// A digest of all that decides a job's code: of equal ones, the products are equal. Errors: inference's.
  Result<Fingerprint> code_digest(const CompilerJob &job, const Target &target);
  /// Fetches the recorded edges and the artifacts of all the jobs, in a constant number of round trips to the
  /// store and to the agent. Later compiles of the jobs find them in memory. Does nothing for a cache folder
  /// alone. Callers give at most 1,024 jobs at a time.
  void read_ahead(std::span<const WantedProduct> wanted);
  /// Makes a worker ready for jobs like this one (target machine, pipelines: about 5 ms the first time). May
  /// run on a thread of its own while definitions are loaded; it touches no definition. Errors: those of
  /// making them.
  Result<void> warm_up(const CompilerConfig &config, const Target &target);

private:
  // keys.cpp
  Result<JobKeys> keys_of(const CompilerJob &job, const Target &target, bool with_edges);
  std::vector<KeyField> fields_of(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                  const JobKeys &keys, Fingerprint callees);
  // cached_compile.cpp
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
  // assemble.cpp
  Result<Compiled> assemble(const CompilerJob &job, const Target &target);
  // assemble_many.cpp
  ObjectCache::ArtifactPtr stored_member(const Artifact &assembly, const AssembledKeys &keys);
  friend class AssemblyBatch;
  /// By `assembler`, which is asked for if there is nothing under the keys.
  Result<Compiled> assemble_by(const CompilerJob &job, Compiled assembly, const AssembledKeys &keys,
                               const std::function<Result<const Assembler *>()> &find_assembler);
};

/// How many of so many jobs assemble_many should get at once, on each of so many threads: all of them have
/// work, and a batch is no larger than brings something.
size_t batch_size(size_t jobs, unsigned threads);

/// The part of the object key that tells this Kiln and its LLVM from others. `build`: a digest of all that
/// compiles.
std::string toolchain_id(std::string_view build);

/// Gives all later keys of the process a SHA-256, which remote stores name entries by.
void use_strong_keys();

/// What inference may see of a job's config and target. `targets` has those of its nested configs.
InferenceFacts inference_facts(CompilerWorld &world, const CompilerConfig &config, const Target &target,
                               const TargetList &targets);

} // namespace kiln
