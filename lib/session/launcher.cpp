// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launcher.h"

#include "job_code.h"

#include <launch/launch.h>
#include <support/float_environment.h>
#include <support/guard_target.h>
#include <support/releasable_lock.h>

#include <cstring>

namespace kiln {

Result<CompilerConfig> Launcher::config_for(const DeviceBackend &device, const CompilerConfig &given) const {
  return guard_target(given, [&]() -> Result<CompilerConfig> {
    CompilerConfig config = given;
    config.kernel = true;
    const DeviceFacts facts = device.facts();
    const bool is_gpu = facts.compute_capability != 0;
    KILN_TRY(const Target *target, targets_.find(config.target.name()));
    if (target->capabilities(config.target).runs_on_host) {
      if (!is_gpu) return config;
      TargetSpec any_cpu; // stands for the device's own target
      any_cpu.copy_common_options(config.target);
      if (config.target != any_cpu)
        return usage_error(
            fmt::format("{} runs what is compiled for ptx, and the config's target is a CPU", facts.name));
      config.target = device.target();
      config.target.copy_common_options(any_cpu);
    } else if (!is_gpu) {
      return usage_error("the CPU runs what is compiled for the native target, and the config's is another");
    }
    KILN_TRY(target, targets_.find(config.target.name()));
    KILN_TRY(config.target, target->for_device(config.target, facts));
    return config;
  });
}

PinnedLaunch Launcher::find(const LaunchKey &question) {
  return jobs_.is_collecting() ? PinnedLaunch() : table_.find(question, code_.world().age());
}

Result<PinnedLaunch> Launcher::prepare(const LaunchKey &question) {
  if (PinnedLaunch found = find(question)) return found;
  const DefaultFloatEnvironment floats;
  KILN_TRY(CompilerConfig config, config_for(*question.device, question.config));
  if (question.interruptible) config.interruptible = true;
  if (question.may_overlap) config.invariant_arguments = false;
  std::vector<std::string_view> types;
  for (const Argument &argument : question.arguments) types.push_back(argument.type);
  auto use = code_.use();
  KILN_TRY(CompilerJob job, jobs_.job(question.function, types, config));
  JobCode source(prepared_, job, true, tier_, coarsener_);
  KILN_TRY(LoadedKernel kernel, source.prepare_on(question.device));
  return table_.add(question, job.world, std::move(kernel));
}

/// Can the device reach all memory that the arguments lead to? Error: Usage.
static Result<void> check_pointers(DeviceBackend &device, std::string_view function,
                                   const LoadedKernel &kernel, std::span<void *const> arguments) {
  for (const MemoryPart &part : kernel.memory) {
    if (part.is_host) continue;
    uint64_t address = 0;
    std::memcpy(&address, static_cast<const std::byte *>(arguments[part.parameter]) + part.offset,
                sizeof address);
    Result<void> reached = device.check_pointer(address);
    if (reached.ok()) [[likely]]
      continue;
    Error error = reached.take_error();
    error.diagnostics()[0].message =
        fmt::format("argument {} of {}: {}", kernel.artifact->parameters[part.parameter].argument, function,
                    error.diagnostics()[0].message);
    return error;
  }
  return {};
}

template <class Run>
Result<void> Launcher::launch(const std::shared_ptr<DeviceBackend> &on, std::string_view function,
                              std::span<const Argument> arguments, const CompilerConfig &given,
                              const LaunchOptions &options, Run &&run) {
  if (function.empty())
    return usage_error("a launch of a kernel without a name: name a function that Session::load has defined");
  const DeviceApi &api = on->api();
  KILN_CHECK(check_options(options, api));
  LaunchKey question{.device = on,
                     .function = function,
                     .arguments = arguments,
                     .config = given,
                     .interruptible = options.time_limit.count() != 0};
  PinnedLaunch found = find(question);
  if (!found) {
    KILN_TRY(found, prepare(question));
  }
  EntryParameters entry;
  KILN_CHECK(entry.read(function, *found, arguments));
  const std::span<void *const> pointers = entry.addresses();
  if (api.read_only_loads && given.invariant_arguments &&
      !are_apart(device_memory(*found->artifact, found->memory, pointers))) {
    question.may_overlap = true; // arrays may overlap, as in Julia
    KILN_TRY(found, prepare(question));
  }
  if (api.own_address_space) KILN_CHECK(check_pointers(*on, function, *found, pointers));
  return run(*found, std::span<const void *const>(pointers));
}

Result<void> Launcher::launch(const Device &on, std::string_view function, const LaunchShape &shape,
                              std::span<const Argument> arguments, const CompilerConfig &given,
                              const LaunchOptions &options) {
  KILN_CHECK(devices_.check(on));
  return launch(on.state(), function, arguments, given, options,
                [&](const LoadedKernel &kernel, std::span<const void *const> pointers) {
                  const ReleasedLocks released;
                  return on.state()->run(kernel, shape, pointers, options);
                });
}

Result<void> Launcher::launch(const Stream::State &stream, std::string_view function,
                              const LaunchShape &shape, std::span<const Argument> arguments,
                              const CompilerConfig &given, const LaunchOptions &options) {
  KILN_CHECK(devices_.check(stream.device.get()));
  return launch(stream.device, function, arguments, given, options,
                [&](const LoadedKernel &kernel, std::span<const void *const> pointers) {
                  return stream.backend->launch(kernel, shape, pointers, options);
                });
}

} // namespace kiln
