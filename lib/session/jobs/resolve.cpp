// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "job_service.h"

#include <launch/launch.h>
#include <pipeline/pipeline.h>
#include <support/exceptions.h>
#include <support/guard_target.h>
#include <support/stack.h>

namespace kiln {
namespace {

constexpr uint32_t max_type_size = 20'000; ///< nodes of an argument's type: inference's limit for values

} // namespace

thread_local int AnnouncedRequests::depth_ = 0;

Result<void> JobService::announce(std::string_view call, const CompilerConfig &config) {
  if (!on_job_) return {};
  const CallbackScope callback(&log_.log);
  return call_embedder("SessionOptions::on_job", [&] { return on_job_({call, config}); });
}

Result<CompilerJob> JobService::job(std::string_view call, const CompilerConfig &config) {
  auto use = this->use();
  KILN_TRY(ResolvedCall resolved, definitions_.resolve_call(call));
  return job(resolved.function, resolved.arguments, config, resolved.at);
}

Result<CompilerJob> JobService::job(std::string_view function, std::span<const std::string_view> types,
                                    const CompilerConfig &config) {
  auto use = this->use();
  KILN_TRY(ResolvedCall resolved, definitions_.resolve_launch(function, types));
  return job(resolved.function, resolved.arguments, config, resolved.at);
}

Result<CompilerJob> JobService::job(const Value &function, std::span<const TypeRef> arguments,
                                    const CompilerConfig &config, const Location &at) {
  auto use = this->use();
  if (!function) return usage_error("the function of a job has no value: Session::job takes a function");
  std::vector<TypeRef> all{definitions_.types().type_of(function)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  KILN_TRY(CompilerJob job, job_of_types(all, chosen(config), at));
  if (is_collecting()) held_->collect(job);
  if (on_job_ && !AnnouncedRequests::is_active())
    KILN_CHECK(announce(definitions_.frontend().call_text(job.source->arguments), job.config));
  return job;
}

Result<CompilerJob> JobService::job_of_types(std::span<const TypeRef> all, const CompilerConfig &config,
                                             const Location &at) {
  return guard_target(config, [&] { return make_job(all, config, at); });
}

Result<CompilerJob> JobService::make_job(std::span<const TypeRef> all, const CompilerConfig &config,
                                         const Location &at) {
  auto use = this->use();
  StageScope scope(&log_.timer, Stage::Resolve);
  CompilerWorld &world = definitions_.world();
  TypeContext &types = world.types();
  KILN_TRY(const Target *target, targets_.find(config.target.name()));
  KILN_CHECK(check_config(config, *target));
  for (size_t i = 0; i < all.size(); i++)
    if (!all[i]) return usage_error(fmt::format("the type of argument {} of a job is null", i));
  for (TypeRef type : all)
    if (type->size() > max_type_size)
      return make_error(
          ErrorCode::TypeError,
          fmt::format("the type of an argument has more than {} parts: {}", max_type_size, spell_short(type)),
          at);
  for (TypeRef type : all)
    if (!types.owns(type))
      return usage_error(
          fmt::format("the type {} was made by another session: give this session's own", spell_short(type)));
  const TypeRef tuple = types.tuple(all);
  for (TypeRef type : all)
    if (!types.is_dispatch_element(type))
      return make_error(
          ErrorCode::TypeError,
          fmt::format("{} is not a dispatch tuple: {} is not a concrete type", spell(tuple), spell(type)), at,
          "name the types of the values that will be passed: CuDeviceVector{Float32, 1}, Int64, ...");
  CompilerJob job{.source = nullptr, .config = config, .world = world.age()};
  KILN_TRY(job.config.target, target->check(config.target));
  if (!config.nested.empty()) KILN_CHECK(check_nested(job.config, *target, targets_));
  const Symbol overlay = inference_facts(world, job.config, *target, targets_).overlay;
  KILN_TRY(MethodMatch match, world.lookup_method(tuple, job.world, overlay));
  if (!match.method) return no_method(match, all, overlay, job.world, at);
  if (!match.method->unbound_params.empty()) {
    const std::string_view name = match.method->unbound_params[0].text();
    return make_error(
        ErrorCode::KernelError,
        fmt::format("method captures typevar `{}` (you probably use an unbound type variable)", name),
        world.sources().locate(match.method->at),
        fmt::format("name {0} in the type of an argument, or leave it out", name));
  }
  KILN_TRY(match.method, world.expanded(*match.method, tuple, match.static_params));
  job.source = world.instance(*match.method, tuple, match.static_params);
  return job;
}

Result<CompilerJob> JobService::job(const PrecompileJob &wanted) {
  std::vector<Value> captured; // keeps captured arrays alive while their types are read
  std::vector<Capture> captures;
  for (const auto &[name, expression] : wanted.captures) {
    KILN_TRY(Value value, definitions_.evaluate("capture " + name, expression));
    KILN_TRY(Value adapted, definitions_.kernel_value(value));
    captured.push_back(std::move(value));
    captures.emplace_back(name, std::move(adapted));
  }
  KILN_TRY(ResolvedCall call, definitions_.resolve_call(wanted.call, captures));
  if (!wanted.hidden_argument.empty()) {
    KILN_TRY(Value value, definitions_.evaluate("workgroupsize", wanted.hidden_argument));
    call.arguments.insert(call.arguments.begin(), value.type());
  }
  return job(call.function, call.arguments, wanted.config, call.at);
}

Error JobService::no_method(const MethodMatch &match, std::span<const TypeRef> all, Symbol overlay,
                            WorldAge age, const Location &at) {
  CompilerWorld &world = definitions_.world();
  const bool is_ambiguous = !match.ambiguous.empty();
  Diagnostic fault{.code = ErrorCode::MethodError,
                   .message =
                       fmt::format(fmt::runtime(is_ambiguous ? "{} is ambiguous" : "no method matching {}"),
                                   spell_call(all)),
                   .at = at};
  if (is_ambiguous) fault.hint = "define a method for the intersection of the candidates";
  if (const DataType *callee = all[0]->as<DataType>(); callee && callee->name().is_function)
    for (std::string &why : world.missing_of(callee->name().module, callee->name().function_name))
      fault.notes.push_back({std::move(why), {}});
  constexpr size_t max_shown = 5;
  const std::vector<const Method *> candidates =
      is_ambiguous ? match.ambiguous : world.methods_of(all[0], overlay, age);
  for (size_t i = 0; i < std::min(candidates.size(), max_shown); i++)
    fault.notes.push_back({"candidate: " + spell_signature(candidates[i]->signature),
                           world.sources().locate(candidates[i]->at)});
  if (candidates.size() > max_shown)
    fault.notes.push_back({fmt::format("and {} more methods", candidates.size() - max_shown), {}});
  return Error(std::move(fault));
}

} // namespace kiln
