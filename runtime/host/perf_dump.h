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

/// A file of perf's format jitdump (tools/perf/Documentation/jitdump-specification.txt of Linux), one a
/// process and folder. `perf record -k 1` notes that it was mapped, and `perf inject --jit` reads it.
/// Thread-safe.
class PerfDump {
public:
  /// That of this process in the folder, which sessions share. Error: Machine.
  static Result<std::shared_ptr<PerfDump>> open(const std::string &folder);
  ~PerfDump();
  PerfDump(const PerfDump &) = delete;
  PerfDump &operator=(const PerfDump &) = delete;
  /// A function that begins to exist now. What cannot be written is left out.
  void add(std::string_view name, uint64_t address, std::string_view code);

private:
  PerfDump() = default;
  void write(std::string_view record);
  int file_ = -1;
  void *mapped_ = nullptr;
  std::mutex mutex_; ///< of what follows, and of the order of records
  uint64_t functions_ = 0;
  bool is_full_ = false; ///< a write failed: what follows would make no sense
};

} // namespace kiln
