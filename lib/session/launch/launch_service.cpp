// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_service.h"

#include "handles.h"
#include "job_code.h"

#include <session/jobs/c_values.h>

#include <support/guard_target.h>

namespace kiln {

LaunchService::LaunchService(const SessionOptions &options, const CallGate &gate, JobService &jobs,
                             std::shared_ptr<SessionRuntime> runtime, std::shared_ptr<VisibleCode> visible)
    : runtime_(std::move(runtime)), jobs_(jobs), devices_(runtime_), loader_(jobs, std::move(visible)),
      improver_(gate, loader_, options) {
  jobs.objects().set_users([this] { return table_.artifacts_in_use(); });
}

Result<CompilerConfig> LaunchService::config_for(const DeviceBackend &device,
                                                 const CompilerConfig &asked) const {
  const CompilerConfig &given = jobs_.chosen(asked);
  const TargetList &targets = jobs_.targets();
  return guard_target(given, [&]() -> Result<CompilerConfig> {
    CompilerConfig config = given;
    config.kernel = true;
    const DeviceFacts facts = device.facts();
    KILN_TRY(const Target *target, targets.find(config.target.name()));
    const TargetCapabilities capabilities = target->capabilities(config.target);
    if (capabilities.runs_on_host) {
      if (facts.kind == DeviceKind::Cpu) {
        if (capabilities.runs_kernels_on_host) return config;
        return usage_error(fmt::format("the CPU device cannot run kernels of the target {}: compile them for "
                                       "the native target, or run plain functions",
                                       target->name()));
      }
      TargetSpec any_cpu; // placeholder for the device's target
      any_cpu.copy_common_options(config.target);
      const TargetSpec of_device = device.target();
      if (config.target != any_cpu)
        return usage_error(fmt::format("{} runs what is compiled for {}, and the config's target is a CPU",
                                       facts.name, of_device.name()));
      config.target = of_device;
      config.target.copy_common_options(any_cpu);
    } else if (facts.kind == DeviceKind::Cpu) {
      return usage_error("the CPU runs what is compiled for the native target, and the config's is another");
    } else if (capabilities.device != facts.kind) {
      return usage_error(fmt::format("{} runs what is compiled for {}, and the config's target is {}",
                                     facts.name, device.target().name(), target->name()));
    }
    KILN_TRY(target, targets.find(config.target.name()));
    KILN_TRY(config.target, target->for_device(config.target, facts));
    return config;
  });
}

Result<Kernel> LaunchService::prepare(const CompilerJob &job, const Device &on, bool may_be_quick) {
  auto use = jobs_.use();
  JobCode source(loader_, job, {.may_be_quick = may_be_quick, .improver = &improver_});
  KILN_TRY(LoadedKernel loaded, source.prepare_on(state_of(on)));
  return Kernel(make_kernel(on, std::move(loaded)));
}

/// Makes the form in which C calls a plain function.
static std::unique_ptr<HostFunction::State::CForm> c_form(TypeContext &types, const CompilerJob &job,
                                                          const LoadedFunction &function) {
  auto form = std::make_unique<HostFunction::State::CForm>();
  const auto arguments = job.source->arguments->as<DataType>()->params();
  for (const Artifact::Parameter &parameter : function.artifact->parameters) {
    const TypeRef type = arguments[parameter.argument];
    const std::optional<CValue> value = c_value(types, type);
    if (value)
      form->parameters.push_back(*value);
    else
      form->refusal = fmt::format("argument {} is a {}", parameter.argument, spell(type));
  }
  if (!is_c_result(types, function.result))
    form->refusal = fmt::format("it returns a {}", spell(function.result));
  else if (const Layout *layout = layout_of(types, function.result); layout && layout->size)
    form->result = *c_value(types, function.result);
  return form;
}

Result<HostFunction> LaunchService::host_function(CompilerJob job, TypeRef *returns) {
  if (job.config.kernel)
    return usage_error("a kernel is no plain function: set CompilerConfig::kernel to false, or use prepare");
  KILN_TRY(const bool runs_on_host, guard_target(job.config, [&]() -> Result<bool> {
             return jobs_.target_of(job).capabilities(job.config.target).runs_on_host;
           }));
  if (!runs_on_host)
    return usage_error(fmt::format("{} is compiled for the {} target, and plain functions run on the CPU",
                                   job.source->method->name.text(), job.config.target.name()));
  job.config.entry_abi = EntryAbi::Packed; // HostFunction::call uses this ABI
  auto use = jobs_.use();
  KILN_TRY(LoadedFunction function, loader_.host_function(job));
  if (returns) *returns = function.result;
  auto form = c_form(jobs_.definitions().types(), job, function);
  return HostFunction(make_of_process<HostFunction::State>(
      HostFunction::State{std::move(function), runtime_, std::move(form)}));
}

Result<void> LaunchService::check_target(const Job &job, const Device &device) const {
  if (!job.config().kernel)
    return usage_error(
        fmt::format("{} is a plain function: Job::prepare_function makes it ready", job.call()));
  KILN_TRY(CompilerConfig config, config_for(*state_of(device), job.config()));
  if (config.target.name() != job.config().target.name())
    return usage_error(fmt::format("the job {} is for the target {}, which is not the device's ({})",
                                   job.call(), job.config().target.name(), config.target.name()));
  return {};
}

} // namespace kiln
