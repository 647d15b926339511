// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "amdgpu_target.h"

#include <llvm/IR/CallingConv.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <array>

// LLVM's C functions that register a code generator. Kiln calls those of X86 and NVPTX only.
extern "C" {
void LLVMInitializeAMDGPUTargetInfo();
void LLVMInitializeAMDGPUTarget();
void LLVMInitializeAMDGPUTargetMC();
void LLVMInitializeAMDGPUAsmPrinter();
void LLVMInitializeAMDGPUAsmParser(); // inline assembly
}

using namespace kiln;

namespace {

// gfx90a is CDNA 2 (wavefronts of 64 lanes); the others are RDNA (32 lanes).
constexpr std::array processors{"gfx90a", "gfx1030", "gfx1100"};

// Overlay: methods that kernels of this target find before the common ones. A dispatch packet has the block
// size (16 bits per dimension, from byte 4) and the grid size (32 bits per dimension, from byte 12, in
// threads). LLVM's AMDGPU expands these mathematical functions to instructions. For a use of the block size,
// LLVM passes the packet's address in registers.
constexpr std::string_view overlay_text = R"(
for (f, x, y, z) in (
    (:threadIdx, "llvm.amdgcn.workitem.id.x", "llvm.amdgcn.workitem.id.y", "llvm.amdgcn.workitem.id.z"),
    (:blockIdx, "llvm.amdgcn.workgroup.id.x", "llvm.amdgcn.workgroup.id.y", "llvm.amdgcn.workgroup.id.z"))
    @eval @inline function $f()
        a = ccall($x, llvmcall, Int32, ())
        b = ccall($y, llvmcall, Int32, ())
        c = ccall($z, llvmcall, Int32, ())
        return newtuple_(Index3, a + 1i32, b + 1i32, c + 1i32)
    end
end
@inline dispatch_packet() = ccall("llvm.amdgcn.dispatch.ptr", llvmcall, LLVMPtr{UInt8,4}, ())
@inline block_size(axis) = rem(pointer_load_invariant(pointer_cast(LLVMPtr{UInt16,4}, dispatch_packet()), 2 + axis, Val(2)), Int32)
@inline grid_size(axis) = rem(pointer_load_invariant(pointer_cast(LLVMPtr{UInt32,4}, dispatch_packet()), 3 + axis, Val(4)), Int32)
@inline block_count(axis) = div(grid_size(axis) + block_size(axis) - 1i32, block_size(axis))
@inline blockDim() = newtuple_(Index3, block_size(0), block_size(1), block_size(2))
@inline gridDim() = newtuple_(Index3, block_count(0), block_count(1), block_count(2))

# The fences that make what is stored in front of a barrier visible behind it are put beside it by the target's rewrite.
@inline sync_threads() = ccall("llvm.amdgcn.s.barrier", llvmcall, Cvoid, ())

import Base: sin, cos, exp, exp2, log, log2, log10
for (f, name) in ((:exp, "llvm.exp.f32"), (:exp2, "llvm.exp2.f32"), (:log, "llvm.log.f32"), (:log2, "llvm.log2.f32"), (:log10, "llvm.log10.f32"),
    (:sin, "llvm.sin.f32"), (:cos, "llvm.cos.f32"))
    @eval @inline $f(x::Float32) = ccall($name, llvmcall, Float32, (Float32,), x)
end
)";

std::vector<llvm::CallInst *> calls_of(llvm::Module &module, llvm::StringRef name) {
  std::vector<llvm::CallInst *> calls;
  if (llvm::Function *function = module.getFunction(name))
    for (llvm::User *user : function->users())
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == function)
        calls.push_back(call);
  return calls;
}

/// s_barrier does not order memory accesses.
Result<void> fence_barriers(const Target &, const CompilerConfig &, llvm::Module &module) {
  auto scope = module.getContext().getOrInsertSyncScopeID("workgroup");
  for (llvm::CallInst *call : calls_of(module, "llvm.amdgcn.s.barrier")) {
    llvm::IRBuilder<> builder(call);
    builder.CreateFence(llvm::AtomicOrdering::Release, scope);
    builder.SetInsertPoint(call->getNextNode());
    builder.CreateFence(llvm::AtomicOrdering::Acquire, scope);
  }
  return {};
}

