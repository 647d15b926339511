// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What launches leave possible in the special registers (CUDA C++ Programming Guide, technical
// specifications per compute capability), as attributes of the intrinsics that read them. So LLVM sees that
// threadIdx().x, which is the register plus 1, does not wrap and is not negative: the linear index in
// 64 bits becomes a product of 32 by 32 bits.
#include "passes.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/ConstantRange.h>

#include <algorithm>

namespace kiln::ptx {
namespace {

constexpr uint32_t most_threads = 1024, most_threads_z = 64, most_blocks = 0x7fffffff, most_blocks_yz = 65535,
                   warp = 32;
constexpr std::string_view axes[] = {"x", "y", "z"};

/// Threads that a block has at most, or exactly, in each direction.
struct Block {
  std::array<uint32_t, 3> least{1, 1, 1}, most{most_threads, most_threads, most_threads_z};
};

uint64_t threads_of(const std::array<uint32_t, 3> &shape) {
  return uint64_t(shape[0]) * std::max(shape[1], 1u) * std::max(shape[2], 1u);
}

Block block_of(const PtxOptions &options) {
  Block block;
  if (options.required_threads[0]) {
    for (size_t i = 0; i < 3; i++) block.least[i] = block.most[i] = std::max(options.required_threads[i], 1u);
  } else if (options.max_threads[0]) { // of the product alone
    for (uint32_t &most : block.most)
      most = uint32_t(std::min<uint64_t>(most, threads_of(options.max_threads)));
  }
  return block;
}

/// The register's values are `first` to `last`.
void set_range(llvm::Module &module, std::string_view name, uint32_t first, uint32_t last) {
  llvm::Function *read = module.getFunction("llvm.nvvm.read.ptx.sreg." + std::string(name));
  if (!read || !read->getReturnType()->isIntegerTy(32)) return;
  const llvm::ConstantRange range(llvm::APInt(32, first), llvm::APInt(32, uint64_t(last) + 1));
  read->addRetAttr(llvm::Attribute::get(module.getContext(), llvm::Attribute::Range, range));
}

} // namespace

Result<void> set_register_ranges(const Target &, const CompilerConfig &config, llvm::Module &module) {
  const Block block = block_of(config.target.get<PtxOptions>());
  for (size_t i = 0; i < 3; i++) {
    const std::string axis = "." + std::string(axes[i]);
    const uint32_t blocks = i == 0 ? most_blocks : most_blocks_yz;
    set_range(module, "tid" + axis, 0, block.most[i] - 1);
    set_range(module, "ntid" + axis, block.least[i], block.most[i]);
    set_range(module, "ctaid" + axis, 0, blocks - 1);
    set_range(module, "nctaid" + axis, 1, blocks);
  }
  set_range(module, "laneid", 0, warp - 1);
  set_range(module, "warpsize", warp, warp);
  return {};
}

} // namespace kiln::ptx
