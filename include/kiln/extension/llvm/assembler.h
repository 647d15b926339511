// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a target's assembly text to what its device loads, by a tool that may be missing on this machine.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/source.h>
#include <kiln/job.h>

#include <memory>

namespace kiln {

struct AssembledObject {
  std::string bytes;
  KernelResources resources; ///< of the entry
};

/// One tool of one version. Thread-safe.
class KILN_API Assembler {
public:
  virtual ~Assembler();
  /// Name and version: enters the object's key. "nvJitLink 13.0"
  virtual const std::string &identity() const = 0;
  virtual const std::string &path() const = 0;
  /// `entry` is the kernel that the resources are asked of; `sources` finds the lines that errors come from.
  /// Errors: Input with every complaint of the tool (inline assembly that is wrong, an architecture that it
  /// does not know), Machine where the tool cannot run.
  virtual Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                           std::string_view text, const SourceMap &sources) const = 0;
};

} // namespace kiln
