// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of assembling PTX, for the component's own files.
#pragma once

#include "assembler_log.h"
#include "cuda_toolkit.h"
#include "merge_texts.h"

#include <job/job.h>

namespace kiln::ptx {

/// assembler.cpp: the first that is there of nvJitLink (in this process: 3 ms a kernel) and ptxas (a process
/// of its own: 8 ms). KILN_ASSEMBLER=nvjitlink or ptxas takes that one; driver takes neither, and a GPU's
/// driver is asked (lib/session/driver_assembler.cpp). Error: Machine, with all places that were looked in.
Result<std::unique_ptr<Assembler>> find_assembler();
/// Options that both understand, ptxas's spelling: nvJitLink takes them behind -Xptxas=.
std::vector<std::string> assembler_options(const CompilerConfig &config);
/// The same of the quick tier. Its code takes at most 64 registers, so that a block of any size fits whatever
/// the optimised code takes: no launch is refused because it came early.
std::vector<std::string> quick_options(const CompilerConfig &config);
/// quick_gain.cpp: whether quick_options make a first launch at least 1.5 times as fast, told from what the
/// text has many of, and no launch can tell its code from optimised code. docs/design/quick-tier.md has the
/// figures behind it.
bool gains_from_quick_options(std::string_view text);

/// What the toolkit's assemblers have in common: a text goes in, a cubin and a log come out.
class ToolkitAssembler : public Assembler {
public:
  ToolkitAssembler();
  ~ToolkitAssembler() override;
  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const final;
  /// Also, that nothing is linked to it.
  bool can_merge(const CompilerConfig &config, std::string_view text) const final;
  Result<MergedObject> assemble_merged(const CompilerConfig &config, std::span<const AssemblerInput> inputs,
                                       const SourceMap &sources) const final;
  const Assembler *quick() const final;
  bool gains_from_quick(const CompilerConfig &config, std::string_view text) const final;

protected:
  struct Output {
    std::string cubin, log;
  };

private:
  class Quick;
  /// `options`: as assembler_options gives them. Errors: as Assembler::assemble.
  virtual Result<Output> make(const CompilerConfig &config, const std::vector<std::string> &options,
                              const std::string &text, const SourceMap &sources) const = 0;
  Result<AssembledObject> assemble_with(const std::vector<std::string> &options, const CompilerConfig &config,
                                        const std::string &entry, std::string_view text,
                                        const SourceMap &sources) const;
  /// Error: Machine, where the tool is older than the PTX, or so new that it dropped the architecture.
  Result<void> check_version(const CompilerConfig &config) const;
  const std::unique_ptr<Quick> quick_;
};

/// nvjitlink.cpp, ptxas.cpp
Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found);
Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found);

} // namespace kiln::ptx
