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
/// process and folder. `perf record -k 1` records its mapping, and `perf inject --jit` reads it. Thread-safe.
class PerfDump {
public:
  /// Opens this process's file in the folder, shared by sessions. Error: Machine.
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
  std::mutex mutex_; ///< protects the members below, and the order of records
  uint64_t functions_ = 0;
  bool is_full_ = false; ///< after a failed write: later records would be unreadable
};

} // namespace kiln
