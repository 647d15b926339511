// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code for tools: gdb through its JIT interface (functions, lines and variables, by the job's debug
// level), perf through a jitdump (functions).
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Addresses assigned to one linked object.
struct LinkedCode {
  struct Function {
    std::string name;
    uint64_t address = 0;
    std::string_view code; ///< relocated code, in memory that lives as long as the code
  };
  std::vector<Function> functions;
  std::map<std::string, uint64_t> sections; ///< section addresses by name
};

class PerfDump;

/// Registers code with the tools of a session; null if none is enabled. Thread-safe.
class VisibleCode {
public:
  /// `perf_folder`: folder of jit-<process>.dump, created if missing; empty: no dump. Error: Machine if the
  /// folder is not writable.
  static Result<std::shared_ptr<VisibleCode>> open(bool gdb, const std::string &perf_folder);

  /// gdb's record of an object, removed with this owner.
  class Entry {
  public:
    virtual ~Entry() = default;
  };
  /// Registers a linked object. Null: nothing to unregister.
  std::unique_ptr<Entry> add(std::string_view object, const LinkedCode &linked) const;

private:
  VisibleCode() = default;
  bool gdb_ = false;
  std::shared_ptr<PerfDump> perf_;
};

/// Copies an ELF object and enters its section addresses, as gdb reads objects in memory. Empty: not a 64-bit
/// ELF object.
std::string with_addresses(std::string_view object, const std::map<std::string, uint64_t> &sections);

} // namespace kiln
