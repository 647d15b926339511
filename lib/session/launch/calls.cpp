// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/extension/language/calls.h: calls by values.
#include "stoppable.h"

#include <session/session_state.h>

#include <kiln/extension/language/calls.h>
#include <support/exceptions.h>
#include <support/releasable_lock.h>

namespace kiln {

namespace {

/// Opens a session for one call on values, with the services that the call uses.
struct OpenSession {
  explicit OpenSession(Session &session)
      : definitions(definitions_of(session)), jobs(jobs_of(session)), launches(launches_of(session)),
        scope(gate_of(session)) {}
  Result<void> check() const { return scope.check(); }
  Definitions &definitions;
  JobService &jobs;
  LaunchService &launches;
  const ComputingCall scope;
};

} // namespace

Interpreter &interpreter_of(Session &session) { return definitions_of(session).interpreter(); }

Result<Value> evaluate(Session &session, std::string_view name, std::string_view text) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  return open.definitions.evaluate(name, text);
}

Result<ResolvedCall> resolve_call(Session &session, std::string_view call,
                                  std::span<const Capture> captures) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  auto use = open.definitions.use();
  return open.definitions.resolve_call(call, captures);
}

Result<Value> kernel_value(Session &session, const Value &value) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  return open.definitions.kernel_value(value);
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

namespace {

/// Values of a call: as the embedder passed them, and in the form for kernels.
struct CallValues {
  /// The original arguments; they own the arrays to which the converted values point.
  std::vector<Value> given;
  std::vector<Value> seen;
  std::vector<TypeRef> types; ///< of the arguments
};

Result<CallValues> values_of_call(Definitions &definitions, const Value &function,
                                  std::span<const Value> arguments) {
  CallValues values{.given = {}, .seen = {function}, .types = {}};
  for (const Value &argument : arguments) {
    KILN_TRY(Value value, definitions.argument_value(argument));
    values.given.push_back(std::move(value));
    KILN_TRY(Value seen, definitions.kernel_value(values.given.back()));
    values.types.push_back(definitions.types().type_of(seen));
    values.seen.push_back(std::move(seen));
  }
  return values;
}

} // namespace

Result<ResolvedCall> call_of(Session &session, const Value &function, std::span<const Value> arguments) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  KILN_CHECK(check_values("call_of", function, arguments));
  KILN_TRY(const CallValues values, values_of_call(open.definitions, function, arguments));
  return call_of(open.definitions.world(), function, values.types);
}

Result<Job> job(Session &session, const ResolvedCall &call, const CompilerConfig &config) {
  return session.job(call.function, call.arguments, config, call.at);
}

Result<Value> call_function(Session &session, const Value &function, std::span<const Value> arguments,
                            const CompilerConfig &given) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  KILN_CHECK(check_values("call_function", function, arguments));
  TypeContext &types = open.definitions.types();
  KILN_TRY(CallValues values, values_of_call(open.definitions, function, arguments));
  CompilerConfig config = open.jobs.chosen(given);
  config.kernel = false;
  TypeRef returns = nullptr;
  auto prepare = [&]() -> Result<HostFunction> {
    auto use = open.jobs.use(); // released before the function runs, so that definitions need not wait for it
    KILN_TRY(CompilerJob job, open.jobs.job(function, values.types, config));
    return open.launches.host_function(std::move(job), &returns);
  };
  KILN_TRY(const HostFunction compiled, prepare());
  KILN_TRY(const ParameterBytes bytes, encode(types, values.seen));
  EntryParameters entry;
  KILN_CHECK(entry.read(compiled.artifact(), bytes));
  std::vector<std::byte> result(std::max<uint64_t>(compiled.artifact().return_size, 16));
  const std::span<const void *const> parameters = entry.addresses();
  const StageScope scope(&open.jobs.log().timer, Stage::Launch);
  auto run = [&] {
    // Releases this thread's locks, so that other threads need not wait for the function.
    const ReleasedLocks released;
    return compiled.call(parameters, result.data());
  };
  KILN_CHECK(run());
  if (types.is_singleton(returns)) return types.singleton_value(returns);
  return from_bytes(types, returns, result.data());
}

Result<void> launch(Session &session, const Device &device, const Value &function, const LaunchShape &shape,
                    std::span<const Value> arguments, const CompilerConfig &given,
                    const LaunchOptions &options) {
  OpenSession open(session);
  KILN_CHECK(open.check());
  KILN_CHECK(open.launches.devices().check(device));
  KILN_CHECK(check_values("launch", function, arguments));
  TypeContext &types = open.definitions.types();
  KILN_TRY(CallValues values, values_of_call(open.definitions, function, arguments));
  KILN_TRY(CompilerConfig config, open.launches.config_for(*state_of(device), given));
  if (options.time_limit.count() != 0) config.interruptible = true;
  auto prepare = [&]() -> Result<Kernel> {
    auto use = open.jobs.use(); // released before the kernel runs, so that definitions need not wait for it
    KILN_TRY(CompilerJob job, open.jobs.job(function, values.types, config));
    return open.launches.prepare(job, device);
  };
  KILN_TRY(const Kernel kernel, run_stoppable(options.stop, prepare));
  KILN_TRY(ParameterBytes bytes, encode(types, values.seen));
  EntryParameters entry;
  KILN_CHECK(entry.read(kernel.artifact(), bytes));
  const std::span<const void *const> parameters = entry.addresses();
  if (!device.is_gpu()) return session.launch(kernel, shape, parameters, options);
  KILN_TRY(Stream stream, session.stream(device));
  HostMirror mirror(stream);
  for (const Value &value : values.given) add_arrays(mirror, value);
  KILN_CHECK(mirror.upload());
  for (size_t i = 0; i < bytes.size(); i++) {
    const Value &value = values.seen[kernel.artifact().parameters[i].argument];
    redirect(mirror, types, types.type_of(value), bytes[i].data());
  }
  KILN_CHECK(stream.launch(kernel, shape, parameters, options));
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
