// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches by a function's name.
#include "launch_service.h"

#include "job_code.h"
#include "stoppable.h"

#include <launch/launch.h>
#include <support/float_environment.h>
#include <support/guard_target.h>
#include <support/releasable_lock.h>

#include <cstring>

namespace kiln {

PinnedLaunch LaunchService::find(const LaunchKey &key) {
  return jobs_.is_collecting() ? PinnedLaunch() : table_.find(key, jobs_.definitions().world().age());
}

Result<PinnedLaunch> LaunchService::kernel(const LaunchKey &key) {
  if (PinnedLaunch found = find(key)) return found;
  const DefaultFloatEnvironment floats;
  KILN_TRY(CompilerConfig config, config_for(*key.device, key.config));
  if (key.interruptible) config.interruptible = true;
  if (key.may_overlap) config.invariant_arguments = false;
  std::vector<std::string_view> types;
  for (const Argument &argument : key.arguments) types.push_back(argument.type);
  auto use = jobs_.use();
  KILN_TRY(CompilerJob job, jobs_.job(key.function, types, config));
  JobCode source(loader_, job, {.share = true, .improver = &improver_});
  KILN_TRY(LoadedKernel kernel, source.prepare_on(key.device));
  return table_.add(key, job.world, std::move(kernel));
}

/// Checks that the device can access all memory that the arguments point to. Error: Usage.
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
Result<void> LaunchService::launch(const std::shared_ptr<DeviceBackend> &on, std::string_view function,
                                   std::span<const Argument> arguments, const CompilerConfig &asked,
                                   const LaunchOptions &options, Run &&run) {
  const CompilerConfig &given = jobs_.chosen(asked);
  if (function.empty())
    return usage_error("a launch of a kernel without a name: name a function that Session::load has defined");
  const DeviceApi &api = on->api();
  KILN_CHECK(check_options(options, *on));
  LaunchKey key{.device = on,
                .function = function,
                .arguments = arguments,
                .config = given,
                .interruptible = options.time_limit.count() != 0};
  PinnedLaunch found = find(key);
  if (!found) {
    KILN_TRY(found, run_stoppable(options.stop, [&] { return kernel(key); }));
  }
  EntryParameters entry;
  KILN_CHECK(entry.read(function, *found, arguments));
  const std::span<void *const> pointers = entry.addresses();
  if (api.read_only_loads && given.invariant_arguments &&
      !are_apart(device_memory(*found->artifact, found->memory, pointers))) {
    // Recompiles without invariant_arguments, since the arrays overlap, which Julia allows.
    key.may_overlap = true;
    KILN_TRY(found, kernel(key));
  }
  if (api.own_address_space) KILN_CHECK(check_pointers(*on, function, *found, pointers));
  return run(*found, std::span<const void *const>(pointers));
}

Result<void> LaunchService::launch(const Device &on, std::string_view function, const LaunchShape &shape,
                                   std::span<const Argument> arguments, const CompilerConfig &given,
                                   const LaunchOptions &options) {
  KILN_CHECK(devices_.check(on));
  return launch(state_of(on), function, arguments, given, options,
                [&](const LoadedKernel &kernel, std::span<const void *const> pointers) {
                  const ReleasedLocks released;
                  return state_of(on)->run(kernel, shape, pointers, options);
                });
}

Result<void> LaunchService::launch(const Stream::State &stream, std::string_view function,
                                   const LaunchShape &shape, std::span<const Argument> arguments,
                                   const CompilerConfig &given, const LaunchOptions &options) {
  KILN_CHECK(devices_.check(stream.device.get()));
  return launch(stream.device, function, arguments, given, options,
                [&](const LoadedKernel &kernel, std::span<const void *const> pointers) {
                  return stream.backend->launch(kernel, shape, pointers, options);
                });
}

} // namespace kiln
