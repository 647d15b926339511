// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A target outside Kiln's tree with a triple, options, an overlay and a rewrite of its own. It is another
// dialect of PTX (the LLVM that Kiln links has x86 and NVPTX alone), so that nothing but the seam tells the
// two apart.
#pragma once

#include <job/job.h>

#include <fmt/format.h>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace kiln::test {

struct DialectOptions {
  static constexpr std::string_view target_name = "dialect";
  int generation = 80;
  bool operator==(const DialectOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
    auto &[generation] = self;
    visit("generation", generation);
  }
};

inline constexpr std::string_view overlay_text = R"(
@inline function threadIdx()
    i = ccall("llvm.nvvm.read.ptx.sreg.tid.x", llvmcall, Int32, ())
    return newtuple_(Index3, i, i, i)
end
@inline laneid() = trunc_int(Int32, 77)
@inline clock(::Type{UInt32}) = ccall("llvm.nvvm.read.ptx.sreg.clock", llvmcall, UInt32, ())
)";

/// The dialect has no clock: it stands still at 4711.
inline Result<void> stop_the_clock(const Target &, const CompilerConfig &, llvm::Module &module) {
  llvm::Function *clock = module.getFunction("llvm.nvvm.read.ptx.sreg.clock");
  if (!clock) return {};
  for (llvm::User *user : llvm::make_early_inc_range(clock->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    call->replaceAllUsesWith(llvm::ConstantInt::get(call->getType(), 4711));
    call->eraseFromParent();
  }
  return {};
}

class DialectTarget : public Target {
public:
  explicit DialectTarget(std::string version = "1") : version_(std::move(version)) {}
  std::string_view name() const override { return "dialect"; }
  std::string_view version() const override { return version_; }
  Result<TargetSpec> check(TargetSpec spec) const override {
    const int generation = spec.get<DialectOptions>().generation;
    if (generation != 80 && generation != 90)
      return usage_error(fmt::format("the dialect has the generations 80 and 90, not {}", generation));
    return spec;
  }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override {
    return read_options<DialectOptions>(read);
  }
  std::string triple(const TargetSpec &) const override { return "nvptx64-nvidia-nvcl"; }
  std::string cpu(const TargetSpec &spec) const override {
    return fmt::format("sm_{}", spec.get<DialectOptions>().generation);
  }
  std::string features(const TargetSpec &) const override { return "+ptx80"; }
  std::string data_layout(const TargetSpec &) const override {
    return "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64";
  }
  unsigned dwarf_version() const override { return 2; }
  TargetCapabilities capabilities(const TargetSpec &) const override {
    return {.runs_on_host = false,
            .kernel_state = KernelStateType::ExceptionRecord,
            .convergent_calls = true,
            .can_check_accesses = false,
            .can_interrupt = false,
            .address_spaces = true,
            .max_atomic_bytes = 8,
            .atomic_scope = "device",
            .vectorizes_loops = false,
            .one_line_an_instruction = true,
            .makes_objects = false,
            .assembly_extension = "dialect"};
  }
  std::string_view overlay() const override { return "dialect"; }
  std::vector<EmbeddedSource> overlay_sources() const override {
    EmbeddedSource file;
    file.name = "dialect.jl";
    file.text = overlay_text;
    return {file};
  }
  Result<void> finish_module(const CompilerConfig &config, llvm::Module &,
                             llvm::Function &entry) const override {
    if (config.kernel) entry.setCallingConv(llvm::CallingConv::PTX_Kernel);
    return {};
  }
  std::vector<Rewrite> rewrites(RewritePhase phase) const override {
    if (phase == RewritePhase::Linked) return {{"stopped clock", stop_the_clock}};
    return {};
  }
  bool is_intrinsic(std::string_view function) const override { return function.starts_with("llvm."); }
  Result<std::string> finish_assembly(const CompilerConfig &, std::string text) const override {
    return "// dialect " + version_ + "\n" + text;
  }

private:
  std::string version_;
};

} // namespace kiln::test
