// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component session (layer 9): the facade that an embedder holds. It owns everything and connects the
// components: loads runtime/*.jl through the frontend, hands the driver its target, launches what comes out.
// Public: kiln/session.h.
//   session     the public functions
//   state       what a session owns; the steps between them, on values of the language (for the program kiln)
//   languages   the frontends, which of them reads what
//   resolve     from a call to a job
//   arguments   values of the language <-> bytes of a launch
//   runtime     what running needs, which outlives the session as long as a handle does
//   device_memory  which memory the arguments of a launch give to a kernel
//   prepared    functions and kernels that are ready to run
//   launch_table  what launches by name have found
//   launch      the public functions that run kernels
//   device      what is behind the handles of kiln/device.h: devices, buffers
//   stream      what is behind those of kiln/stream.h
//   cuda        kernels on a GPU
//   driver_assembler  its driver in place of a toolkit
//   foreign     arrays of other libraries
//   environment what the options and the environment say
//   folders     the cache that outlives sessions
//   kernel_stats  what the timing report tells of kernels
//   trace       the jobs of a session as a file; its parts trace_config (configs as JSON), trace_read
//   precompile  lists of jobs compiled without a launch (kiln/precompile.h)
//   verify      entries of the folder compared with fresh compiles
//   outcome     what went wrong in a kernel, as errors
//   dump        the observer that fills KILN_DUMP_DIR
#pragma once

#include "environment.h"
#include "languages.h"
#include "launch_table.h"
#include "resolve.h"
#include "runtime.h"
#include "trace.h"

#include <interp/interp.h>
#include <kiln/precompile.h>

#include <map>

namespace kiln {

/// Writes every product of every job to a folder:
/// <function>.<hash>.{lowered.jl,typed.jl,ll,opt.ll,s,ptx,o,cubin}. Of a job that the cache's folder held,
/// that is what the folder held.
class DumpObserver final : public Observer {
public:
  DumpObserver(std::string dir, const TargetList &targets, Log &log);
  bool wants(const CompilerJob &, ArtifactKind) override { return !dir_.empty(); }
  void product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  std::string dir_; ///< empty: it could not be made
  const TargetList &targets_;
  Log &log_;
};

/// A kernel of a GPU as its users have it.
struct PreparedKernel {
  Kernel kernel;
  std::vector<TypeRef> parameters;
};

/// Memory that a launch's arguments give to the kernel.
struct DeviceMemory {
  std::vector<MemoryRange> ranges;
  bool has_pointers = false; ///< bare ones too, of which nobody knows what is behind them
};
DeviceMemory device_memory(const Artifact &artifact, std::span<const MemoryPart> parts,
                           std::span<const void *const> arguments);
/// Is there a byte behind each argument, and do the arrays among them describe memory that there can be?
/// `call` is for messages. Error: Usage.
Result<void> check_arguments(std::string_view call, const Artifact &artifact,
                             std::span<const MemoryPart> parts, std::span<const void *const> arguments);
/// A launch but for its arguments. Error: Usage, as Stream::launch's.
Result<KernelLaunch> plan_launch(const PreparedFunction &function, const LaunchShape &shape, size_t arguments,
                                 const LaunchOptions &options);
/// Null for a function that is not checked.
std::shared_ptr<AccessChecker> make_checker(const PreparedFunction &function,
                                            std::span<const void *const> arguments);

/// Whether each byte is reached from one argument alone, as CompilerConfig::invariant_arguments wants it.
bool are_apart(DeviceMemory memory);

struct Session::State {
  explicit State(const SessionOptions &options);
  ~State(); ///< waits for what is in its streams

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
  std::unique_ptr<EdgeCache> edges;
  ObjectCache objects;
  WorkerPoolPtr workers;
  Assemblers assemblers;
  std::unique_ptr<DumpObserver> dump;
  std::unique_ptr<TraceRecorder> trace; ///< null: nobody wants one
  std::mutex load_mutex;                ///< definitions of one session come one after the other
  JobResolver jobs;
  Compiler compiler;
  NativeLoader loader;

  void open_cache();
  /// `base`: the folder in which a relative name is meant; empty: the process's own.
  Result<LoadSummary> load(const std::string &name, std::string text, std::string base = {});
  Frontend &frontend() const { return languages.of_calls(); } ///< that reads calls and expressions
  /// An expression of the language, in Main.
  Result<Value> evaluate(std::string_view name, std::string_view text);

  // ---- from a call to an artifact. Between two of these the job's definitions may be forgotten, if they are
  // replaced meanwhile: who runs beside others holds a code.use() over both.
  Result<CompilerJob> job(const Value &function, std::span<const TypeRef> arguments,
                          const CompilerConfig &config, const Location &at = {}) {
    return jobs.job(function, arguments, config, at);
  }
  Result<CompilerJob> job(std::string_view call, const CompilerConfig &config) {
    return jobs.job(call, config);
  }
  Result<ObjectCache::ArtifactPtr> compile(const CompilerJob &job, ArtifactKind kind);
  Result<Compiled> compile_with_keys(const CompilerJob &job, ArtifactKind kind);

  // ---- running on the CPU
  /// What a kernel sees of a host array: a CuDeviceArray{T, N, 1} on its memory. Other values as they are;
  /// tuples and structs are adapted inside.
  Result<Value> adapt(const Value &value);
  Result<Value> adapted_struct(const DataType &from, std::vector<Value> fields,
                               std::span<const TypeRef> field_types);
  Result<PreparedFunction> prepare(const CompilerJob &job);
  /// Pointers to the non-ghost arguments' bytes are taken as the entry's parameters, in order.
  Result<void> launch(const PreparedFunction &function, const LaunchShape &shape,
                      std::span<void *const> arguments, const LaunchOptions &options = {});
  /// Calls visit on each pointer to device memory in a value's bytes.
  void for_each_pointer(TypeRef type, std::byte *bytes, const std::function<void(std::byte *)> &visit);
  /// Where in the bytes of a function's arguments addresses lie.
  std::vector<MemoryPart> memory_parts(std::span<const TypeRef> parameters);
  Result<Value> call(const PreparedFunction &function, std::span<void *const> arguments);

