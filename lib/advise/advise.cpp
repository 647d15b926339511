// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "advise.h"

#include "of_job.h"
#include "rules.h"

#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/internal/hint.h>
#include <support/support.h>

#include <fmt/format.h>

namespace kiln {
namespace {

Result<void> check(const CompilerConfig &config) {
  if (config.debug_level == 0 || config.strip)
    return usage_error(fmt::format(
        "advice names places in the source: the job needs debug information, so leave {} and {} out",
        by_door("-g0", "\"g\": 0", "debug_level=0"), option_hint("strip")));
  if (config.opt_level == 0 || !config.optimize)
    return usage_error(fmt::format("advice is about optimised code: leave {} and {} out",
                                   by_door("-O0", "\"O\": 0", "opt_level=0"), option_hint("no-optimize")));
  return {};
}

/// Runs the rules that read a cubin, and so need the assembler. If there is no assembler, or it rejects the
/// kernel, these rules are listed as not checked. An example is CUDA 13's assembler, which does not know
/// sm_52. The rules on IR do not depend on it.
Result<void> find_of_cubin(const Job &job, const KernelIr &ir, const GpuFacts &gpu, Assembling assembling,
                           Findings &findings, AdviceReport &report) {
  auto leave_out = [&](std::string_view why) -> Result<void> {
    report.not_checked.push_back(fmt::format("spills, occupancy: {}", why));
    return {};
  };
  if (assembling == Assembling::LeaveOut) return leave_out("no cubin was asked for");
  if (!job.config().kernel) return leave_out("they are a kernel's, and this is a function that kernels call");
  auto cubin = job.compile(ArtifactKind::Cubin);
  if (!cubin.ok()) {
    const Diagnostic &first = cubin.error().diagnostics().front();
    if (cubin.error().kind() != ErrorKind::Machine && first.code != ErrorCode::AssemblerError)
      return cubin.take_error();
    return leave_out(first.hint.empty() ? first.message : fmt::format("{} ({})", first.message, first.hint));
  }
  find_resources(ir, (*cubin)->resources, gpu, findings);
  report.num_checked += 2; // spills, occupancy
  return {};
}

} // namespace

Result<AdviceReport> KILN_API_VERSION::advise(Session &session, const Job &job) {
  return advise_job(session, job, Assembling::Ask);
}

Result<AdviceReport> advise_job(Session &session, const Job &job, Assembling assembling) {
  if (!job) return usage_error("advise: the job is empty");
  KILN_CHECK(session.check());
  KILN_CHECK(check(job.config()));
  KILN_TRY(auto optimised, job.compile(ArtifactKind::LlvmOpt));
  KILN_TRY(const KernelIr ir, KernelIr::parse(optimised->bytes));
  KILN_TRY(const std::optional<GpuCode> code, job.gpu_code());
  std::optional<GpuFacts> gpu;
  if (code) gpu = {code->sm, code->block_threads};
  Findings findings(session.world().sources());
  AdviceReport report;
  find_wide_values(ir, gpu ? &*gpu : nullptr, findings);
  if (gpu) {
    report.num_checked = 8; // wide-float, wide-integer, division, local-memory, stride, bank-conflict,
                            // lockstep, serial-products
    find_divisions(ir, &*gpu, findings);
    find_local_memory(ir, findings);
    find_strides(ir, *gpu, findings);
    find_lockstep(ir, findings);
    find_serial_products(ir, findings);
    KILN_CHECK(find_of_cubin(job, ir, *gpu, assembling, findings, report));
  } else {
    report.num_checked = 2; // wide-float, division
    // On a CPU, the optimised IR contains additional loops over the threads of a block. The user's own loops
    // are therefore searched in the emitted, not yet optimised IR.
    KILN_TRY(auto emitted, job.compile(ArtifactKind::Llvm));
    KILN_TRY(const KernelIr before, KernelIr::parse(emitted->bytes));
    find_divisions(before, nullptr, findings);
    if (job.config().kernel)
      report.not_checked.push_back(
          "wide-integer, local-memory, spills, occupancy, stride, bank-conflict, lockstep, serial-products: they are about "
          "GPUs, and the target is a CPU");
  }
  report.advice = std::move(findings).take();
  return report;
}

Result<AdviceReport> KILN_API_VERSION::advise(Session &session, std::string_view call,
                                              CompilerConfig config) {
  config.debug_level = std::max(config.debug_level, 1);
  config.strip = false;
  KILN_TRY(Job job, session.job(call, config));
  return advise(session, job);
}

} // namespace kiln
