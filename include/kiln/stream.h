// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernel handles and streams (queues of launches), on the CPU and on GPUs alike. Work of one stream runs in
// order; different streams run concurrently. kiln/device.h explains ownership.
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

/// Options of a launch, besides its shape.
struct LaunchOptions {
  /// Time limit of the launch, from the moment it begins to run; 0: none. CPU only; the kernel must be
  /// compiled with CompilerConfig::interruptible. A kernel that exceeds the limit ends with an error that
  /// names its loop; memory that it wrote stays written. Loops test the limit, so a kernel ends within a few
  /// iterations.
  std::chrono::nanoseconds time_limit{0};
  /// Source that can stop the launch from any thread or a signal handler (kiln/stop.h; CPU only). Null: none.
  /// The pointer is used only during the call.
  const StopSource *stop = nullptr;
  /// The calling thread runs the launch, before the call returns, if the stream is idle. This suits launches
  /// that take less time than to wake a thread. Ignored by GPUs.
  bool run_here = false;
  // of GPUs
  std::array<uint32_t, 3> cluster{
      0, 0, 0}; ///< blocks of a thread block cluster; must divide the grid; zeros: none (sm_90 and newer)
  /// Cooperative launch: all blocks are resident at once and may wait for each other. Kernels with a grid
  /// barrier are always launched this way. The CPU ignores the option.
  bool cooperative = false;
  /// The launch may run the kernel's coarsened entry, if it has one (SessionOptions::coarsen).
  bool coarsen = true;
  /// Programmatic dependent launch: the launch may begin before the preceding one in the stream has ended;
  /// griddepcontrol in the kernels orders them (sm_90 and newer). The CPU ignores the option.
  bool programmatic_serialization = false;
};

/// A global variable of a kernel's module, or a variable in constant memory.
struct GlobalVariable {
  void *address = nullptr; ///< address on the kernel's device, for Stream::copy
  uint64_t bytes = 0;
};

/// A launch shape that fills the device.
struct LaunchSuggestion {
  uint32_t threads = 0; ///< block size with the most resident warps
  uint32_t blocks = 0;  ///< blocks of the smallest grid that fills the device
};

/// A kernel that is compiled and loaded on one device (Session::prepare). Cheap to copy; thread-safe. Later
/// definitions do not change it. Its code is unloaded when the last copy is destroyed and its launches are
/// done.
class KILN_API Kernel {
public:
  Kernel() = default;
  explicit operator bool() const { return state_ != nullptr; }
  /// Returns the kernel's artifact: parameters, static shared memory, name of the entry. An empty handle has
  /// an empty artifact.
  const Artifact &artifact() const;
  Device device() const;
  /// Suggests a launch shape for blocks with `shared_bytes` of dynamic shared memory. Errors: DeviceError.
  Result<LaunchSuggestion> suggest(uint64_t shared_bytes = 0) const;
  /// Finds a global variable of the kernel's module by its name in the assembly. Julia code defines no such
  /// variables; linked and hand-written PTX and cubins can. Errors: Input (no variable of that name), Usage
  /// (a kernel for the CPU).
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

/// Marks a point in a stream's work, reached when all earlier work of the stream is done. Copies refer to the
/// same event. Thread-safe. A moved-from event counts as reached; recording it or waiting for it in a stream
/// is a Usage error.
class KILN_API Event {
public:
  Event();
  /// Checks that the event can be used. Error: Usage if it was moved from, or in a forked child of its
  /// process.
  Result<void> check() const;
  /// Returns true if the last recorded point was reached, if nothing was recorded, or if check() fails.
  bool done() const;
  /// Waits until done().
  void wait() const;
  /// Returns the time between reaching `from` and reaching `to`, by the device's clock. Error: Usage if one
  /// of them was not reached, or they belong to different devices.
  static Result<std::chrono::nanoseconds> between(const Event &from, const Event &to);

  struct KILN_LOCAL State;

private:
  friend class Stream;
  std::shared_ptr<State> state_;
};

/// A graph of launches, copies and waits that was captured from streams and can be launched repeatedly as one
/// unit (GPUs only). The bytes of arguments are those at capture; memory that arguments point to must stay
/// valid. Movable, not thread-safe. Launches of one graph run one after the other.
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

/// A queue of launches on one device (Session::stream). Thread-safe; launches from several threads get an
/// arbitrary order. A launch starts no thread, and allocates memory only if the stream holds more work than
/// ever before.
class KILN_API Stream {
public:
  Stream(); ///< an empty stream, which accepts no work
  Stream(Stream &&) noexcept;
  Stream &operator=(Stream &&) noexcept;
  ~Stream(); ///< waits for the submitted work
  explicit operator bool() const { return state_ != nullptr; }
  Device device() const;

  /// Submits a launch and returns. arguments[i] points to the bytes of the kernel's i-th parameter
  /// (Kernel::artifact), which are copied. Memory that arguments point to must be the device's and stay valid
  /// until the launch is done; this is not checked. Errors, before anything is submitted: Usage (impossible
  /// shape, wrong number of arguments, null pointer, impossible array header, kernel of another device or
  /// session, time limit for a kernel not compiled for one). synchronize() reports errors of the running
  /// kernel.
  Result<void> launch(const Kernel &kernel, const LaunchShape &shape, std::span<const void *const> arguments,
                      const LaunchOptions &options = {});
  Result<void> launch(const Graph &graph); ///< launches a graph of this stream's device

  /// Allocates memory of the device for work that is submitted from now on. On GPUs it comes from a pool that
  /// keeps freed memory (Device::memory, Device::trim), so that a repeated allocation costs no more than a
  /// launch. Errors: Machine (out of memory, with used and free bytes), Usage while this thread captures a
  /// graph.
  Result<Buffer> allocate(uint64_t bytes);
  /// Submits a copy between any two addresses of host and devices. The host must not access the memory until
  /// the copy is done. Host memory that is not pinned may make the call wait. Error: Usage for a null
  /// pointer, unless `bytes` is 0.
  Result<void> copy(void *to, const void *from, uint64_t bytes);
  Result<void> fill(void *to, uint8_t value, uint64_t bytes);

  /// Records the event: it is reached when all work that is now in the stream is done.
  Result<void> record(const Event &event);
  /// Makes later work of this stream wait for the event's last record, which may be in another GPU's stream.
  /// Error: Usage if one stream is on the CPU and the other on a GPU; then use Event::wait on the host.
  Result<void> wait(const Event &event);
  /// Waits until the stream is empty. Error: the first error of launches since the last call, such as a
  /// kernel's exception with thread, block and source lines; other launches still ran. If the GPU's context
  /// is lost: Input with kind DeviceError, which names the kernels that may have caused it.
  Result<void> synchronize();
  bool idle() const; ///< returns true if all submitted work is done

  /// Begins capturing: submitted work does not run but is recorded until capture_end() on the same thread,
  /// which returns it as a graph. Another stream joins the capture by waiting for an event recorded in this
  /// stream, and must be joined back the same way. Meanwhile, loading kernels, allocating and making streams
  /// on this thread are Usage errors. Do not destroy kernels, pinned memory or streams meanwhile. Error:
  /// Usage on the CPU.
  Result<void> capture_begin();
  Result<Graph> capture_end();

  void *native_handle() const; ///< the CUstream or cl_command_queue; null on the CPU

  struct KILN_LOCAL State;

private:
  friend class Session;
  friend class Runtime;
  friend class BundleKernel;
  KILN_LOCAL explicit Stream(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace kiln::inline KILN_API_VERSION
