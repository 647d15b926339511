// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launch queues (streams) of a GPU, their events, and graphs captured from them.
#pragma once

#include "cuda_module.h"

#include <optional>
#include <span>

namespace kiln {

/// An exception that a kernel raised, with texts copied from the device.
struct CudaException {
  abi::ExceptionRecord record{};
  std::string name, location;
};

/// Pinned memory for the first exception of a stream or graph: the device writes the record, the host reads
/// it. Launches of one kernel in several streams have separate records.
class ExceptionMailbox {
public:
  static Result<std::unique_ptr<ExceptionMailbox>> make(std::shared_ptr<CudaDevice> device);
  ~ExceptionMailbox();
  ExceptionMailbox(const ExceptionMailbox &) = delete;
  ExceptionMailbox &operator=(const ExceptionMailbox &) = delete;
  abi::PtxKernelState *state() { return &state_; } ///< first parameter of kernels
  bool empty() const {
    return std::atomic_ref<uint32_t>(record_->status).load(std::memory_order_acquire) == 0;
  }
  /// Reads and clears the exception, if there is one. The module that raised it must still be loaded.
  Result<std::optional<CudaException>> take();

private:
  ExceptionMailbox() = default;
  Result<std::string> read_text(uint64_t address);
  std::shared_ptr<CudaDevice> device_;
  abi::ExceptionRecord *record_ = nullptr;
  abi::PtxKernelState state_{};
};

/// A CUevent.
class CudaEvent {
public:
  static Result<std::shared_ptr<CudaEvent>> make(std::shared_ptr<CudaDevice> device);
  ~CudaEvent();
  CudaEvent(const CudaEvent &) = delete;
  CudaEvent &operator=(const CudaEvent &) = delete;
  CudaDevice &device() const { return *device_; }
  void *handle() const { return handle_; }
  bool done() const;
  void wait() const;
  /// No value: the device has not reached one of the events.
  static Result<std::optional<float>> milliseconds_between(const CudaEvent &from, const CudaEvent &to);

private:
  CudaEvent() = default;
  std::shared_ptr<CudaDevice> device_;
  void *handle_ = nullptr;
};

struct CudaCapture;

/// An executable graph (CUgraphExec), with owners of everything that its launches need.
class CudaGraph {
public:
  ~CudaGraph();
  CudaGraph(const CudaGraph &) = delete;
  CudaGraph &operator=(const CudaGraph &) = delete;
  CudaDevice &device() const { return *device_; }

private:
  friend class CudaStream;
  CudaGraph() = default;
  std::shared_ptr<CudaDevice> device_;
  void *executable_ = nullptr;
  std::unique_ptr<ExceptionMailbox> mailbox_;
  std::vector<std::shared_ptr<const CudaKernel>> kernels_;
};

/// Launch options that GPUs support.
struct CudaLaunch {
  const LaunchShape &shape; ///< reference to the caller's shape, not a copy
  std::array<uint32_t, 3> cluster{0, 0, 0};
  bool cooperative = false, programmatic_serialization = false;
};

/// A launch queue. Thread-safe.
class CudaStream {
public:
  static Result<std::shared_ptr<CudaStream>> make(std::shared_ptr<CudaDevice> device);
  /// Uses the embedder's CUstream, which must outlive this object.
  static Result<std::shared_ptr<CudaStream>> adopt(std::shared_ptr<CudaDevice> device, void *stream);
  ~CudaStream(); ///< waits until the stream is empty
  CudaStream(const CudaStream &) = delete;
  CudaStream &operator=(const CudaStream &) = delete;

  CudaDevice &device() const { return *device_; }
  const std::shared_ptr<CudaDevice> &shared_device() const { return device_; }
  void *handle() const { return handle_; }

  /// arguments[i] points to the bytes of parameter i. A repeated launch of a kernel allocates no memory until
  /// the stream becomes empty.
  Result<void> launch(const std::shared_ptr<const CudaKernel> &kernel, const CudaLaunch &launch,
                      std::span<const void *const> arguments);
  Result<void> launch(const std::shared_ptr<CudaGraph> &graph);
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes);
  Result<void> fill(uint64_t to, uint8_t value, uint64_t bytes);
  Result<uint64_t> allocate(uint64_t bytes);
  void release(uint64_t address, uint64_t bytes);
  /// Records the event. Returns the graph capture that contains the record, or null. Pass the result to
  /// wait().
  Result<std::shared_ptr<CudaCapture>> record(const CudaEvent &event);
  Result<void> wait(const CudaEvent &event, const std::shared_ptr<CudaCapture> &recorded_in);
  bool idle();
  bool is_captured(); ///< true while new work is captured into a graph
  /// Waits until the stream is empty. Returns the first exception since the last synchronize().
  Result<std::optional<CudaException>> synchronize();
  Result<void> capture_begin();
  Result<std::shared_ptr<CudaGraph>> capture_end();

private:
  CudaStream() = default;
  /// Owner of a kernel or graph whose launches may still run.
  struct Held {
    const void *key;
    std::shared_ptr<const CudaKernel> kernel;
    std::shared_ptr<CudaGraph> graph;
    uint64_t last; ///< number of the last launch
  };
  void hold(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
            const std::shared_ptr<CudaGraph> &graph);
  void hold_new(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
                const std::shared_ptr<CudaGraph> &graph);
  bool captured(); ///< call under the mutex; ends this stream's part of an ended capture
  Error failed(int status, const std::string &what);
  std::string suspects() const;

  std::shared_ptr<CudaDevice> device_;
  void *handle_ = nullptr;
  bool owned_ = true;
  std::unique_ptr<ExceptionMailbox> mailbox_;
  mutable std::mutex mutex_;
  std::vector<Held> held_;
  size_t newest_ = 0, prune_at_ = 64;
  uint64_t launches_ = 0;
  std::shared_ptr<CudaCapture> capture_;
  std::vector<std::pair<uint64_t, uint64_t>> released_; ///< buffers freed during the capture
};

/// State shared by the streams of one graph capture.
struct CudaCapture {
  std::mutex mutex;
  bool ended = false;
  const CudaStream *origin = nullptr;
  std::unique_ptr<ExceptionMailbox> mailbox;
  std::vector<std::shared_ptr<const CudaKernel>> kernels;
};

} // namespace kiln
