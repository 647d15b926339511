// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observer that writes every product to the dump folder (KILN_DUMP_DIR).
#pragma once

#include <pipeline/pipeline.h>
#include <support/support.h>

#include <string>

namespace kiln {

/// Writes every product of every job to a folder:
/// <function>.<hash>.{lowered.jl,typed.jl,ll,opt.ll,s,ptx,o,cubin}.
/// For a job found in the cache's folder, writes only the products stored there.
class DumpObserver final : public Observer {
public:
  DumpObserver(std::string dir, const TargetList &targets, Log &log);
  bool wants(const CompilerJob &, ArtifactKind) override { return !dir_.empty(); }
  Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  std::string dir_; ///< empty: the folder could not be created
  const TargetList &targets_;
  Log &log_;
};

} // namespace kiln
