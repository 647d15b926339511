// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links libdevice, NVIDIA's math library. Each worker parses the library once for each variant (architecture,
// fast math), when the first job calls an __nv_ function. The library's functions are simplified before the
// first job gets a copy.
#include "cuda_toolkit.h"
#include "passes.h"
#include "ptx.h"

#include <job/job.h>
#include <llvm_support/llvm_support.h>
#include <support/support.h>

#include <llvm/IR/AttributeMask.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <fmt/format.h>

namespace kiln::ptx {
namespace {

/// Prepares one function of the library for jobs.
class Simplifier {
public:
  explicit Simplifier(ReflectValues values) : values_(values) {
    passes_.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    passes_.addPass(llvm::EarlyCSEPass());
    passes_.addPass(llvm::SimplifyCFGPass());
    passes_.addPass(llvm::InstCombinePass());
    passes_.addPass(llvm::SimplifyCFGPass());
  }

  void operator()(llvm::Function &function) {
    resolve_reflect(function, values_);
    // Remove string attributes, which configure NVIDIA's own compile.
    llvm::AttributeMask strings;
    for (llvm::Attribute attribute : function.getAttributes().getFnAttrs())
      if (attribute.isStringAttribute()) strings.addAttribute(attribute.getKindAsString());
    function.removeFnAttrs(strings);
    passes_.run(function, analyses_.functions);
    for (llvm::Instruction &instruction : function.getEntryBlock())
      if (llvm::isa<llvm::AllocaInst>(instruction))
        instruction.setName(llvm::Twine(llvm::StringRef(libdevice_alloca)) + instruction.getName());
    analyses_.clear();
  }

private:
  ReflectValues values_;
  Analyses analyses_;
  llvm::FunctionPassManager passes_;
};

Result<std::unique_ptr<ResidentLibrary>> load(const Target &target, const CompilerConfig &config,
                                              Worker &worker) {
  Found libdevice = find_libdevice();
  if (libdevice.path.empty())
    return machine_error(
        "this job needs libdevice (libdevice.10.bc) of the CUDA toolkit, which was not found; looked in " +
            libdevice.looked_in,
        "install the CUDA toolkit or the package nvidia-cuda-nvcc, or set KILN_CUDA_HOME to the "
        "folder that holds nvvm/libdevice");
  Result<std::string> bitcode = read_file(libdevice.path);
  if (!bitcode)
    return machine_error(
        fmt::format("libdevice cannot be read: {}", bitcode.error().diagnostics().front().message));
  auto simplify = std::make_shared<Simplifier>(reflect_values(config.target));
  return ResidentLibrary::parse(worker, std::move(*bitcode), libdevice.path, target.triple(config.target),
                                target.data_layout(config.target),
                                [simplify](llvm::Function &function) { (*simplify)(function); });
}

} // namespace

bool calls_libdevice(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.isDeclaration() && !function.use_empty() && function.getName().starts_with("__nv_"))
      return true;
  return has_exact_remainders(module);
}

Result<void> link_libdevice(const Target &target, const CompilerConfig &config, llvm::Module &module,
                            Worker &worker) {
  if (!calls_libdevice(module)) return {};
  call_library_for_remainders(module);
  return catch_fatal_errors(worker, [&]() -> Result<void> {
    std::string key =
        fmt::format("ptx libdevice {} {}", config.target.get<PtxOptions>().sm, config.target.fast_math);
    KILN_TRY(ResidentLibrary * library,
             worker.keep_in_context<ResidentLibrary>(key, [&] { return load(target, config, worker); }));
    KILN_CHECK(library->define_missing(module));
    return {};
  });
}

} // namespace kiln::ptx
