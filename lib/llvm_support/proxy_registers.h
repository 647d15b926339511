// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace llvm {
class TargetPassConfig;
} // namespace llvm

namespace kiln {

/// Call before the configuration adds its machine passes. Each result of a call passes through an NVPTX
/// pseudo instruction ("ProxyReg"). LLVM 19's pass that removes them walks through the whole function for
/// each one: 8,000 lines with a call each took 88 s. The pass added here removes them all in two walks, right
/// before, and leaves LLVM's nothing to do.
void erase_proxy_registers_early(llvm::TargetPassConfig &config, bool optimizes);

} // namespace kiln
