// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace kiln {

const InferenceFacts *NestedFacts::find(Symbol name) const {
  for (const auto &[each, facts] : configs)
    if (each == name) return &facts;
  return nullptr;
}

const NestedConfig *find_nested(const CompilerConfig &config, std::string_view name) {
  for (const NestedConfig &nested : config.nested)
    if (nested.name == name) return &nested;
  return nullptr;
}

const JobHooks *any_hooks(const CompilerConfig &config) {
  if (config.hooks) return config.hooks.get();
  for (const NestedConfig &nested : config.nested)
    if (const JobHooks *hooks = any_hooks(*nested.config)) return hooks;
  return nullptr;
}

bool is_intrinsic_of_hooks(const CompilerConfig &config, std::string_view function) {
  if (config.hooks && config.hooks->is_intrinsic(function)) return true;
  for (const NestedConfig &nested : config.nested)
    if (is_intrinsic_of_hooks(*nested.config, function)) return true;
  return false;
}

namespace {

bool is_identifier(std::string_view name) {
  auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  for (char c : name)
    if (!letter(c) && !(c >= '0' && c <= '9')) return false;
  return !name.empty() && letter(name[0]);
}

/// Fields that a nested config may set. `kernel` is copied from the job.
constexpr std::string_view fields_of_functions[] = {"kernel", "always_inline", "opt_level", "optimize",
                                                    "debug_level"};

/// Returns the first field of a nested config that only whole programs may set. Empty: there is none.
std::string_view field_of_program(const CompilerConfig &config) {
  const CompilerConfig plain;
#define KILN_JOB_OPTION(type, field, ...)                                                                    \
  if (config.field != plain.field && !std::ranges::count(fields_of_functions, #field)) return #field;
#include <kiln/config.def>
  return config.linked.empty() ? std::string_view() : "linked";
}

std::string_view architecture(std::string_view triple) { return triple.substr(0, triple.find('-')); }

Result<void> check_target(std::string_view name, const CompilerConfig &config, const Target &target,
                          const CompilerConfig &job, const Target &of_job) {
  const std::string own = target.triple(config.target), wanted = of_job.triple(job.target);
  const std::string layout = target.data_layout(config.target),
                    wanted_layout = of_job.data_layout(job.target);
  const std::string_view why =
      "the code of a nested job becomes a part of the job's module, so both need the same architecture, the "
      "same data layout, and pointers of the same address spaces";
  if (architecture(own) != architecture(wanted))
    return usage_error(
        fmt::format("the nested config `{}` is for the target {} ({}), and its job for {} ({}): {}", name,
                    target.name(), own, of_job.name(), wanted, why));
  if (layout != wanted_layout)
    return usage_error(fmt::format(
        "the nested config `{}` is for the target {} with the data layout \"{}\", and its job for {} "
        "with \"{}\": {}",
        name, target.name(), layout, of_job.name(), wanted_layout, why));
  const bool fuses = of_job.capabilities(job.target).fuses_operations;
  if (fuses && job.target.contracts(true) && !config.target.contracts(true))
    return usage_error(
        fmt::format("the nested config `{}` has contract off, and its job has it on: the target "
                    "{} fuses products and sums in the whole module, so turn it off in the job's "
                    "own config",
                    name, of_job.name()));
  if (target.capabilities(config.target).address_spaces != of_job.capabilities(job.target).address_spaces)
    return usage_error(
        fmt::format("the nested config `{}` is for the target {}, whose address spaces are not "
                    "those of {}: {}",
                    name, target.name(), of_job.name(), why));
  return {};
}

/// Checks one config and the configs nested in it. `path`: names of the enclosing configs, for messages.
Result<void> check_level(CompilerConfig &config, const Target &target, const TargetList &targets,
                         const std::string &path, int depth) {
  if (!config.nested.empty() && depth == max_nested_depth)
    return usage_error(fmt::format("nested configs are nested more than {} deep, at `{}`: a config cannot "
                                   "contain itself",
                                   max_nested_depth, path));
  std::set<std::string_view> names;
  for (NestedConfig &nested : config.nested) {
    const std::string name = path.empty() ? nested.name : path + "." + nested.name;
    if (!is_identifier(nested.name))
      return usage_error(fmt::format("the name of the nested config `{}` is no identifier: it is made of "
                                     "letters, digits and _, and does not begin with a digit",
                                     name));
    if (!names.insert(nested.name).second)
      return usage_error(fmt::format("there are two nested configs of the name `{}`", name));
    if (!nested.config) return usage_error(fmt::format("the nested config `{}` is null", name));
    if (std::string_view field = field_of_program(*nested.config); !field.empty())
      return usage_error(
          fmt::format("the nested config `{}` sets {}, which is for a whole program: set it in "
                      "the job's own config",
                      name, field));
    auto checked = std::make_shared<CompilerConfig>(*nested.config);
    checked->kernel = false; // a nested job is a function; inference_facts uses the outer job's value
    TargetSpec left_alone;   // the job's own is used
    left_alone.copy_common_options(checked->target);
    if (checked->target == left_alone) {
      checked->target = config.target;
      checked->target.copy_common_options(left_alone);
    }
    if (checked->target.contract == Contraction::Default && !checked->target.fast_math)
      checked->target.contract = config.target.contract;
    KILN_TRY(const Target *own, targets.find(checked->target.name()));
    Result<void> plain = check_config(*checked, *own);
    if (!plain.ok())
      return usage_error(
          fmt::format("in the nested config `{}`: {}", name, plain.error().diagnostics()[0].message));
    KILN_TRY(checked->target, own->check(checked->target));
    KILN_CHECK(check_target(name, *checked, *own, config, target));
    KILN_CHECK(check_level(*checked, *own, targets, name, depth + 1));
    nested.config = std::move(checked);
  }
  return {};
}

} // namespace

Result<void> check_nested(CompilerConfig &config, const Target &target, const TargetList &targets) {
  return check_level(config, target, targets, {}, 0);
}

} // namespace kiln
