// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles and launches the kernels of a program: each once per argument types, launched into a queue.
#include "cuda.h"
#include "library.h"

#include <support/float_environment.h>

#include <algorithm>
#include <cstring>

namespace kiln {

Result<CompilerConfig> CudaLibrary::config(const Options &options, bool on_host) {
  const Device device = on_host ? owner_.cpu() : device_;
  CompilerConfig config;
  config.target = device.target();
  if (options.max_registers && device.is_gpu())
    KILN_CHECK(
        set_target_field(config.target, jobs_.targets(), "max_registers", int64_t(options.max_registers)));
  if (options.is_quick) config.opt_level = 1;
  config.name = options.name;
  config.always_inline = options.always_inline;
  config.target.fast_math = options.fast_math;
  return owner_.config_for(device, config);
}

Result<const CudaLibrary::Code *> CudaLibrary::code_of(const Value &function,
                                                       std::span<const Value> arguments,
                                                       const Options &options, bool on_host) {
  std::vector<TypeRef> all;
  for (const Value &argument : arguments) all.push_back(types_.type_of(argument));
  return code_of_types(function, all, options, on_host);
}

Result<const CudaLibrary::Code *> CudaLibrary::code_of_types(const Value &function,
                                                             std::span<const TypeRef> arguments,
                                                             const Options &options, bool on_host) {
  std::vector<TypeRef> all{types_.type_of(function)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::string rest; // default options
  if (options.max_registers || options.always_inline || options.fast_math || options.is_quick ||
      !options.name.empty() || (on_host && device_.is_gpu()))
    rest = fmt::format("{} {} {} {} {} {}", options.max_registers, options.always_inline, options.fast_math,
                       options.is_quick, on_host && device_.is_gpu(), options.name);
  Code &code = code_[{all, std::move(rest)}];
  const bool is_collecting = jobs_.is_collecting(); // @device_code_llvm collects this job
  if (code.world == world_.age() && !is_collecting) return &code;
  const DefaultFloatEnvironment floats;
  KILN_TRY(CompilerConfig config, this->config(options, on_host));
  auto use = jobs_.use();
  const WorldAge world = world_.age();
  KILN_TRY(code.is_seeded, draws_random(all, config));
  if (code.is_seeded) all.insert(all.begin(), types_.builtins().UInt32);
  KILN_TRY(CompilerJob job, jobs_.job(code.is_seeded ? seeded_kernel_ : function,
                                      std::span(all).subspan(code.is_seeded ? 0 : 1), config));
  KILN_TRY(code.kernel, launches_.prepare(job, on_host ? owner_.cpu() : device_));
  code.world = world;
  return &code;
}

namespace {

/// Returns true if the type contains a function of the program, or one of the library's rand functions.
bool may_draw(TypeRef type, int depth = 0) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || depth > 20) return false;
  const TypeName &name = data->name();
  if (name.module.starts_with("Main") || name.function_name.text().starts_with("rand")) return true;
  return std::ranges::any_of(data->params(), [&](TypeRef param) { return may_draw(param, depth + 1); });
}

} // namespace

Result<bool> CudaLibrary::draws_random(std::span<const TypeRef> all, const CompilerConfig &config) {
  if (std::ranges::none_of(all, [](TypeRef type) { return may_draw(type); })) return false;
  KILN_TRY(auto drawing, world_.lookup(*world_.base(), types_.symbol("random_words"), world_.age()));
  if (!drawing) return false; // the program uses no random numbers: the library's are not loaded
  auto job = jobs_.job_of_types(all, config);
  if (!job.ok()) return false; // jobs_.job reports the reason
  auto summary = jobs_.summary(*job);
  return summary.ok() && summary->draws_random;
}

/// __seed_launches(n): sets the seed for the random numbers of later launches
Result<Value> CudaLibrary::seed_launches(Args args) {
  launch_seed_ = args[0].low_bits();
  return types_.nothing();
}

Result<void> CudaLibrary::put(Queue &queue, const Code &code, const Value &function,
                              std::span<const Value> arguments, const LaunchShape &shape,
                              LaunchOptions options) {
  std::vector<Value> values{function};
  values.insert(values.end(), arguments.begin(), arguments.end());
  KILN_TRY(const ParameterBytes bytes, encode(types_, values));
  return put_bytes(queue, code, bytes, shape, options);
}

