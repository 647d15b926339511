// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

#include "call.h"
#include "gpu.h"
#include "iteration_space.h"
#include "json_object.h"
#include "npy_values.h"
#include "output.h"
#include "with_session.h"

#include <support/count.h>

#include <unistd.h>

namespace kiln::tool {

Result<LaunchPlan> make_plan(const LaunchCommand &command) {
  const CompileOptions &options = command.compile;
  const RunOptions &launch = command.launch;
  KILN_CHECK(command.common.check());
  if (options.inputs.size() < 2 || options.call().ends_with(".jl"))
    return usage_error("run takes files and then a function: kiln run FILE.jl... f");
  LaunchPlan plan{.command = command};
  KILN_TRY(plan.device, launch.place());
  CompileOptions for_device = options;
  if (plan.is_gpu() && options.option("target").empty()) {
    KILN_TRY(std::string target, target_for(plan.device.kind));
    for_device.set_option("target", std::move(target));
  }
  KILN_TRY(plan.config, for_device.config(true));
  KILN_TRY(plan.shape, launch.shape());
  KILN_TRY(plan.context, iteration_space(options.workgroup_size, options.ndrange));
  if (!plan.context.empty() && options.ndrange.empty())
    return usage_error("--workgroupsize needs the iteration space of the launch: --ndrange X[,Y...]");
  if (!plan.context.empty() && (!launch.threads.empty() || !launch.blocks.empty()))
    return usage_error("--threads and --blocks follow from --ndrange and --workgroupsize");
  plan.config.check = launch.check_accesses;
  plan.config.interruptible = launch.time_limit > 0;
  plan.limits.time_limit = std::chrono::nanoseconds(int64_t(launch.time_limit * 1e9));
  KILN_TRY(plan.outputs, launch.output_files());
  KILN_CHECK(check_argument_texts(launch.arguments));
  KILN_CHECK(check_device(plan.config, plan.device.kind));
  if (plan.is_gpu() && !plan.config.kernel)
    return usage_error("--no-kernel: a plain function runs on the CPU (--device cpu)");
  if (plan.is_gpu() && (plan.config.check || plan.config.interruptible))
    return usage_error(
        fmt::format("--{} is for the CPU (--device cpu){}", plan.config.check ? "check" : "time-limit",
                    plan.device.kind == DeviceKind::Cuda ? "; on a GPU, compute-sanitizer checks" : ""));
  if (plan.device.kind != DeviceKind::Cuda && launch.quick_tier)
    return usage_error("--quick-tier is for GPUs (--device cuda): other code is made by no assembler");
  if (launch.no_coarsen && plan.config.coarsen)
    return usage_error("--coarsen and --no-coarsen exclude each other");
  if (!plan.config.kernel) {
    if (!launch.threads.empty() || !launch.blocks.empty() || launch.shared_bytes)
      return usage_error(
          "--threads, --blocks and --shmem are for kernels: a plain function (--no-kernel) is called once");
    plan.config.entry_abi = EntryAbi::Packed;
  }
  if (!options.emit.empty() || !options.output.empty()) {
    KILN_TRY(plan.artifact, options.artifact(plan.config.target));
  }
  if (command.json && plan.artifact && (options.output.empty() || options.output == "-"))
    return usage_error("--json and the product of --emit both go to standard output: name a file by -o");
  KILN_CHECK(check_writable(options.output));
  for (const auto &output : plan.outputs) KILN_CHECK(check_writable(output.path));
  return plan;
}

namespace {

Result<Value> find_function(Session &session, const CompileOptions &options,
                            std::span<const Capture> captures) {
  if (!options.is_nested()) return evaluate(session, "function", options.call());
  KILN_TRY(auto signature, resolve_call(session, options.call(), captures));
  return signature.function;
}

/// Result of a launch: measurements of bench, or the value that a plain function returned.
struct Ran {
  std::optional<Measurement> measured;
  std::optional<std::string> value; ///< result of a plain function (--no-kernel) as text; empty for kernels
};

Result<Ran> run_on_cpu(Session &session, const LaunchPlan &plan, const Job &job, const LaunchShape &shape,
                       Arguments &arguments, const Value &function) {
  if (!plan.config.kernel) {
    KILN_TRY(Value result, call_function(session, function, arguments.values(), plan.config));
    return Ran{.value = to_string(result)};
  }
  KILN_TRY(const Kernel kernel, job.prepare(session.cpu()));
  KILN_TRY(const ParameterBytes bytes, arguments.encode(function));
  EntryParameters entry;
  KILN_CHECK(entry.read(kernel.artifact(), bytes));
  const std::span<const void *const> pointers = entry.addresses();
  auto launch = [&] { return session.launch(kernel, shape, pointers, plan.limits); };
  if (!plan.bench) {
    KILN_CHECK(launch());
    return Ran();
  }
  const TimingScope scope = session.time("measure");
  KILN_TRY(Measurement measured, measure(*plan.bench, launch));
  return Ran{.measured = std::move(measured)};
}

Result<Ran> run_on_gpu(Session &session, const LaunchPlan &plan, GpuRun &gpu, const Job &job,
                       const LaunchShape &shape, Arguments &arguments, const Value &function) {
  Ran ran;
  KILN_CHECK(gpu.prepare(job, arguments, function));
  if (plan.bench) {
    const TimingScope scope = session.time("measure");
    KILN_TRY(ran.measured, gpu.measure(*plan.bench, shape));
  } else {
    KILN_CHECK(gpu.launch(shape));
  }
  KILN_CHECK(gpu.download());
  return ran;
}

/// Adds a hint to the error of a call with argument types, f(T1, T2). `kiln compile` accepts such a call, but
/// `kiln run` takes a function name.
Error with_hint(Error error, const CompileOptions &options) {
  const size_t list = options.call().find('(');
  if (list == std::string::npos || list == 0 || options.is_nested()) return error;
  error.diagnostics()[0].hint =
      fmt::format("run takes a function; its types come from the arguments: kiln run {} {} --arg EXPR ...",
                  fmt::join(options.files(), " "), options.call().substr(0, list));
  return error;
}

std::string device_text(const LaunchPlan &plan) { return plan.is_gpu() ? text_of(plan.device) : "the CPU"; }

/// Result of `run --json`.
std::string run_json(const LaunchPlan &plan, const LaunchShape &shape, const Ran &ran,
                     std::chrono::duration<double> launched) {
  auto extents = [](JsonObject &out, std::string_view name, const Extents &of) {
    out.add_list(name, of, [](uint32_t extent) { return std::to_string(extent); });
  };
  JsonObject out;
  out.add("function", plan.command.compile.call()).add("device", text_of(plan.device));
  if (plan.config.kernel) {
    extents(out, "blocks", shape.blocks);
    extents(out, "threads", shape.threads);
    out.add("shared_bytes", shape.shared_bytes);
  }
  out.add("seconds_with_compiling", launched.count());
  if (ran.value) out.add("value", *ran.value);
  std::vector<JsonObject> outputs;
  for (const RunOptions::Output &output : plan.outputs)
    outputs.push_back(JsonObject().add("argument", output.argument).add("file", output.path));
  return out.add("outputs", outputs).line();
}

/// Adds a hint about --no-kernel to the error for a kernel that returns a value.
Error with_plain_hint(Error error) {
  Diagnostic &first = error.diagnostics()[0];
  if (first.code == ErrorCode::KernelResult)
    first.hint += fmt::format("{}--no-kernel calls a plain function.", first.hint.empty() ? "" : " ");
  return error;
}

/// Summarises a launch: "saxpy: 4 blocks of 256 threads on the CPU, 12.3 ms with compiling; wrote y.npy
/// (argument 1)".
std::string launch_note(const LaunchPlan &plan, const LaunchShape &shape,
                        std::chrono::duration<double, std::milli> launched) {
  auto product = [](const Extents &extents) { return uint64_t(extents[0]) * extents[1] * extents[2]; };
  std::string text =
      fmt::format("{}: {} of {} on {}, {:.1f} ms with compiling", plan.command.compile.call(),
                  counted(product(shape.blocks), "block"), counted(product(shape.threads), "thread"),
                  device_text(plan), launched.count());
  for (const auto &output : plan.outputs)
    text += fmt::format("{} {} (argument {})", &output == plan.outputs.data() ? "; wrote" : ",", output.path,
                        output.argument);
  return text;
}

Result<void> run_in(Session &session, const LaunchPlan &plan) {
  if (plan.command.launch.seed_option->count()) interpreter_of(session).set_seed(plan.command.launch.seed);
  KILN_CHECK(load_files(session, plan.command.compile.files()));
  Arguments arguments(session);
  KILN_TRY(auto captures, arguments.captures(plan.command.compile.captures));
  Result<Value> function_found = find_function(session, plan.command.compile, captures);
  if (!function_found.ok()) return with_hint(function_found.take_error(), plan.command.compile);
  const Value function = std::move(*function_found);
  std::vector<std::string> expressions = plan.command.launch.arguments;
  LaunchShape shape = plan.shape;
  size_t hidden = 0; // 1 if the iteration space is a hidden first argument, which --out does not count
  if (!plan.context.empty()) {
    KILN_TRY(shape, shape_of_context(session, plan.context));
    shape.shared_bytes = plan.shape.shared_bytes;
    expressions.insert(expressions.begin(), plan.context);
    hidden = 1;
  }
  KILN_CHECK(arguments.evaluate(expressions));
  std::vector<std::shared_ptr<HostArray>> arrays;
  for (const auto &output : plan.outputs) {
    KILN_TRY(auto array, arguments.array(output.argument + hidden));
    arrays.push_back(std::move(array));
  }

  Location at{session.world().sources().add("function", plan.command.compile.call()), 0,
              uint32_t(plan.command.compile.call().size())};
  CompilerConfig config = plan.config;
  std::optional<GpuRun> gpu;
  if (plan.is_gpu()) {
    KILN_TRY(Device device, session.device(text_of(plan.device)));
    KILN_TRY(config, plan.command.compile.config_on(session, device));
    gpu.emplace(session, std::move(device));
  }
  Result<Job> found = session.job(function, arguments.types(), config, at);
  if (!found.ok()) {
    Error error = found.take_error();
    Diagnostic &first = error.diagnostics()[0];
    if (first.code == ErrorCode::MethodError && first.hint.empty())
      first.hint = fmt::format(
          "there {} --arg: give one for each argument, in order, such as --arg 'ones(Float32, 4)'",
          expressions.empty() ? "is no"
                              : fmt::format("{} {}", expressions.size() - hidden == 1 ? "is" : "are",
                                            expressions.size() - hidden));
    return error;
  }
  const Job job = *found;
  if (plan.artifact) {
    KILN_TRY(auto product, job.compile(*plan.artifact));
    KILN_CHECK(write_result(plan.command.compile.output, product->bytes));
  }
  using Clock = std::chrono::steady_clock;
  const Clock::time_point began = Clock::now();
  auto launch = [&] {
    return gpu ? run_on_gpu(session, plan, *gpu, job, shape, arguments, function)
               : run_on_cpu(session, plan, job, shape, arguments, function);
  };
  Result<Ran> launch_result = launch();
  if (!launch_result.ok()) return with_plain_hint(launch_result.take_error());
  const Ran ran = std::move(*launch_result);

  const std::chrono::duration<double, std::milli> launched = Clock::now() - began;
  const TimingScope scope = session.time("write results");
  for (size_t i = 0; i < arrays.size(); i++) {
    KILN_TRY(NpyArray array, npy_from_array(session.world().types(), *arrays[i]));
    KILN_CHECK(write_npy(plan.outputs[i].path, array));
  }
  const bool json = plan.command.json;
  if (ran.measured)
    return write_result({}, json ? measurement_json(plan.command.compile.call(), *plan.bench, *ran.measured)
                                 : measurement_text(*plan.bench, *ran.measured));
  if (json) return write_result({}, run_json(plan, shape, ran, launched));
  if (ran.value) return write_result({}, *ran.value + "\n");
  if (plan.config.kernel && (::isatty(STDERR_FILENO) || plan.command.common.verbose))
    note(launch_note(plan, shape, launched)); // on a terminal or with -v, so that scripts see no notes
  return {};
}

} // namespace

Result<void> run_plan(const LaunchPlan &plan) {
  SessionOptions opening = plan.command.common.session();
  opening.quick_tier = plan.command.launch.quick_tier;
  opening.coarsen = !plan.command.launch.no_coarsen;
  if (plan.bench) opening.cpu_tier = SessionOptions::CpuTier::Optimized; // measures one code
  return with_session(plan.command.common, opening, [&](Session &session) { return run_in(session, plan); });
}

} // namespace kiln::tool
