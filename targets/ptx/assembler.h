// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds, opens and runs the assemblers of PTX. Private to component ptx.
#pragma once

#include "assembler_log.h"
#include "cuda_toolkit.h"
#include "merge_texts.h"

#include <job/job.h>

namespace kiln::ptx {

/// assembler.cpp: finds nvJitLink (in this process: 3 ms a kernel), else ptxas (a process of its own: 8 ms).
/// KILN_ASSEMBLER=nvjitlink or ptxas selects one. With KILN_ASSEMBLER=driver, this finds neither: a GPU's
/// driver assembles (lib/session/driver_assembler.cpp). Error: Machine, with all places searched.
Result<std::unique_ptr<Assembler>> find_assembler();
/// Options for both assemblers, as ptxas spells them. For nvJitLink, each option follows -Xptxas=.
std::vector<std::string> assembler_options(const CompilerConfig &config);
/// Options of the quick tier: fast assembling for a kernel's first launches. They limit the code to 64
/// registers, so that a block of any size fits. A launch of such code never fails for lack of registers.
std::vector<std::string> quick_options(const CompilerConfig &config);
/// quick_gain.cpp: predicts whether quick_options make a first launch at least 1.5 times as fast. Returns
/// false if a program could notice the exchange of quick code for optimised code. Figures:
/// docs/design/quick-tier.md.
bool gains_from_quick_options(std::string_view text);

/// Base class of the toolkit's assemblers. Subclasses turn a PTX text into a cubin and a log.
class ToolkitAssembler : public Assembler {
public:
  ToolkitAssembler();
  ~ToolkitAssembler() override;
  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const final;
  /// Returns true if the text can be merged with others for one call of the assembler. Always false if
  /// `config` links other files to the text.
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
  /// Runs the assembler. `options`: from assembler_options or quick_options. Errors: as Assembler::assemble.
  virtual Result<Output> make(const CompilerConfig &config, const std::vector<std::string> &options,
                              const std::string &text, const SourceMap &sources) const = 0;
  Result<AssembledObject> assemble_with(const std::vector<std::string> &options, const CompilerConfig &config,
                                        const std::string &entry, std::string_view text,
                                        const SourceMap &sources) const;
  /// Checks the assembler's version. Error: Machine if the tool is older than the PTX, or too new to support
  /// the architecture.
  Result<void> check_version(const CompilerConfig &config) const;
  const std::unique_ptr<Quick> quick_;
};

/// nvjitlink.cpp, ptxas.cpp
Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found);
Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found);

} // namespace kiln::ptx