Result<void> CudaLibrary::put_bytes(Queue &queue, const Code &code, const ParameterBytes &bytes,
                                    const LaunchShape &shape, LaunchOptions options) {
  const StageScope stage(&jobs_.log().timer, Stage::Launch);
  if (!device_.is_gpu()) options.stop = &interrupts_;
  ParameterBytes seeded;
  if (code.is_seeded) { // splitmix64 (Vigna) gives each launch a seed of its own
    uint64_t z = launch_seed_ += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    const auto seed = uint32_t((z ^ (z >> 31)) >> 32);
    seeded.emplace_back(sizeof seed);
    std::memcpy(seeded[0].data(), &seed, sizeof seed);
    seeded.insert(seeded.end(), bytes.begin(), bytes.end());
  }
  EntryParameters entry;
  KILN_CHECK(entry.read(code.kernel.artifact(), code.is_seeded ? seeded : bytes));
  const std::span<const void *const> parameters = entry.addresses();
  Result<void> done = queue.stream.launch(code.kernel, shape, parameters, options);
  if (done.ok() || done.error().kind() != ErrorKind::Usage) return done;
  return make_error(ErrorCode::ArgumentError, done.error().diagnostics().front().message);
}

static Result<std::array<uint32_t, 3>> three(std::string_view what, const Value &value) {
  std::array<uint32_t, 3> all{1, 1, 1};
  std::vector<Value> given = value.fields() ? *value.fields() : std::vector<Value>{value};
  if (given.size() > 3)
    return make_error(ErrorCode::ArgumentError, fmt::format("CuDim: {} have three dimensions at most", what));
  for (size_t i = 0; i < given.size(); i++) {
    if (!given[i].is_primitive())
      return make_error(ErrorCode::MethodError,
                        fmt::format("{} are integers, not {}", what, spell(given[i])));
    const auto n = int64_t(given[i].low_bits());
    if (n <= 0)
      return make_error(ErrorCode::ArgumentError,
                        what == "threads"  ? "Number of threads per block must be strictly positive"
                        : what == "blocks" ? "Number of blocks must be strictly positive"
                                           : "Cluster dimensions should be strictly positive");
    if (n > int64_t(UINT32_MAX))
      return make_error(ErrorCode::InexactError, fmt::format("trunc(UInt32, {})", n));
    all[i] = uint32_t(n);
  }
  return all;
}

/// __compile(f, arguments as kernels see them or their Tuple type, maxregs, always_inline, fastmath, name,
/// on_host): a CuFunction
Result<Value> CudaLibrary::compile(Args args) {
  KILN_CHECK(open());
  const std::vector<Value> *given = args[1].fields();
  Options options;
  options.max_registers = int(args[2].low_bits());
  options.always_inline = args[3].low_bits() & 1;
  options.fast_math = args[4].low_bits() & 1;
  if (const std::string *name = args[5].as_string()) options.name = *name;
  const bool on_host = args[6].low_bits() & 1;
  KILN_TRY(Value function, converted(args[0], on_host));
  std::vector<TypeRef> taken;
  if (const DataType *tuple = args[1].as_type() ? args[1].as_type()->as<DataType>() : nullptr)
    taken.assign(tuple->params().begin(), tuple->params().end());
  else if (given)
    for (const Value &value : *given) taken.push_back(types_.type_of(value));
  auto compiled =
      std::make_shared<Compiled>(std::move(function), std::move(options), std::move(taken), on_host);
  KILN_TRY(const Code *code,
           code_of_types(compiled->function, compiled->arguments, compiled->options, on_host));
  compiled->code = *code;
  return object("CuFunction", std::move(compiled));
}

