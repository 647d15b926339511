// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "assembler.h"
#include "passes.h"

#include <architectures/architectures.h>

#include <algorithm>
#include <mutex>

namespace kiln::ptx {

std::vector<std::string> assembler_options(const CompilerConfig &config) {
  // The PTX text requests full debug information (.target debug). The assembler writes that only for
  // unoptimised code: "Optimized debugging not supported".
  int level = config.debug_level >= 2 && !config.strip ? 0 : config.opt_level;
  // -v changes the cubin's bytes. It is always passed, so that all callers get the same cubin.
  std::vector<std::string> options{"-v", "-O" + std::to_string(level)};
  if (config.debug_level == 1 && !config.strip) options.push_back("-lineinfo");
  return options;
}

std::vector<std::string> quick_options(const CompilerConfig &config) {
  // The tools refuse fast compile together with -O1 and above.
  std::vector<std::string> options{"-v", "-Ofc=max", "-maxrregcount=64"};
  if (config.debug_level == 1 && !config.strip) options.push_back("-lineinfo");
  return options;
}

/// Runs the tool with quick_options. Has an identity of its own.
class ToolkitAssembler::Quick final : public Assembler {
public:
  explicit Quick(const ToolkitAssembler &tool) : tool_(tool) {}
  const std::string &identity() const override {
    std::call_once(named_, [&] { identity_ = tool_.identity() + ", fast compile"; });
    return identity_;
  }
  const std::string &path() const override { return tool_.path(); }
  Result<AssembledObject> assemble(const CompilerConfig &config, const std::string &entry,
                                   std::string_view text, const SourceMap &sources) const override {
    return tool_.assemble_with(quick_options(config), config, entry, text, sources);
  }

private:
  const ToolkitAssembler &tool_;
  mutable std::once_flag named_; ///< named late: the tool's constructor runs before its identity is set
  mutable std::string identity_;
};

ToolkitAssembler::ToolkitAssembler() : quick_(std::make_unique<Quick>(*this)) {}
ToolkitAssembler::~ToolkitAssembler() = default;
const Assembler *ToolkitAssembler::quick() const { return quick_.get(); }

bool ToolkitAssembler::gains_from_quick(const CompilerConfig &config, std::string_view text) const {
  // Code at -O0, -O1 and -g2 assembles fast without quick options. Reject linked binary files, which may
  // define variables.
  return config.opt_level >= 2 && (config.debug_level < 2 || config.strip) &&
         std::all_of(config.linked.begin(), config.linked.end(), is_llvm_ir) &&
         gains_from_quick_options(text);
}

Result<AssembledObject> ToolkitAssembler::assemble(const CompilerConfig &config, const std::string &entry,
                                                   std::string_view text, const SourceMap &sources) const {
  return assemble_with(assembler_options(config), config, entry, text, sources);
}

Result<AssembledObject> ToolkitAssembler::assemble_with(const std::vector<std::string> &options,
                                                        const CompilerConfig &config,
                                                        const std::string &entry, std::string_view text,
                                                        const SourceMap &sources) const {
  KILN_CHECK(check_version(config));
  KILN_TRY(Output made, make(config, options, std::string(text), sources));
  AssembledObject object{std::move(made.cubin), kernel_resources_from(made.log, entry)};
  object.resources.constant_bytes = constant_bank_bytes(object.bytes, entry);
  return object;
}

Result<void> ToolkitAssembler::check_version(const CompilerConfig &config) const {
  const PtxOptions &options = config.target.get<PtxOptions>();
  return check_reader(reader_of(identity()), arch_of(options), isa_of(options));
}

bool ToolkitAssembler::can_merge(const CompilerConfig &config, std::string_view text) const {
  return std::all_of(config.linked.begin(), config.linked.end(), is_llvm_ir) && !launches_grids(text) &&
         can_merge_ptx(text);
}

Result<MergedObject> ToolkitAssembler::assemble_merged(const CompilerConfig &config,
                                                       std::span<const AssemblerInput> inputs,
                                                       const SourceMap &sources) const {
  KILN_CHECK(check_version(config));
  KILN_TRY(MergedPtx merged, merge_ptx(inputs));
  KILN_TRY(Output made, make(config, assembler_options(config), merged.text, sources));
  MergedObject object{std::move(made.cubin), {}};
  for (size_t i = 0; i < inputs.size(); i++) {
    KernelResources resources = kernel_resources_from(made.log, inputs[i].entry, merged.functions[i]);
    resources.constant_bytes = constant_bank_bytes(object.bytes, inputs[i].entry);
    object.resources.push_back(resources);
  }
  return object;
}

Result<std::unique_ptr<Assembler>> find_assembler() {
  const std::string wanted = environment_text("KILN_ASSEMBLER");
  if (wanted == "driver")
    return machine_error("KILN_ASSEMBLER=driver: only a GPU's driver assembles, for launches on it",
                         "nvjitlink and ptxas of the CUDA toolkit need no GPU");
  if (!wanted.empty() && wanted != "nvjitlink" && wanted != "ptxas")
    return usage_error(fmt::format("KILN_ASSEMBLER={}: it takes nvjitlink, ptxas or driver", wanted));
  std::string failures;
  Found library = find_nvjitlink(), program = find_ptxas();
  if (wanted != "ptxas" && !library.path.empty()) {
    auto opened = open_nvjitlink(library);
    if (opened.ok()) return opened;
    failures = opened.error().diagnostics()[0].message + "; ";
  }
  if (wanted != "nvjitlink" && !program.path.empty()) return open_ptxas(program);
  return machine_error(
      fmt::format("there is no assembler for PTX: {}{} in {}", failures,
                  wanted == "ptxas"       ? "no ptxas"
                  : wanted == "nvjitlink" ? "no libnvJitLink"
                                          : "neither libnvJitLink nor ptxas",
                  program.looked_in.empty() ? library.looked_in : program.looked_in),
      "install NVIDIA's CUDA toolkit (or its PyPI packages nvidia-nvjitlink, nvidia-cuda-nvcc), or name its folder in KILN_CUDA_HOME");
}

} // namespace kiln::ptx
