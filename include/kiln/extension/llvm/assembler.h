// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a target's assembly text to code that its device loads, by a tool that may be missing on this machine.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/source.h>
#include <kiln/job.h>

#include <memory>
#include <span>

namespace kiln {

struct AssembledObject {
  std::string bytes;
  KernelResources resources; ///< of the entry
};

/// A kernel's text, to be assembled together with those of others.
struct AssemblerInput {
  std::string_view entry, text;
};

struct MergedObject {
  std::string bytes;
  std::vector<KernelResources> resources; ///< of each input's entry, in their order
};

/// One tool of one version. Thread-safe.
class KILN_API Assembler {
public:
  virtual ~Assembler();
  /// Name and version: enters the object's key. "nvJitLink 13.0"
  virtual const std::string &identity() const = 0;
  virtual const std::string &path() const = 0;
  /// The resources are those of the kernel `entry`; `sources` finds the lines of errors. Errors: Input with
  /// every message of the tool (wrong inline assembly, an unknown architecture), Machine if the tool cannot
  /// run.
  virtual Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                           std::string_view text, const SourceMap &sources) const = 0;
  /// Returns true if assemble_merged takes this text. False by default.
  virtual bool can_merge(const CompilerConfig &config, std::string_view text) const;
  /// Assembles several kernels into one object. Each kernel has a distinct entry name, and the code that it
  /// has alone. Needs can_merge() for each text, and one config. Errors: as assemble(), without the text at
  /// fault.
  virtual Result<MergedObject> assemble_merged(const CompilerConfig &config,
                                               std::span<const AssemblerInput> inputs,
                                               const SourceMap &sources) const;

  // ---- the quick tier (SessionOptions::quick_tier)
  /// The same tool with its fast setting, with an identity of its own; it lives as long as this one. Null:
  /// there is no such setting.
  virtual const Assembler *quick() const;
  /// Returns true if a first launch gains from quick() for this text. It estimates this from the text alone.
  /// Called only if there is a quick().
  virtual bool gains_from_quick(const CompilerConfig &config, std::string_view text) const;
};

} // namespace kiln