/// __launch(CuFunction, f, arguments, blocks, threads, shmem, stream, cooperative, clustersize, held):
/// launches a compiled kernel. Converts arguments that are not converted yet. `held`: original arguments,
/// kept until the end.
Result<Value> CudaLibrary::launch(Args args) {
  auto *compiled = dynamic_cast<Compiled *>(args[0].as_object());
  if (!compiled) return make_error(ErrorCode::MethodError, "a launch takes a function that is compiled");
  KILN_TRY(Queue * queue, queue_of(args[6]));
  if (compiled->on_host) queue = host_queue_.get();
  std::vector<Value> arguments;
  std::vector<TypeRef> is, was;
  if (const auto *given = args[2].fields())
    for (const Value &value : *given) {
      KILN_TRY(Value seen, converted(value, compiled->on_host));
      is.push_back(types_.type_of(seen));
      arguments.push_back(std::move(seen));
    }
  was = compiled->arguments;
  Code code = compiled->code;
  if (is != was) { // types differ from those compiled: convert each argument, as CUDA.jl does
    if (is.size() != was.size())
      return make_error(
          ErrorCode::MethodError,
          fmt::format("the kernel was compiled for {} arguments, not {}", was.size(), is.size()));
    for (size_t i = 0; i < is.size(); i++)
      if (is[i] != was[i]) {
        KILN_TRY(arguments[i], interpreter_.convert(was[i], arguments[i]));
      }
  }
  KILN_TRY(auto blocks, three("blocks", args[3]));
  KILN_TRY(auto threads, three("threads", args[4]));
  LaunchShape shape{.blocks = blocks, .threads = threads, .shared_bytes = args[5].low_bits()};
  LaunchOptions options{.cooperative = bool(args[7].low_bits() & 1)};
  KILN_TRY(auto cluster, three("cluster", args[8]));
  if (cluster != std::array<uint32_t, 3>{1, 1, 1}) options.cluster = cluster;
  KILN_TRY(Value function, converted(args[1], compiled->on_host));
  KILN_CHECK(put(*queue, code, function, arguments, shape, options));
  if (!queue->is_main || compiled->on_host) queue->kept.push_back(args[9]);
  if (compiled->on_host) {
    KILN_TRY(std::string thrown, wait_for(*queue));
    return Value::string(types_, std::move(thrown));
  }
  return types_.nothing();
}

Result<CudaLibrary::Ready> CudaLibrary::ready(const Value &function, const Value &arguments,
                                              uint64_t elements) {
  Ready all;
  KILN_TRY(all.function, converted(function, false));
  all.types.push_back(types_.type_of(all.function));
  if (const auto *given = arguments.fields())
    for (const Value &value : *given) {
      KILN_TRY(Value seen, converted(value, false));
      all.types.push_back(types_.type_of(seen));
      all.arguments.push_back(std::move(seen));
    }
  KILN_TRY(all.code, code_of_statement(all.function, std::span(all.types).subspan(1), elements));
  return all;
}

/// launch_now(f, arguments, threads, blocks, shmem, stream): @cuda without unusual options. Returns a
/// HostKernel. An empty Value leaves the call to the Julia method, which examines the arguments.
Result<Value> CudaLibrary::launch_now(Args args) {
  const TypeRef int64 = types_.builtins().Int64;
  auto is_plain = [&](const Value &value) {
    if (value.type() == int64) return true;
    const auto *all = value.fields();
    return all && value.type()->as<DataType>()->is_tuple() && all->size() <= 3 &&
           std::ranges::all_of(*all, [&](const Value &each) { return each.type() == int64; });
  };
  if (args.size() != 6 || !is_plain(args[2]) || !is_plain(args[3]) || args[4].type() != int64 ||
      int64_t(args[4].low_bits()) < 0 || !args[1].type()->as<DataType>()->is_tuple())
    return Value();
  KILN_TRY(Queue * queue, queue_of(args[5]));
  KILN_TRY(auto threads, three("threads", args[2]));
  KILN_TRY(auto blocks, three("blocks", args[3]));
  const LaunchShape shape{.blocks = blocks, .threads = threads, .shared_bytes = args[4].low_bits()};
  KILN_TRY(Launched done, launch_prepared(*queue, args[0], *args[1].fields(), shape, UINT64_MAX));
  if (!queue->is_main) queue->kept.push_back(args[1]);
  if (done) return prepared_kernel(*done.launch, args[0]);
  KILN_TRY(Ready all, ready(args[0], args[1]));
  KILN_CHECK(put(*queue, *all.code, all.function, all.arguments, shape));
  return host_kernel(args[0], std::move(all.function), {all.types.begin() + 1, all.types.end()}, *all.code);
}

/// Makes a HostKernel{typeof(f)}(f, CuFunction). `seen`: the function as kernels see it.
Result<Value> CudaLibrary::host_kernel(const Value &f, Value seen, std::vector<TypeRef> arguments,
                                       const Code &code) {
  TypeRef &kernel_type = host_kernels_[types_.type_of(f)];
  if (!kernel_type) {
    KILN_TRY(TypeRef name, named_type("HostKernel"));
    TypeRef params[] = {types_.type_of(f)};
    KILN_TRY(kernel_type, types_.apply(name, params));
  }
  auto compiled = std::make_shared<Compiled>(std::move(seen), Options(), std::move(arguments), false);
  compiled->code = code;
  KILN_TRY(Value function, object("CuFunction", std::move(compiled)));
  return Value::structure(kernel_type, {f, std::move(function)});
}

