// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/extension/language/calls.h: calls by values.
#include "call_scope.h"

#include <kiln/extension/language/calls.h>
#include <support/exceptions.h>
#include <support/float_environment.h>

#include <cstring>

namespace kiln {

Result<Value> evaluate(Session &session, std::string_view name, std::string_view text) {
  CallScope scope(session.state());
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  return session.state().evaluate(name, text);
}

Result<ResolvedCall> resolve_call(Session &session, std::string_view call) {
  CallScope scope(session.state());
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  auto use = session.state().code.use();
  return session.state().jobs.resolve(call);
}

ResolvedCall call_of(World &world, const Value &function, std::span<const TypeRef> arguments) {
  TypeContext &types = world.types();
  std::vector<TypeRef> all{types.type_of(function)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  return {function, {arguments.begin(), arguments.end()}, types.tuple(all), {}};
}

static Result<void> check_values(std::string_view called, const Value &function,
                                 std::span<const Value> arguments) {
  if (!function) return usage_error(fmt::format("{}: the function has no value", called));
  for (const Value &argument : arguments)
    if (!argument)
      return usage_error(
          fmt::format("{}: argument {} has no value", called, &argument - arguments.data() + 1));
  return {};
}

Result<ResolvedCall> call_of(Session &session, const Value &function, std::span<const Value> arguments) {
  Session::State &s = session.state();
  CallScope scope(s);
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  KILN_CHECK(check_values("call_of", function, arguments));
  std::vector<TypeRef> argument_types;
  for (const Value &argument : arguments) {
    KILN_TRY(Value value, s.argument_value(argument));
    KILN_TRY(Value adapted, s.adapt(value));
    argument_types.push_back(s.types.type_of(adapted));
  }
  return call_of(s.world, function, argument_types);
}

Result<Job> job(Session &session, const ResolvedCall &call, const CompilerConfig &config) {
  return session.job(call.function, call.arguments, config);
}

namespace {

Result<PreparedKernel> prepare_call(Session::State &s, const ResolvedCall &call, const CompilerConfig &given,
                                    const Device &device) {
  KILN_CHECK(s.devices.check(device));
  KILN_TRY(CompilerConfig config, s.launcher.config_for(*device.state(), given));
  auto use = s.code.use();
  KILN_TRY(CompilerJob job, s.job(call.function, call.arguments, config, call.at));
  return s.prepare_kernel(job, device);
}

} // namespace

Result<void> launch(Session &session, const Device &device, const Value &function, const LaunchShape &shape,
                    std::span<const Value> arguments, const CompilerConfig &given,
                    const LaunchOptions &options) {
  Session::State &s = session.state();
  CallScope scope(s);
  KILN_CHECK(scope.check());
  const DefaultFloatEnvironment floats;
  KILN_CHECK(s.devices.check(device));
  KILN_CHECK(check_values("launch", function, arguments));
  std::vector<Value> values, adapted; // arrays as kernels see them: they point into `values`
  for (const Value &argument : arguments) {
    KILN_TRY(Value value, s.argument_value(argument));
    values.push_back(std::move(value));
    KILN_TRY(Value as_seen, s.adapt(values.back()));
    adapted.push_back(std::move(as_seen));
  }
  std::vector<TypeRef> argument_types;
  for (const Value &value : adapted) argument_types.push_back(s.types.type_of(value));
  CompilerConfig config = given;
  if (options.time_limit.count() != 0) config.interruptible = true;
  KILN_TRY(PreparedKernel prepared,
           prepare_call(s, call_of(s.world, function, argument_types), config, device));
  std::vector<Value> all{function};
  all.insert(all.end(), adapted.begin(), adapted.end());
  KILN_TRY(ParameterBytes bytes, encode(s.types, all));
  EntryParameters entry;
  KILN_CHECK(entry.read(prepared.kernel.artifact(), bytes));
  const std::span<const void *const> parameters = entry.addresses();
  if (!device.is_gpu()) return session.launch(prepared.kernel, shape, parameters, options);
  KILN_TRY(Stream stream, session.stream(device));
  HostMirror mirror(stream);
  for (const Value &value : values) add_arrays(mirror, value);
  KILN_CHECK(mirror.upload());
  for (size_t i = 0; i < bytes.size(); i++)
    redirect(mirror, s.types, prepared.parameters[i], bytes[i].data());
  KILN_CHECK(stream.launch(prepared.kernel, shape, parameters, options));
  Result<void> ran = stream.synchronize();
  KILN_CHECK(mirror.download());
  KILN_CHECK(stream.synchronize());
  return ran;
}

Result<Value> run_body(Interpreter &interpreter, Module &module, Symbol name, Span at,
                       const BuildBody &body) {
  if (!body) return usage_error(fmt::format("run_body: {} has no body", name.text()));
  BodyBuilder builder(interpreter.world(), name, at);
  builder.add_argument(interpreter.world().types().symbol("#self#"));
  KILN_TRY(Operand value, call_embedder([&] { return fmt::format("the body of {}", name.text()); },
                                        [&] { return body(builder); }));
  if (!builder.terminated()) builder.return_(value ? value : builder.nothing());
  KILN_TRY(CodeInfo code, builder.finish(&interpreter.world().sources()));
  return interpreter.run(code, module);
}

} // namespace kiln
