// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels as handles, and queues of launches, on the CPU and on GPUs alike. The work of one stream runs in
// order; streams run in parallel. kiln/device.h has the rules of ownership.
#pragma once

#include <kiln/abi.h>
#include <kiln/device.h>
#include <kiln/export.h>
#include <kiln/forward.h>
#include <kiln/job.h>

#include <chrono>
#include <memory>
#include <span>
#include <string_view>

namespace kiln {
class LaunchService;
} // namespace kiln

namespace kiln::inline KILN_API_VERSION {

/// Options of a launch besides its shape.
struct LaunchOptions {
  /// 0: none. A kernel that runs longer ends in an error with its place; values that it has written stay. It
  /// must have been compiled with CompilerConfig::interruptible (CPU only). The time counts from the start of
  /// the launch, and is checked in loops: a kernel ends within a few iterations.
  std::chrono::nanoseconds time_limit{0};
  /// Stops the launch from any thread or a signal handler (kiln/stop.h; the CPU only). Null: none. Read
  /// during the call.
  const StopSource *stop = nullptr;
  // of GPUs
  std::array<uint32_t, 3> cluster{
      0, 0, 0}; ///< blocks of a cluster, which divide the grid; zeros: none (sm_90 and newer)
  /// All blocks are resident at once, so that they may wait for each other. Kernels that wait for their grid
  /// are launched so anyway; the CPU needs no such launch and takes any.
  bool cooperative = false;
  /// The launch may run the kernel's coarse entry (SessionOptions::coarsen), if there is one.
  bool coarsen = true;
  /// The launch may begin before the previous one in the stream has ended; griddepcontrol orders them (sm_90
  /// and newer). The CPU runs them one after the other.
  bool programmatic_serialization = false;
};

/// A global or constant variable of a kernel's module.
struct GlobalVariable {
  void *address = nullptr; ///< on the kernel's device: for Stream::copy
  uint64_t bytes = 0;
};

/// A launch shape that fills the device.
struct LaunchSuggestion {
  uint32_t threads = 0; ///< threads of a block, for the most resident warps
  uint32_t blocks = 0;  ///< blocks of the smallest grid that fills the device
};

/// A kernel that is compiled and loaded on one device (Session::prepare). Cheap to copy; thread-safe. Later
/// definitions do not change it. Its code is unloaded after the last copy is destroyed and its launches have
/// ended.
class KILN_API Kernel {
public:
  Kernel() = default;
  explicit operator bool() const { return state_ != nullptr; }
  /// Its parameters, static shared memory, and the entry's name; for an empty handle, an empty artifact.
  const Artifact &artifact() const;
  Device device() const;
  /// For blocks with so much dynamic shared memory. Errors: DeviceError.
  Result<LaunchSuggestion> suggest(uint64_t shared_bytes = 0) const;
  /// A variable of the kernel's module by its name in the assembly. The language itself has none that are
  /// named; linked and hand-written PTX and cubins have. Errors: Input (there is none of that name), Usage
  /// (the CPU).
  Result<GlobalVariable> global(std::string_view name) const;

  struct KILN_LOCAL State;

private:
  friend class Session;
  friend LaunchService;
  friend class Runtime;
  friend class BundleKernel;
  friend class Stream;
  explicit Kernel(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

/// A moment in a stream: when all that was put in before it is done. Copies name the same event. Thread-safe.
/// One that was moved from counts as reached, and cannot be recorded or waited for by a stream (Usage).
class KILN_API Event {
public:
  Event();
  /// Can it be used? Errors: Usage, for one that was moved from, and in a child of the process that made it.
  Result<void> check() const;
  /// Returns true if the last record was reached, if there is none, and if check() fails.
  bool done() const;
  /// Waits until done().
  void wait() const;
  /// Time between two events by the device's clock. Errors: Usage if one of them has not been reached, or if
  /// they are of different devices.
  static Result<std::chrono::nanoseconds> between(const Event &from, const Event &to);

  struct KILN_LOCAL State;

private:
  friend class Stream;
  std::shared_ptr<State> state_;
};

/// Launches, copies and waits that were captured from streams, to be launched again as one (GPUs only).
/// Arguments' bytes are as they were then; memory that they lead to must stay. Movable; one launch of it runs
/// at a time. Used by one thread at a time.
class KILN_API Graph {
public:
  Graph(); ///< empty
  Graph(Graph &&) noexcept;
  Graph &operator=(Graph &&) noexcept;
  ~Graph();
  explicit operator bool() const { return state_ != nullptr; }

  struct KILN_LOCAL State;

private:
  friend class Stream;
  KILN_LOCAL explicit Graph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// A queue of launches on one device (Session::stream). Thread-safe: threads that put launches into the same
/// stream get some order. Nothing is allocated for a launch once the stream has been as full before, and no
/// thread is made.
class KILN_API Stream {
public:
  Stream(); ///< empty: takes nothing
  Stream(Stream &&) noexcept;
  Stream &operator=(Stream &&) noexcept;
  ~Stream(); ///< waits for its work
  explicit operator bool() const { return state_ != nullptr; }
  Device device() const;

  /// Enqueues a launch and returns. arguments[i] points to the bytes of the i-th of artifact().parameters,
  /// which are copied. Memory that they point to must stay until the launch is done. It is not checked, and
  /// must be the device's. Errors, before anything is enqueued: Usage (a shape that the device cannot run,
  /// another number of arguments, a null pointer, an array that no memory can hold, a kernel of another
  /// device or session, a time limit for a kernel that was not compiled for one). synchronize() returns
  /// errors of the running kernel.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});
  Result<void> launch(const Graph &graph); ///< the graph must be of this stream's device

  /// Memory of the device for work enqueued from now on. On GPUs it comes from a pool that keeps freed memory
  /// (Device::memory, Device::trim), so it costs no more than a launch once the pool is warm. Errors: Machine
  /// (out of memory, with the used and free bytes), Usage while this thread captures a graph.
  Result<Buffer> allocate(uint64_t bytes);
  /// Copies between any two places of host and devices. Host memory that is not pinned must not be touched
  /// until the copy is done, and may make the call wait. Errors: Usage for a null pointer, unless there is
  /// nothing to copy.
  Result<void> copy(void *to, const void *from, uint64_t bytes);
  Result<void> fill(void *to, uint8_t value, uint64_t bytes);

  /// Reached when all that is in the stream now is done.
  Result<void> record(const Event &event);
  /// Makes later work of this stream wait for the event's last record, also one of another GPU's stream.
  /// Error: Usage for a record of the CPU in a GPU's stream, or the other way round: Event::wait on the host.
  Result<void> wait(const Event &event);
  /// Waits until the stream is empty. Errors: the first failure of a launch since the last call (an exception
  /// of the kernel, with thread, block and source lines); the other launches still ran. If the GPU's context
  /// is lost: Input as DeviceError, with the kernels that may have caused it.
  Result<void> synchronize();
  bool idle() const; ///< true if all enqueued work is done

  /// Records enqueued work from here on instead of running it, until capture_end() on the same thread, which
  /// returns it as a graph. Another stream joins by waiting for an event that was recorded in this one, and
  /// must be joined back in the same way. Meanwhile this thread can neither load kernels nor allocate nor
  /// make streams (Usage errors), and should not destroy a kernel, pinned memory or a stream. Error: Usage on
  /// the CPU.
  Result<void> capture_begin();
  Result<Graph> capture_end();

  void *native_handle() const; ///< CUstream; null: the CPU's

  struct KILN_LOCAL State;

private:
  friend class Session;
  friend class Runtime;
  friend class BundleKernel;
  KILN_LOCAL explicit Stream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
