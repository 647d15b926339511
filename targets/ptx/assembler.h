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
/// What the toolkit's assemblers have in common: a text goes in, a cubin and a log come out.
class ToolkitAssembler : public Assembler {
public:
  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const final;
  /// Also, that nothing is linked to it.
  bool can_merge(const CompilerConfig &config, std::string_view text) const final;
  Result<MergedObject> assemble_merged(const CompilerConfig &config, std::span<const AssemblerInput> inputs,
                                       const SourceMap &sources) const final;

protected:
  struct Output {
    std::string cubin, log;
  };

private:
  /// Errors: as Assembler::assemble.
  virtual Result<Output> make(const CompilerConfig &config, const std::string &text,
                              const SourceMap &sources) const = 0;
};

/// nvjitlink.cpp, ptxas.cpp
Result<std::unique_ptr<Assembler>> open_nvjitlink(const Found &found);
Result<std::unique_ptr<Assembler>> open_ptxas(const Found &found);

} // namespace kiln::ptx
