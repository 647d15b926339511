// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarsens the kernel of a module: adds an entry whose threads each process several elements. Read
// coarsen_recognise.cpp first.
#include "coarsen.h"

#include "passes.h"

#include <architectures/architectures.h>
#include <kiln/extension/llvm/ir.h>

namespace kiln::ptx {

Result<Coarsening> coarsen_kernel(const CompilerConfig &config, llvm::Module &module, std::string &why_not) {
  llvm::Function *entry = find_entry(module);
  if (!config.kernel || !config.optimize || !entry) return Coarsening();
  const PtxOptions &options = config.target.get<PtxOptions>();
  if (options.cluster[0]) {
    why_not = "it is for clusters of blocks";
    return Coarsening();
  }
  std::optional<CoarseKernel> kernel =
      recognise_coarse(*entry, config.coarsen, coarse_bytes_of(options), why_not);
  if (!kernel) {
    Coarsening apart = read_apart(*entry, config.coarsen);
    if (!apart.entry.empty()) mark_kernel(options, *module.getFunction(apart.entry));
    return apart;
  }
  if (config.coarsen) {
    kernel->facts.entry = entry->getName().str() + "_coarse";
    if (module.getNamedValue(kernel->facts.entry)) return Coarsening();
    mark_kernel(options, build_coarse(*kernel, kernel->facts.entry));
  }
  return std::move(kernel->facts);
}

} // namespace kiln::ptx
