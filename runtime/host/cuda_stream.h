// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queues of launches on a GPU, events in them, and graphs captured from them.
#pragma once

#include "cuda_module.h"

#include <optional>
#include <span>

namespace kiln {

/// What a kernel reported, its texts read from the device.
struct CudaException {
  abi::ExceptionRecord record{};
  std::string name, location;
};

/// Where kernels report the first exception: pinned memory that the device writes and the host reads. It is a
/// stream's, or a graph's, so launches of one kernel in several streams have one each.
class ExceptionMailbox {
public:
  static Result<std::unique_ptr<ExceptionMailbox>> make(std::shared_ptr<CudaDevice> device);
  ~ExceptionMailbox();
  ExceptionMailbox(const ExceptionMailbox &) = delete;
  ExceptionMailbox &operator=(const ExceptionMailbox &) = delete;
  abi::PtxKernelState *state() { return &state_; } ///< the kernels' first parameter
  bool empty() const {
    return std::atomic_ref<uint32_t>(record_->status).load(std::memory_order_acquire) == 0;
  }
  /// Nothing, if there is none. To be called while the module that it came from is loaded.
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
  /// Nothing: one of them has not been reached.
  static Result<std::optional<float>> milliseconds_between(const CudaEvent &from, const CudaEvent &to);

private:
  CudaEvent() = default;
  std::shared_ptr<CudaDevice> device_;
  void *handle_ = nullptr;
};

struct CudaCapture;

/// A CUgraphExec, with what its launches need.
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

/// Of LaunchOptions, what a GPU takes.
struct CudaLaunch {
  const LaunchShape &shape; ///< the caller's: not copied: it was just written
  std::array<uint32_t, 3> cluster{0, 0, 0};
  bool cooperative = false, programmatic_serialization = false;
};

/// Thread-safe.
class CudaStream {
public:
  static Result<std::shared_ptr<CudaStream>> make(std::shared_ptr<CudaDevice> device);
  /// Of the embedder's, which must outlive it.
  static Result<std::shared_ptr<CudaStream>> adopt(std::shared_ptr<CudaDevice> device, void *stream);
  ~CudaStream(); ///< waits for what is in it
  CudaStream(const CudaStream &) = delete;
  CudaStream &operator=(const CudaStream &) = delete;

  CudaDevice &device() const { return *device_; }
  const std::shared_ptr<CudaDevice> &shared_device() const { return device_; }
  void *handle() const { return handle_; }

  /// arguments[i] points to the bytes of the i-th parameter. Allocates nothing for a kernel that was launched
  /// since the stream was last empty.
  Result<void> launch(const std::shared_ptr<const CudaKernel> &kernel, const CudaLaunch &launch,
                      std::span<const void *const> arguments);
  Result<void> launch(const std::shared_ptr<CudaGraph> &graph);
  Result<void> copy(uint64_t to, uint64_t from, uint64_t bytes);
  Result<void> fill(uint64_t to, uint8_t value, uint64_t bytes);
  Result<uint64_t> allocate(uint64_t bytes);
  void release(uint64_t address, uint64_t bytes);
  /// The capture that the record is part of, if it is; for wait().
  Result<std::shared_ptr<CudaCapture>> record(const CudaEvent &event);
  Result<void> wait(const CudaEvent &event, const std::shared_ptr<CudaCapture> &recorded_in);
  bool idle();
  bool is_captured(); ///< what is put in now becomes part of a graph
  /// The first exception of the launches since the last call.
  Result<std::optional<CudaException>> synchronize();
  Result<void> capture_begin();
  Result<std::shared_ptr<CudaGraph>> capture_end();

private:
  CudaStream() = default;
  /// What was launched and is not known to be done.
  struct Held {
    const void *key;
    std::shared_ptr<const CudaKernel> kernel;
    std::shared_ptr<CudaGraph> graph;
    uint64_t last; ///< number of its last launch
  };
  void hold(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
            const std::shared_ptr<CudaGraph> &graph);
  void hold_more(const void *key, const std::shared_ptr<const CudaKernel> &kernel,
                 const std::shared_ptr<CudaGraph> &graph);
  bool captured(); ///< under the mutex; ends its part of a capture that has ended
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
  std::vector<std::pair<uint64_t, uint64_t>> released_; ///< buffers that went during the capture
};

/// What streams of one capture share.
struct CudaCapture {
  std::mutex mutex;
  bool ended = false;
  const CudaStream *origin = nullptr;
  std::unique_ptr<ExceptionMailbox> mailbox;
  std::vector<std::shared_ptr<const CudaKernel>> kernels;
};

} // namespace kiln
