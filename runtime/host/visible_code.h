// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native code that tools of the machine can see: gdb by its JIT interface (functions, lines and variables, as
// the job's debug level has them), perf by a jitdump (functions).
#pragma once

#include <kiln/result.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// What a link gave to one object.
struct LinkedCode {
  struct Function {
    std::string name;
    uint64_t address = 0;
    std::string_view code; ///< as it runs; in memory that stays as long as the code
  };
  std::vector<Function> functions;
  std::map<std::string, uint64_t> sections; ///< addresses by name
};

class PerfDump;

/// Of a session; null where nobody asked for it. Thread-safe.
class VisibleCode {
public:
  /// `perf_folder`: where jit-<process>.dump is written, made if it is missing; empty: none. Error: Machine,
  /// for a folder that cannot be written to.
  static Result<std::shared_ptr<VisibleCode>> open(bool gdb, const std::string &perf_folder);

  /// What gdb knows of an object; it forgets it with the owner.
  class Entry {
  public:
    virtual ~Entry() = default;
  };
  /// Tells of an object that was linked. Null: there is nothing to forget.
  std::unique_ptr<Entry> add(std::string_view object, const LinkedCode &linked) const;

private:
  VisibleCode() = default;
  bool gdb_ = false;
  std::shared_ptr<PerfDump> perf_;
};

/// An ELF object's bytes with the addresses that a link gave to its sections, as gdb reads objects in memory.
/// Empty: it is no ELF object of 64 bits.
std::string with_addresses(std::string_view object, const std::map<std::string, uint64_t> &sections);

} // namespace kiln