  // ---- devices
  /// Of this session? Error: Usage, for an empty handle too.
  Result<void> check_device(const Device &device) const;
  std::shared_ptr<HostStream> make_host_stream();
  std::shared_ptr<Device::State> cpu_device();
  /// Opened when it is first asked for. Errors: Machine.
  Result<std::shared_ptr<CudaDriver>> cuda_driver();
  Result<std::shared_ptr<Device::State>> gpu(int number);
  Result<std::shared_ptr<Device::State>> gpu_in_context(void *context);

  // ---- running on a GPU
  /// The config with the device's target in place of the native one. Errors: Usage.
  Result<CompilerConfig> config_for(const Device::State &device, const CompilerConfig &given) const;
  /// The cubin for it, by whatever assembler there is. Errors: Input, Machine.
  Result<ObjectCache::ArtifactPtr> device_code(const CompilerJob &job, const Device::State &device);
  Result<PreparedCuda> prepare(const CompilerJob &job, const Device::State &device);
  /// Of the job's device_code.
  Result<PreparedCuda> load_prepared(const CompilerJob &job, const Device::State &device,
                                     std::shared_ptr<const Artifact> artifact);
  /// The same, but the code stays loaded as long as its artifact is cached.
  Result<PreparedCuda> prepare_and_keep(const CompilerJob &job, const Device::State &device);
  /// A handle of it, and what it takes; for launches of values. Errors: as Session::prepare.
  Result<PreparedKernel> prepare_kernel(const CompilerJob &job, const Device &device);
  Result<std::shared_ptr<const CudaKernel>> load(const std::shared_ptr<const Artifact> &artifact,
                                                 const Device::State &device);
  /// For launches that return when they are done: a stream that nobody else uses meanwhile.
  Result<void> launch(Device::State &device, const std::shared_ptr<const CudaKernel> &kernel,
                      const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options);

  // ---- launches by name
  Result<PinnedLaunch> prepare_launch(const LaunchKey &question);

private:
  void drop_unused_code();
  std::mutex device_mutex_;
  std::shared_ptr<CudaDriver> cuda_driver_;
  CudaModules modules_;
  std::shared_ptr<Device::State> cpu_device_;
  std::vector<std::shared_ptr<Device::State>> gpus_;
  std::vector<std::weak_ptr<HostStream>> host_streams_; ///< some may have gone
  std::mutex prepared_mutex_;
  std::unordered_map<const Artifact *, PreparedFunction> prepared_;
  std::map<std::pair<const Artifact *, const Device::State *>, PreparedCuda>
      kept_; ///< by address, but only looked up

public:
  std::unique_ptr<LaunchTable> launches =
      std::make_unique<LaunchTable>(); ///< last: what it holds goes before what it is held by
};

/// The cache's folder (cache_folder), opened, with warnings to `warn`; null if there is none.
std::shared_ptr<FolderStore> open_folder(const SessionOptions &options,
                                         std::function<void(const std::string &)> warn);
/// The read-only one below it; null if there is none.
std::shared_ptr<FolderStore> open_shared_folder(const SessionOptions &options,
                                                std::function<void(const std::string &)> warn);
/// A job of a list, in a session that has loaded its files. The caller holds a code.use(). Errors: as
/// Session::State::job.
Result<CompilerJob> job_of(Session::State &state, const PrecompileJob &wanted);
/// Loads the files of a list's job. Errors: Input.
Result<void> load_files_of(Session::State &state, std::span<const PrecompileFile> files);
/// Tells a job from all others in a list, on whichever machine: files by name, the target as it is asked for.
Fingerprint identity_of(const PrecompileJob &job);

/// What a comparison of a folder's entries with fresh compiles has found. Wrong entries are dropped.
struct VerifyReport {
  size_t checked = 0;                     ///< entries that were made again
  size_t absent = 0;                      ///< jobs that the folder does not have
  size_t others = 0;                      ///< made with another libdevice or assembler than this machine's
  std::vector<std::string> wrong, unable; ///< which entries, and which jobs could not be compiled here
};
/// Compiles up to `sample` of the jobs, chosen by their identity. Errors: those of opening sessions and
/// loading files.
Result<VerifyReport> verify_jobs(FolderStore &folder, std::span<const PrecompileJob> jobs,
                                 const SessionOptions &session, size_t sample);
/// Assembles up to `sample` of the texts that the folder holds with their cubins. Nothing, where there is no
/// assembler.
Result<VerifyReport> verify_texts(FolderStore &folder, const SessionOptions &session, size_t sample);

/// A digest of all of Kiln that a product can depend on, made when the program was built: two builds share no
/// entry.
std::string_view build_digest();

/// The error that a launch's exception record tells of; its texts where the device keeps them, or read from
/// there.
Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources);
Error exception_error(const CudaException &exception, const SourceMap &sources);
/// That threads wait for each other for ever, and where.
Error deadlock_error(const Deadlock &deadlock, const SourceMap &sources);
/// Everything that went wrong in a launch. `checker`: null, or the launch's.
Result<void> launch_result(const LaunchOutcome &outcome, const AccessChecker *checker,
                           const SourceMap &sources);

} // namespace kiln