/// launch_elements(f, arguments, n, elements): launches n threads in blocks of at most 256. `elements`: total
/// number in the statement's arrays.
Result<Value> CudaLibrary::launch_elements(Args args) {
  const TypeRef int64 = types_.builtins().Int64;
  if (args.size() != 4 || args[2].type() != int64 || args[3].type() != int64) return Value();
  KILN_TRY(Queue * queue, main_queue());
  const int64_t n = int64_t(args[2].low_bits()), threads = std::clamp<int64_t>(n, 1, 256);
  const int64_t blocks = (n + threads - 1) / threads;
  if (blocks < 1 || blocks > int64_t(UINT32_MAX) || !args[1].fields()) return Value();
  const LaunchShape shape{.blocks = {uint32_t(blocks), 1, 1}, .threads = {uint32_t(threads), 1, 1}};
  KILN_TRY(Launched done, launch_prepared(*queue, args[0], *args[1].fields(), shape, args[3].low_bits()));
  if (done) return types_.nothing();
  KILN_TRY(Ready all, ready(args[0], args[1], args[3].low_bits()));
  KILN_CHECK(put(*queue, *all.code, all.function, all.arguments, shape));
  return types_.nothing();
}

/// __suggest(CuFunction, shmem): (blocks, threads)
Result<Value> CudaLibrary::suggest(Args args) {
  auto *compiled = dynamic_cast<Compiled *>(args[0].as_object());
  if (!compiled)
    return make_error(ErrorCode::MethodError, "launch_configuration takes the function of a kernel: k.fun");
  KILN_TRY(LaunchSuggestion found, compiled->code.kernel.suggest(args[1].low_bits()));
  return Value::structure(types_.tuple({types_.builtins().Int64, types_.builtins().Int64}),
                          {types_.int64(found.blocks), types_.int64(found.threads)});
}

/// __kernel_fact(CuFunction, name)
Result<Value> CudaLibrary::kernel_fact(Args args) {
  auto *compiled = dynamic_cast<Compiled *>(args[0].as_object());
  if (!compiled) return make_error(ErrorCode::MethodError, "this takes the function of a kernel: k.fun");
  const Artifact &artifact = compiled->code.kernel.artifact();
  const std::string_view what = args[1].as_symbol().text();
  if (what == "entry") return Value::string(types_, artifact.entry);
  if (what == "types") {
    std::vector<std::string> texts;
    for (TypeRef type : compiled->arguments) texts.push_back(type_text(types_, type));
    return Value::string(types_, fmt::format("{}", fmt::join(texts, ", ")));
  }
  const KernelResources &used = artifact.resources;
  const std::pair<std::string_view, uint64_t> Facts[] = {{"registers", used.registers},
                                                         {"local", used.stack_bytes},
                                                         {"shared", artifact.shared_bytes},
                                                         {"constant", used.constant_bytes}};
  for (auto [name, value] : Facts)
    if (name == what) return types_.int64(int64_t(value));
  return make_error(ErrorCode::ArgumentError, fmt::format("nothing of a kernel is called {}", what));
}

/// Infers the result type of a call on the device. Union{}: the call does not return, or has no method.
Result<TypeRef> CudaLibrary::inferred(const Value &function, std::span<const TypeRef> arguments) {
  std::vector<TypeRef> all{types_.type_of(function)};
  all.insert(all.end(), arguments.begin(), arguments.end());
  auto &[world, type] = inferred_[types_.tuple(all)];
  if (world == world_.age()) return type;
  KILN_CHECK(open());
  KILN_TRY(CompilerConfig config, this->config({}, false));
  config.kernel = false;
  auto use = jobs_.use();
  const WorldAge now = world_.age();
  auto job = jobs_.job_of_types(all, config);
  TypeRef found = types_.bottom();
  if (job.ok()) {
    KILN_TRY(const CodeSummary summary, jobs_.summary(*job));
    found = summary.result;
  } else if (job.error().kind() != ErrorKind::Input) {
    return job.take_error();
  }
  type = found;
  world = now;
  return found;
}

/// __return_type(f, T1, T2, ...): the result type of a call on the device, for types as kernels see them
Result<Value> CudaLibrary::return_type(Args args) {
  std::vector<TypeRef> arguments;
  for (const Value &value : args.subspan(1)) {
    if (!value.as_type()) return make_error(ErrorCode::TypeError, "promote_op takes types");
    arguments.push_back(value.as_type());
  }
  for (TypeRef type : arguments)
    if (!types_.is_dispatch_element(type)) return Value::type_value(types_, types_.builtins().Any);
  KILN_TRY(TypeRef type, inferred(args[0], arguments));
  return Value::type_value(types_, type);
}

} // namespace kiln
