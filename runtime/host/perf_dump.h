// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/result.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace kiln {

/// A file in perf's jitdump format (Linux: tools/perf/Documentation/jitdump-specification.txt), one per
/// process and folder. `perf record -k 1` notes that this process maps the file, and `perf inject --jit`
/// reads the file. Thread-safe.
class PerfDump {
public:
  /// Opens the file of this process in `folder`; all sessions share it. Error: Machine.
  static Result<std::shared_ptr<PerfDump>> open(const std::string &folder);
  ~PerfDump();
  PerfDump(const PerfDump &) = delete;
  PerfDump &operator=(const PerfDump &) = delete;
  /// Adds a new function. A function that cannot be written is omitted.
  void add(std::string_view name, uint64_t address, std::string_view code);

private:
  PerfDump() = default;
  void write(std::string_view record);
  int file_ = -1;
  void *mapped_ = nullptr;
  std::mutex mutex_; ///< protects the members below, and keeps records whole and in order
  uint64_t functions_ = 0;
  bool is_full_ = false; ///< a write failed, so that later records would be unreadable
};

} // namespace kiln
