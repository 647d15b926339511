// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assemblers: tools that turn a target's assembly text into code that its device loads. The tool may be
// missing on a machine.
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

/// The assembly text of one kernel, to be assembled together with others.
struct AssemblerInput {
  std::string_view entry, text;
};

struct MergedObject {
  std::string bytes;
  std::vector<KernelResources> resources; ///< resources of each input's entry, in the order of the inputs
};

/// An assembler: one version of one tool. Thread-safe.
class KILN_API Assembler {
public:
  virtual ~Assembler();
  /// Returns name and version, "nvJitLink 13.0", which are a part of the cache key of its products.
  virtual const std::string &identity() const = 0;
  virtual const std::string &path() const = 0;
  /// Assembles a text. `entry` is the kernel whose resources are returned; `sources` finds the source lines
  /// of errors. Errors: Input with every message of the tool (wrong inline assembly, unknown architecture);
  /// Machine if the tool cannot run.
  virtual Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                           std::string_view text, const SourceMap &sources) const = 0;
  /// Returns true if assemble_merged accepts this text. Default: false.
  virtual bool can_merge(const CompilerConfig &config, std::string_view text) const;
  /// Assembles several kernels into one object. Entry names must be unique. Each kernel gets the same code as
  /// if assembled alone. All texts must satisfy can_merge() and have the same config. Errors: those of
  /// assemble(); they do not say which text is at fault.
  virtual Result<MergedObject> assemble_merged(const CompilerConfig &config,
                                               std::span<const AssemblerInput> inputs,
                                               const SourceMap &sources) const;

  // ---- the quick tier (SessionOptions::quick_tier)
  /// Returns the same tool with settings for fast assembling of slower code. It has its own identity and
  /// lives as long as this object. Null: the tool has no such settings.
  virtual const Assembler *quick() const;
  /// Returns true if quick() would make the first launch of this text faster; an estimate from the text
  /// alone. Called only if quick() is not null.
  virtual bool gains_from_quick(const CompilerConfig &config, std::string_view text) const;
};

} // namespace kiln
