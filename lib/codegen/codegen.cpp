// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen.h"

#include "large_functions.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

namespace kiln {
namespace {

/// Replaces names of local functions and globals by numbers, and removes those of values, for stripped
/// output.
void strip_names(llvm::Module &module) {
  unsigned functions = 0, globals = 0;
  for (llvm::Function &function : module)
    if (function.hasLocalLinkage() && !function.isIntrinsic())
      function.setName(fmt::format("f{}", functions++));
  for (llvm::GlobalVariable &global : module.globals())
    if (global.hasLocalLinkage() && !global.getName().starts_with("llvm."))
      global.setName(fmt::format("g{}", globals++));
  for (llvm::Function &function : module) {
    for (llvm::Argument &argument : function.args()) argument.setName("");
    for (llvm::BasicBlock &block : function) {
      block.setName("");
      for (llvm::Instruction &instruction : block) instruction.setName("");
    }
  }
}

/// Gives inlined library code the line of its caller in the user's code. Profilers and compute-sanitizer show
/// only one line per instruction.
void show_lines_of_callers(llvm::Module &module) {
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      const llvm::DILocation *at = instruction.getDebugLoc();
      while (at && at->getInlinedAt() && at->getScope()->getFile()->getDirectory() == LibraryFolder)
        at = at->getInlinedAt();
      if (at != instruction.getDebugLoc().get()) instruction.setDebugLoc(at);
    }
}

} // namespace

Result<void> prepare_codegen(const CompilerConfig &config, llvm::Module &module, const Target &target) {
  if (config.strip || config.debug_level == 0) llvm::StripDebugInfo(module);
  if (config.strip)
    strip_names(module);
  else if (config.debug_level == 1 && target.capabilities(config.target).one_line_an_instruction)
    show_lines_of_callers(module); // debug level 2 keeps all inlined frames
  if (module.debug_compile_units().empty()) return {};
  auto &context = module.getContext();
  auto *i32 = llvm::Type::getInt32Ty(context);
  auto set_flag = [&](llvm::Module::ModFlagBehavior behavior, const char *name, unsigned value) {
    module.setModuleFlag(behavior, name, llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(i32, value)));
  };
  set_flag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  set_flag(llvm::Module::Warning, "Dwarf Version", target.dwarf_version());
  return {};
}

Result<std::string> generate_code(const CompilerConfig &config, llvm::Module &module, const Target &target,
                                  Worker &worker, ArtifactKind kind) {
  if (kind != ArtifactKind::Assembly && kind != ArtifactKind::Object)
    return internal_error("code generation yields assembly or an object only");
  if (kind == ArtifactKind::Object && !target.capabilities(config.target).makes_objects)
    return usage_error(
        fmt::format("the {} target has no object files: ask for assembly, or for a cubin", target.name()));
  MachineSpec machine = machine_spec(target, config);
  const bool is_first_tier = config.first_tier && !has_relaxed_math(module);
  if (is_first_tier || find_large_function(config, module, target)) machine.opt_level = 0;
  KILN_TRY(std::string bytes,
           worker.generate(module, machine,
                           kind == ArtifactKind::Assembly ? OutputKind::Assembly : OutputKind::Object));
  if (kind == ArtifactKind::Object) return bytes;
  return target.finish_assembly(config, std::move(bytes));
}

} // namespace kiln
