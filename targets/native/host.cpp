// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/TargetParser/Host.h>

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace kiln::native {
namespace {

struct Host {
  std::string cpu, features;
};

/// Returns the name of the CPU that means the same on every host.
std::string canonical(std::string cpu) {
  return cpu == "generic" && host_machine == Machine::AArch64 ? std::string(generic_aarch64) : cpu;
}

/// Properties of the host's processor, queried once. In a virtual machine each CPUID traps, and would take
/// longer than a cache hit.
const Host &host() {
  static const Host found = [] {
    Host host{canonical(llvm::sys::getHostCPUName().str()), {}};
    std::vector<std::string> features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.push_back((feature.second ? "+" : "-") + feature.first().str());
    std::sort(features.begin(), features.end(),
              [](const std::string &a, const std::string &b) { return a.substr(1) < b.substr(1); });
    for (const std::string &feature : features) host.features += (host.features.empty() ? "" : ",") + feature;
    return host;
  }();
  return found;
}

std::unique_ptr<llvm::MCSubtargetInfo> subtarget_of(Machine machine) {
  const llvm::Triple triple(triple_of(machine));
  initialize_targets(triple);
  std::string reason;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(triple, reason);
  return std::unique_ptr<llvm::MCSubtargetInfo>(target ? target->createMCSubtargetInfo(triple, "", "")
                                                       : nullptr);
}

Result<void> check_names(const NativeOptions &spec) {
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget = subtarget_of(machine_of(spec.cpu));
  if (!subtarget) return machine_error("this LLVM cannot generate code for the CPU");
  if (!spec.cpu.empty() && spec.cpu != generic_aarch64 && !subtarget->isCPUStringValid(spec.cpu)) {
    std::string known;
    for (const llvm::SubtargetSubTypeKV &cpu : subtarget->getAllProcessorDescriptions())
      known += (known.empty() ? "" : ", ") + std::string(cpu.Key);
    return usage_error(fmt::format("there is no CPU '{}'; known are {}, and those of {}", spec.cpu, known,
                                   host_machine == Machine::X86_64 ? "AArch64 (aarch64, neoverse-v2)"
                                                                   : "x86-64 (x86-64-v3)"));
  }
  llvm::SmallVector<llvm::StringRef, 16> features;
  llvm::StringRef(spec.features).split(features, ',', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef feature : features) {
    const bool known =
        llvm::any_of(subtarget->getAllProcessorFeatures(),
                     [&](const llvm::SubtargetFeatureKV &row) { return feature.drop_front() == row.Key; });
    if ((feature[0] != '+' && feature[0] != '-') || !known)
      return usage_error(
          fmt::format("'{}' is no feature of this CPU; write them as \"+avx2,-fma\"", feature.str()));
  }
  return {};
}

} // namespace

Result<TargetSpec> resolve_cpu(TargetSpec spec) {
  static const TargetSpec host_spec =
      NativeOptions{host().cpu, host().features}; // shared, so that jobs do not copy these long strings
  const NativeOptions &wanted = spec.get<NativeOptions>();
  const bool is_host = wanted.cpu.empty() || wanted.cpu == "native";
  // Skip validation for the host's own CPU and features: it would initialise LLVM's target.
  if ((is_host && wanted.features.empty()) || wanted == host_spec.get<NativeOptions>()) {
    TargetSpec resolved = host_spec;
    resolved.fast_math = spec.fast_math;
    resolved.contract = spec.contract;
    return resolved;
  }
  NativeOptions options{canonical(wanted.cpu), wanted.features};
  if (is_host) options.cpu.clear();
  KILN_CHECK(check_names(options));
  if (is_host) {
    const std::string &all = host().features;
    options = {host().cpu, all.empty() ? options.features : all + "," + options.features};
  }
  TargetSpec resolved = std::move(options);
  resolved.fast_math = spec.fast_math;
  resolved.contract = spec.contract;
  return resolved;
}

} // namespace kiln::native
