// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sets value ranges of the special registers, as attributes of the intrinsics that read them. Source: CUDA
// C++ Programming Guide, technical specifications per compute capability. With the ranges, LLVM knows that
// threadIdx().x, the register plus 1, neither wraps nor is negative. The linear index in 64 bits becomes a
// product of two 32-bit numbers.
#include "passes.h"

#include <llvm/IR/Attributes.h>
#include <llvm/IR/ConstantRange.h>

#include <algorithm>

namespace kiln::ptx {
namespace {

constexpr uint32_t max_threads = 1024, max_threads_z = 64, max_blocks = 0x7fffffff, max_blocks_yz = 65535,
                   warp = 32;
constexpr std::string_view axes[] = {"x", "y", "z"};

/// Minimum and maximum number of threads of a block in each dimension.
struct Block {
  std::array<uint32_t, 3> min{1, 1, 1}, max{max_threads, max_threads, max_threads_z};
};

uint64_t threads_of(const std::array<uint32_t, 3> &shape) {
  return uint64_t(shape[0]) * std::max(shape[1], 1u) * std::max(shape[2], 1u);
}

Block block_of(const PtxOptions &options) {
  Block block;
  if (options.required_threads[0]) {
    for (size_t i = 0; i < 3; i++) block.min[i] = block.max[i] = std::max(options.required_threads[i], 1u);
  } else if (options.max_threads[0]) { // limits only the product of the dimensions
    for (uint32_t &max : block.max) max = uint32_t(std::min<uint64_t>(max, threads_of(options.max_threads)));
  }
  return block;
}

/// Sets the range of the register `name` to `first` .. `last`, both included.
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
    const uint32_t blocks = i == 0 ? max_blocks : max_blocks_yz;
    set_range(module, "tid" + axis, 0, block.max[i] - 1);
    set_range(module, "ntid" + axis, block.min[i], block.max[i]);
    set_range(module, "ctaid" + axis, 0, blocks - 1);
    set_range(module, "nctaid" + axis, 1, blocks);
  }
  set_range(module, "laneid", 0, warp - 1);
  set_range(module, "warpsize", warp, warp);
  return {};
}

} // namespace kiln::ptx