class AmdgpuTarget final : public Target {
public:
  std::string_view name() const override { return AmdgpuOptions::target_name; }
  std::string_view version() const override { return "1"; } // change it when the target generates other code

  void initialize_llvm() const override {
    [[maybe_unused]] static const bool once = [] {
      LLVMInitializeAMDGPUTargetInfo();
      LLVMInitializeAMDGPUTarget();
      LLVMInitializeAMDGPUTargetMC();
      LLVMInitializeAMDGPUAsmPrinter();
      LLVMInitializeAMDGPUAsmParser();
      return true;
    }();
  }

  Result<TargetSpec> check(TargetSpec spec) const override {
    const AmdgpuOptions &options = spec.get<AmdgpuOptions>();
    if (std::find(processors.begin(), processors.end(), options.gfx) == processors.end())
      return usage_error("the amdgpu target has no processor " + options.gfx +
                         ": it has gfx90a, gfx1030 and gfx1100");
    if (options.max_threads < 1 || options.max_threads > 1024)
      return usage_error("max_threads is 1 to 1024, not " + std::to_string(options.max_threads));
    return spec;
  }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<AmdgpuOptions>(read);
  }

  std::string triple(const TargetSpec &) const override { return "amdgcn-amd-amdhsa"; }
  std::string cpu(const TargetSpec &spec) const override { return spec.get<AmdgpuOptions>().gfx; }
  std::string features(const TargetSpec &) const override { return {}; }
  std::string data_layout(const TargetSpec &) const override { // of LLVM 22
    return "e-m:e-p:64:64-p1:64:64-p2:32:32-p3:32:32-p4:64:64-p5:32:32-p6:32:32-p7:160:256:256:32-p8:128:128:128:48-p9:192:256:256:32-i64:64-"
           "v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024-v2048:2048-n32:64-S32-A5-G1-ni:7:8:9";
  }

  TargetCapabilities capabilities(const TargetSpec &) const override {
    return {.runs_on_host = false,
            .kernel_state = KernelStateType::None,
            .convergent_calls = true,
            .can_check_accesses = false,
            .can_interrupt = false,
            .can_throw = false, // an exception traps the wavefront without saying which thread threw
            .address_spaces = true,
            .max_atomic_bytes = 8,
            .atomic_scope = "agent",
            .fuses_operations = true,
            .vectorizes_loops = false,
            .inline_limit = 600};
  }

  std::string_view overlay() const override { return name(); }
  std::vector<EmbeddedSource> overlay_sources() const override {
    EmbeddedSource file;
    file.name = "amdgpu/device.jl"; // the extension selects the Julia frontend
    file.text = overlay_text;
    return {file};
  }

  // Called right after emission: marks kernels in the way LLVM's AMDGPU requires.
  Result<void> finish_module(const CompilerConfig &config, llvm::Module &,
                             llvm::Function &entry) const override {
    if (!config.kernel) return {};
    entry.setCallingConv(llvm::CallingConv::AMDGPU_KERNEL);
    entry.addFnAttr("amdgpu-flat-work-group-size",
                    "1," + std::to_string(config.target.get<AmdgpuOptions>().max_threads));
    return {};
  }
  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Linked) return {{"fences of barriers", fence_barriers}};
    return {};
  }
  bool is_intrinsic(std::string_view function) const override {
    for (std::string_view foreign : {"llvm.nvvm.", "llvm.x86.", "llvm.coro."})
      if (function.starts_with(foreign)) return false;
    return function.starts_with("llvm.");
  }
  Result<void> validate_ir(const CompilerConfig &, const llvm::Module &module) const override {
    constexpr uint64_t local_bytes = 64 << 10; // per workgroup, on all these processors
    if (uint64_t bytes = static_shared_bytes(module); bytes > local_bytes)
      return make_error(ErrorCode::KernelError, "the kernel's static shared memory takes " +
                                                    std::to_string(bytes) + " bytes; there is space for " +
                                                    std::to_string(local_bytes));
    return {};
  }
};

} // namespace

const Target &amdgpu_target() {
  static const AmdgpuTarget target; // immutable
  return target;
}
