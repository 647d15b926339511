// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <session/session_state.h>

#include <targets/targets.h>

#include <algorithm>

namespace kiln {

static OptionContext context_of(JobService &jobs) {
  return {.targets = jobs.targets(),
          .find_hooks = [&jobs](std::string_view name) { return jobs.hooks().find(name); }};
}

Result<CompilerConfig> Session::read_config(std::string_view json, const CompilerConfig &base) const {
  KILN_TRY(const JsonValue object, parse_options(json));
  return read_options(object, context_of(state_->jobs), state_->jobs.chosen(base));
}

Result<std::vector<CompilerConfig>> Session::read_configs(std::string_view json) const {
  KILN_TRY(const JsonValue object, parse_options(json));
  return read_options_each(object, context_of(state_->jobs), state_->jobs.default_config());
}

Result<CompilerConfig> KILN_API_VERSION::read_config(Session &session, std::string_view json,
                                                     const Device &device) {
  const CallScope call(gate_of(session));
  KILN_CHECK(call.check());
  KILN_CHECK(launches_of(session).devices().check(device));
  CompilerConfig of_device = session.default_config();
  if (device.is_gpu() && of_device.target.name() != device.target().name())
    of_device.target = device.target();
  return session.read_config(json, of_device);
}

Result<CompilerConfig> KILN_API_VERSION::read_config(std::string_view json) {
  KILN_TRY(const JsonValue object, parse_options(json));
  return read_options(object, {.targets = own_targets()});
}

Result<std::vector<CompilerConfig>> KILN_API_VERSION::read_configs(std::string_view json) {
  KILN_TRY(const JsonValue object, parse_options(json));
  return read_options_each(object, {.targets = own_targets()});
}

std::vector<OptionInfo> KILN_API_VERSION::config_options() {
  std::vector<OptionInfo> all;
  for (const ConfigOption &row : named_options()) {
    all.push_back({row.name, row.target(), row.is_flag()});
    if (!row.values.negation.empty()) all.push_back({row.values.negation, row.target(), true});
  }
  return all;
}

std::string KILN_API_VERSION::unknown_option_message(std::string_view name,
                                                     std::span<const std::string> known) {
  return unknown_option(name, OptionDoor::Json, known);
}

Result<ArtifactKind> KILN_API_VERSION::read_stage(std::string_view name) {
  static constexpr std::pair<std::string_view, ArtifactKind> stages[] = {
      {"lowered", ArtifactKind::Lowered},  {"typed", ArtifactKind::Typed},  {"llvm", ArtifactKind::Llvm},
      {"llvm-opt", ArtifactKind::LlvmOpt}, {"asm", ArtifactKind::Assembly}, {"obj", ArtifactKind::Object},
      {"cubin", ArtifactKind::Cubin}};
  for (const auto &[stage, kind] : stages)
    if (stage == name) return kind;
  return usage_error(
      fmt::format("a product is lowered, typed, llvm, llvm-opt, asm, obj or cubin, not `{}`", name));
}

} // namespace kiln
