// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM state that is reused from job to job: an LLVM context, target machines (43 µs each to make),
// code-generation pipelines (300 µs), and objects of other components. A worker serves one job at a time. A
// WorkerPool, which the session owns, lends workers to threads.
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

/// Properties by which a TargetMachine is made and found again.
struct MachineSpec {
  std::string triple, cpu, features;
  int opt_level = 2;        ///< of code generation
  bool fast_fusion = false; ///< fuse plain contractible operations (ptx)
  bool is_reusable = true;  ///< TargetCapabilities::reuses_machine
  auto operator<=>(const MachineSpec &) const = default;
};
MachineSpec machine_spec(const Target &target, const CompilerConfig &config);

/// Registers LLVM's targets for the host's CPU and NVPTX, once per process (20 µs), and that for another CPU
/// when `triple` names it first. Needed only by code that uses LLVM's targets without a Worker.
void initialize_targets(const llvm::Triple &triple);

enum class OutputKind : uint8_t { Assembly, Object };

class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Context of a job's modules. The job must free its modules before it returns the worker to the pool.
  llvm::LLVMContext &context();
  /// Returns the target machine for `spec`, which the worker makes on first use and owns. Error: Machine, if
  /// this LLVM lacks the target.
  Result<llvm::TargetMachine *> machine(const MachineSpec &spec);
  /// Generates code with the pipeline that the worker keeps for `spec` and `kind`. Consumes the module.
  Result<std::string> generate(llvm::Module &module, const MachineSpec &spec, OutputKind kind);

  /// Returns the object under `key`, which make() makes on first use. It lives as long as the worker's
  /// context (libraries).
  template <class T, class Make> Result<T *> keep_in_context(const std::string &key, Make &&make) {
    return keep_in<T>(kept_in_context_, key, std::forward<Make>(make));
  }
  /// Returns the object under `key`, which make() makes on first use. It lives as long as the worker
  /// (pipelines). Keys begin with the component's name, and each key has one type T.
  template <class T, class Make> Result<T *> keep(const std::string &key, Make &&make) {
    return keep_in<T>(kept_, key, std::forward<Make>(make));
  }

  /// Called by the pool before each job. Sometimes replaces the context, which never frees the types,
  /// constants and debug locations of past jobs.
  void begin_job();
  void poison() {
    poisoned_ = true;
  } ///< LLVM was stopped in the middle of its work: never use this worker again
  bool poisoned() const { return poisoned_; }
  std::vector<std::string> take_errors();   ///< errors that LLVM reported since the last call
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
  Result<std::unique_ptr<Machine>> make_machine(const MachineSpec &spec);
  Result<Machine *> find_machine(const MachineSpec &spec);
  void renew_context();

  // Destroyed from last to first: pipelines and machines before the context.
  std::unique_ptr<Messages> messages_;
  std::unique_ptr<llvm::LLVMContext> context_;
  Kept kept_in_context_;
  std::map<MachineSpec, std::unique_ptr<Machine>> machines_;
  Kept kept_;
  unsigned jobs_in_context_ = 0;
  bool poisoned_ = false;
};

/// Lends workers to threads, and makes a new one if all are in use. Thread-safe.
class WorkerPool {
public:
  /// `limit`: maximum number of workers in use; further requests wait. 0: no limit. A thread that already has
  /// a worker gets another at once, so that it never waits for itself.
  explicit WorkerPool(unsigned limit = 0) : limit_(limit) {}
  /// Exclusive use of a worker. The destructor returns the worker to the pool, or destroys it if it is
  /// poisoned.
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
  /// The last one is lent first, since its data is still in the CPU's caches.
  std::vector<std::unique_ptr<Worker>> idle_;
};

} // namespace kiln
