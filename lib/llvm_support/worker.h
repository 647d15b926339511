// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Per-thread compiler state, reused from job to job: an LLVM context, target machines (43 µs each to make),
// code-generation pipelines (300 µs), and objects of other components. A worker serves one job at a time. A
// WorkerPool, owned by a session, lends workers.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <atomic>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

class Target;

/// Selects a TargetMachine. A plain value.
struct MachineSpec {
  std::string triple, cpu, features;
  int opt_level = 2;        ///< of code generation
  bool fast_fusion = false; ///< fuse plain contractible operations (ptx)
  auto operator<=>(const MachineSpec &) const = default;
};
MachineSpec machine_spec(const Target &target, const CompilerConfig &config);

/// Registers LLVM's targets, once per process (20 µs). Call it before using LLVM's targets without a Worker.
void initialize_targets();

enum class OutputKind : uint8_t { Assembly, Object };

class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Context of a job's modules. Free all modules before the worker returns to its pool.
  llvm::LLVMContext &context();
  /// The machine for spec, made on first use and owned by the worker. Error: Machine (this LLVM lacks the
  /// target).
  Result<llvm::TargetMachine *> machine(const MachineSpec &spec);
  /// Runs LLVM's code generation with the kept pipeline for (spec, kind). Consumes the module.
  Result<std::string> generate(llvm::Module &module, const MachineSpec &spec, OutputKind kind);

  /// An object that make() creates on first use under this key. It lives as long as the context (libraries)
  /// ...
  template <class T, class Make> Result<T *> keep_in_context(const std::string &key, Make &&make) {
    return keep_in<T>(kept_in_context_, key, std::forward<Make>(make));
  }
  /// ... or as long as the worker (pipelines). Keys start with the component's name; each key has a single
  /// type T.
  template <class T, class Make> Result<T *> keep(const std::string &key, Make &&make) {
    return keep_in<T>(kept_, key, std::forward<Make>(make));
  }

  /// Called by the pool for each job. Sometimes replaces the context: types, constants and debug locations of
  /// past jobs are never freed from a context.
  void begin_job();
  void poison() {
    poisoned_ = true;
  } ///< LLVM was stopped in the middle of its work: never use this worker again
  bool poisoned() const { return poisoned_; }
  std::vector<std::string> take_errors();   ///< errors reported to the context since the last call
  std::vector<std::string> take_warnings(); ///< likewise, warnings

private:
  struct Machine;
  struct Messages {
    std::vector<std::string> errors, warnings;
  };
  using Kept = std::map<std::string, std::shared_ptr<void>, std::less<>>;
  template <class T, class Make> Result<T *> keep_in(Kept &kept, const std::string &key, Make &&make) {
    if (auto it = kept.find(key); it != kept.end()) return static_cast<T *>(it->second.get());
    KILN_TRY(std::unique_ptr<T> made, make());
    T *object = made.get();
    kept.emplace(key, std::shared_ptr<T>(std::move(made)));
    return object;
  }
  Result<Machine *> find_machine(const MachineSpec &spec);
  void renew_context();

  // Destroyed bottom up: pipelines and machines before the context.
  std::unique_ptr<Messages> messages_;
  std::unique_ptr<llvm::LLVMContext> context_;
  Kept kept_in_context_;
  std::map<MachineSpec, std::unique_ptr<Machine>> machines_;
  Kept kept_;
  unsigned jobs_in_context_ = 0;
  bool poisoned_ = false;
};

/// Lends workers to threads, and creates as many as are used at once. Thread-safe.
class WorkerPool {
public:
  /// Lends at most `limit` at once, and makes further requests wait; 0: no limit. A thread that has one gets
  /// another at once, so that it never waits for itself.
  explicit WorkerPool(unsigned limit = 0) : limit_(limit) {}
  /// Exclusive use of a worker. The destructor returns it to the pool, or destroys it if it is poisoned.
  class Lease {
  public:
    Lease(Lease &&) = default;
    Lease &operator=(Lease &&) = delete;
    ~Lease() {
      if (worker_) pool_->release(std::move(worker_));
    }
    Worker &operator*() const { return *worker_; }
    Worker *operator->() const { return worker_.get(); }

  private:
    friend class WorkerPool;
    Lease(WorkerPool &pool, std::unique_ptr<Worker> worker) : pool_(&pool), worker_(std::move(worker)) {}
    WorkerPool *pool_;
    std::unique_ptr<Worker> worker_;
  };
  Lease acquire();
  uint64_t contexts_made() const {
    return made_.load(std::memory_order_relaxed);
  } ///< created with workers, without replacements

private:
  void release(std::unique_ptr<Worker> worker);
  const unsigned limit_;
  std::atomic<uint64_t> made_{0};
  std::mutex mutex_; ///< protects the members below
  std::condition_variable given_back_;
  unsigned lent_ = 0;
  std::vector<std::unique_ptr<Worker>> idle_; ///< last used, first lent: its data is in the caches
};

} // namespace kiln
