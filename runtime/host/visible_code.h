// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shows native code to tools. gdb sees functions, lines and variables through its JIT interface, as far as
// the debug level provides them. perf sees functions through a jitdump.
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
    std::string_view code; ///< machine code after relocation, in memory that lives as long as the loaded code
  };
  std::vector<Function> functions;
  std::map<std::string, uint64_t> sections; ///< section addresses by name
};

class PerfDump;

/// Registers code with the tools that a session enables. open() returns null if none is enabled. Thread-safe.
class VisibleCode {
public:
  /// `perf_folder`: folder for jit-<process>.dump, created if missing; empty: no dump. Error: Machine if the
  /// folder is not writable.
  static Result<std::shared_ptr<VisibleCode>> open(bool gdb, const std::string &perf_folder);

  /// Owner of gdb's entry for an object. The destructor removes the entry.
  class Entry {
  public:
    virtual ~Entry() = default;
  };
  /// Registers a linked object. Returns null if there is nothing to unregister later.
  std::unique_ptr<Entry> add(std::string_view object, const LinkedCode &linked) const;

private:
  VisibleCode() = default;
  bool gdb_ = false;
  std::shared_ptr<PerfDump> perf_;
};

/// Copies an ELF object and writes the section addresses into the copy, as gdb expects of objects in memory.
/// Returns an empty string if the object is not 64-bit ELF.
std::string with_addresses(std::string_view object, const std::map<std::string, uint64_t> &sections);

} // namespace kiln
