// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Room driver (layer 7): the flow from a job to an artifact. Read driver.cpp first.
//   driver      compile(job): level 1, level 2, the stages in order
//   stages      run_stage: the one way to run a stage (timed, observed, verified)
//   reflect     code_lowered, code_typed, code_llvm, code_native as text
#pragma once

#include <cache/cache.h>
#include <infer/infer.h>

#include <functional>
#include <map>
#include <mutex>

namespace kiln {

class WorkerPool; ///< llvm_border's; upper rooms own one without seeing LLVM
struct WorkerPoolDeleter {
  void operator()(WorkerPool *pool) const;
};
using WorkerPoolPtr = std::unique_ptr<WorkerPool, WorkerPoolDeleter>;
WorkerPoolPtr make_worker_pool();
uint64_t contexts_made(const WorkerPool &pool); ///< LLVM contexts since it was made

/// Sees each stage's product: dumps, reflection, tests. Called on the thread that asks; `text` is made only if
/// wants() said so. A job that is compiled shows all of them. One that a store held shows what the store held, which is the last
/// of them; one that was in memory shows nothing, since it was shown when it came there.
class Observer {
public:
  virtual ~Observer() = default;
  virtual bool wants(const CompilerJob &job, ArtifactKind product) = 0;
  virtual void product(const CompilerJob &job, ArtifactKind product, std::string_view text) = 0;
};

/// The assembler of each target, found when a job first needs it, and its version, for which it need not be loaded where
/// the store remembers it. Thread-safe.
class Assemblers {
public:
  /// Lives as long as this. Errors: those of Target::make_assembler, each time it is asked.
  Result<const Assembler *> of(const Target &target);
  /// Its name and version; empty if there is none. `persistent` remembers it by the tool's path, size and time of change.
  std::string identity(const Target &target, PersistentCache *persistent);
  /// The digest of the target's device library; empty if it has none, or none is there. Read once.
  std::string device_library(const Target &target);

private:
  std::mutex mutex_;
  std::map<TargetIdentity, std::unique_ptr<Assembler>> found_;
  std::map<TargetIdentity, std::string> identities_, libraries_;
};

/// What compiling needs besides the job; a Session owns it all. References outlive every compile.
struct Driver {
  World &world;
  CodeInstanceTable &code;   ///< level 1
  ObjectCache &objects;      ///< level 2
  WorkerPool &workers;
  Assemblers &assemblers;
  Timer *timer = nullptr;
  Observer *observer = nullptr;
  bool colour = false;       ///< typed code paints values whose type is not concrete
  std::string toolchain;     ///< Kiln and LLVM: enters the object key
  PersistentCache *persistent = nullptr; ///< null: nothing outlives the session
  EdgeCache *edges = nullptr;            ///< with `persistent`
  /// Hears of what compiles and is hardly meant, when it is compiled: a hit says nothing. On the compiling thread; may be empty.
  std::function<void(const Diagnostic &)> warn;

  /// The product of `job` at stage `kind`, from the cache or made now. `target` is that of job.config. Thread-safe.
  /// Errors: Input (KernelError, InvalidIRError, ...), Machine (a missing library), Internal.
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, const Target &target, ArtifactKind kind);
  /// The same, and what it took.
  struct Compiled {
    ObjectCache::ArtifactPtr artifact;
    std::vector<Fingerprint> keys; ///< under which it is kept, and what it was made of: the text of a cubin before the cubin
    unsigned made = 0;             ///< how many of them this call made: 0 is a hit
  };
  Result<Compiled> compile_and_tell(const CompilerJob &job, const Target &target, ArtifactKind kind);

  /// The keys of what is assembled from a text.
  struct AssembledKeys {
    Fingerprint exact; ///< with the assembler that is here; `any` if there is none
    Fingerprint any;   ///< by whichever assembler
    std::string assembler;
  };
  AssembledKeys assembled_keys(const CompilerConfig &config, const Artifact &assembly, const Target &target);

  /// A cubin of `job` by this assembler, from the cache or made now.
  Result<Compiled> compile_with(const CompilerJob &job, const Target &target, const Assembler &assembler);

  /// The key of the product, and what it is made of; the job is inferred, and nothing is looked up. For `kiln cache explain`.
  struct ToldKey {
    Fingerprint key;
    std::vector<KeyField> fields;
  };
  Result<ToldKey> tell_key(const CompilerJob &job, const Target &target, ArtifactKind kind);

  /// Makes a worker ready for jobs like this one (target machine, pipelines: about 5 ms the first time). May run on
  /// a thread of its own while definitions are loaded; it touches no definition. Errors: those of making them.
  Result<void> warm_up(const CompilerConfig &config, const Target &target);

private:
  /// All that a job reaches, by content; and its typed code, unless recorded edges told enough.
  struct Reached {
    const CodeInstance *code = nullptr;
    Fingerprint digest;
    bool is_recorded = false; ///< the edges are in the store, or on their way
  };
  /// What is known of a job before it is inferred.
  struct Asked {
    InferenceFacts facts;
    Fingerprint level1;   ///< the inference key
    Fingerprint edges_at; ///< where the record of its edges lies, if that was asked
    bool positions = false;
  };
  Result<Compiled> look_up_or_make(const CompilerJob &job, const Target &target, ArtifactKind kind);
  Result<Asked> ask(const CompilerJob &job, const Target &target, bool asks_edges);
  Result<Reached> reach(const CompilerJob &job, const Asked &asked, bool believe);
  void record_edges_of(const CompilerJob &job, const CodeInstance &instance, const Asked &asked, Fingerprint digest);
  /// What the key is made of, and where the record of the job's edges lies ("edges"): all that `kiln cache explain` compares.
  std::vector<KeyField> fields_of(const CompilerJob &job, const Target &target, ArtifactKind kind, const Asked &asked, Fingerprint callees);
  void show(const CompilerJob &job, const Artifact &artifact); ///< to the observer
  Keeping keeping(const CompilerJob &job, const Target &target, ArtifactKind kind, const Asked &asked, Fingerprint callees);
  Result<ObjectCache::ArtifactPtr> make(const CompilerJob &job, const CodeInstance &code, const Target &target, ArtifactKind kind);
  Result<Compiled> assemble(const CompilerJob &job, const Target &target);
  /// By `assembler`, which is asked for if there is nothing under the keys.
  Result<Compiled> assemble_by(const CompilerJob &job, Compiled assembly, const AssembledKeys &keys, const std::function<Result<const Assembler *>()> &find_assembler);
};

/// The part of the object key that tells this Kiln and its LLVM from others. `build`: a digest of all that compiles.
std::string toolchain_id(std::string_view build);

/// What inference may see of a job's config and target.
InferenceFacts inference_facts(TypeContext &types, const CompilerConfig &config, const Target &target);

} // namespace kiln
