// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hot_code.h"

#include <kiln/device_options.h>
#include <support/float_environment.h>
#include <support/stack.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <ctime>

namespace kiln {

namespace {

// A compile takes 2 to 10 ms, a step of the interpreter about 0.5 us.
constexpr uint64_t hot_steps = 20'000;
// A call of compiled code costs about as much as so many steps, whatever it does.
constexpr uint64_t least_steps = 20;
constexpr int64_t many_elements = 256; // of arrays that a method with a loop is given
// Code is compiled quickly at first, and optimised for calls that take long: to compile it takes twice as
// long.
constexpr std::chrono::milliseconds long_in_all(5); // of all calls of it
constexpr int64_t elements_of_long = 1 << 18;
constexpr size_t few_bytes = 64 << 10;             // of arrays, copied before a call that writes to them
constexpr std::chrono::milliseconds short_call(1); // the interpreter would take about a second
constexpr std::chrono::microseconds short_on_average(50);
constexpr size_t most_codes = 1'000; // of a function: where types are made anew all the time, they begin anew
constexpr uint32_t most_attempts = 8; // at one code that definitions keep making stale

/// Of this thread: what else the machine does must not decide what an exception holds.
std::chrono::nanoseconds processor_time() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds wall_time() { return std::chrono::steady_clock::now().time_since_epoch(); }

int64_t elements_in(const Value &value) {
  if (const HostArray *array = value.as_array()) return array->length();
  int64_t count = 0;
  if (const auto *fields = value.fields())
    for (const Value &field : *fields) count += elements_in(field);
  return count;
}

} // namespace

HotCode::HotCode(Session &session)
    : owner_(session), session_(session.state()), types_(session_.types), world_(session_.world),
      interpreter_(session_.interpreter) {}

bool HotCode::has_array(TypeRef type) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data) return false;
  if (&data->name() == types_.builtins().ArrayName) return true;
  if (types_.is_isbits(type) || data->is_abstract() || data->name().is_mutable || data->name().is_type)
    return false;
  return std::ranges::any_of(types_.field_types(data), [&](TypeRef field) { return has_array(field); });
}

/// What stands for a value of the type in the bytes that compiled code is given: an array's header by its
/// address, a struct with arrays as a tuple.
TypeRef HotCode::packed_type(TypeRef type, int depth) {
  const DataType *data = type ? type->as<DataType>() : nullptr;
  if (!data || depth > 20 || data->name().is_type) return nullptr;
  if (types_.is_isbits(type) || types_.is_singleton(type)) return type;
  const auto &b = types_.builtins();
  if (&data->name() == b.ArrayName) {
    if (!types_.is_isbits(data->params()[0])) return nullptr;
    TypeRef params[] = {b.Nothing};
    return types_.data(*b.PtrName, params);
  }
  if (!types_.is_concrete(type) || data->name().is_mutable || data->name().is_type || data->is_primitive())
    return nullptr;
  for (TypeRef by_identity : {b.Symbol, b.String, b.Module, b.Expr})
    if (type == by_identity) return nullptr;
  std::vector<TypeRef> fields;
  for (TypeRef field : types_.field_types(data)) {
    fields.push_back(packed_type(field, depth + 1));
    if (!fields.back()) return nullptr;
  }
  return fields.empty() ? nullptr : types_.tuple(fields);
}

bool HotCode::pack(const Value &value, TypeRef as, std::byte *out, Packed &into) {
  if (HostArray *array = value.as_array()) {
    auto known = std::ranges::find(into.arrays, array, [](const auto &each) { return each.first; });
    const size_t number = size_t(known - into.arrays.begin());
    if (known == into.arrays.end()) {
      std::vector<uint64_t> header{uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())),
                                   array->bytes.size()};
      for (int64_t d : array->dims) header.push_back(uint64_t(d));
      header.push_back(uint64_t(array->length()));
      into.headers.push_back(std::move(header));
      into.arrays.emplace_back(array, value);
    }
    const uint64_t *header = into.headers[number].data();
    std::memcpy(out, &header, sizeof header);
    return true;
  }
  if (value.as_type()) return true;
  const Layout *layout = layout_of(types_, as);
  if (!layout) return types_.is_singleton(as);
  if (value.is_primitive()) {
    std::memcpy(out, value.bits().data(), layout->size);
    return true;
  }
  const std::vector<Value> *fields = value.fields();
  if (!fields || fields->size() != layout->offsets.size()) return layout->size == 0;
  std::span<const TypeRef> wanted = types_.field_types(as->as<DataType>());
  for (size_t i = 0; i < fields->size(); ++i)
    if (!types_.type_parameter(wanted[i]) && !pack((*fields)[i], wanted[i], out + layout->offsets[i], into))
      return false;
  return true;
}

HotCode::Code &HotCode::find(Codes &codes, std::span<const Value> args) {
  size_t hash = args.size();
  for (const Value &arg : args) hash = hash * 31 + std::hash<TypeRef>()(types_.type_of(arg));
  auto found = codes.find(hash);
  if (found == codes.end()) {
    if (codes.size() >= most_codes) codes.clear();
    found = codes.try_emplace(hash).first;
  }
  for (Code &code : found->second) {
    if (code.types.size() != args.size()) continue;
    size_t i = 0;
    while (i < args.size() && types_.type_of(args[i]) == code.types[i]) ++i;
    if (i == args.size()) return code;
  }
  Code &code = found->second.emplace_back();
  for (const Value &arg : args) code.types.push_back(types_.type_of(arg));
  return code;
}

HotCode::OfMethod &HotCode::of(const Method &method) {
  OfMethod &found = methods_[&method];
  if (found.is_known) return found;
  found.is_known = true;
  auto code = method.code(types_);
  if (!code.ok()) return found;
  const std::vector<Stmt> &stmts = (*code)->stmts;
  for (uint32_t i = 0; i < stmts.size(); ++i) {
    found.is_for_host |= stmts[i].op == Op::HostOnly;
    found.has_loop |= (stmts[i].op == Op::Goto || stmts[i].op == Op::GotoIfNot) && stmts[i].target <= i;
  }
  return found;
}

bool HotCode::compile(Code &code, bool optimized) {
  code.wanted = Wanted::Refused;
  if (++code.attempts > most_attempts) return false;
  std::vector<TypeRef> packed;
  for (TypeRef type : code.types) {
    packed.push_back(packed_type(type));
    if (!packed.back()) return false;
  }
  TypeRef as = types_.tuple(code.types);
  TypeRef given[] = {types_.type_of_type(as), types_.tuple(packed)};
  auto entry = world_.lookup(*world_.base(), types_.symbol("__run_compiled"), world_.age());
  if (!entry.ok() || !*entry) return false;
  // Products and sums are rounded apart, as in the interpreter.
  auto config = read_config(owner_, optimized ? R"({"features": "-fma"})" : R"({"features": "-fma", "O": 1})",
                            owner_.cpu());
  if (!config.ok()) return false;
  struct Compiling {
    bool &is;
    explicit Compiling(bool &b) : is(b) { is = true; }
    ~Compiling() { is = false; }
  } compiling(is_compiling_);
  const DefaultFloatEnvironment floats;
  return with_stack(stack_for_limits, [&] {
    auto checked = session_.config_for(*owner_.cpu().state(), *config);
    if (!checked.ok()) return false;
    checked->kernel = false;
    auto use = session_.code.use();
    const WorldAge world = world_.age();
    auto job = session_.job(**entry, given, *checked);
    if (!job.ok()) return false;
    auto typed = session_.code.get(*job->source, session_.products.facts_of(*job), job->world);
    if (!typed.ok()) return false;
    std::unordered_set<const CodeInstance *> seen;
    code.writes = false;
    if (!is_allowed(**typed, code.writes, seen)) return false;
    code.result = (*typed)->result.type;
    code.is_optional = false;
    const TypeRef nothing = types_.builtins().Nothing;
    if (const auto *either = code.result->as<UnionType>(); either && either->members().size() == 2) {
      const bool is_first = either->members()[0] == nothing;
      code.is_optional = is_first || either->members()[1] == nothing;
      if (code.is_optional) code.result = either->members()[is_first ? 1 : 0];
    }
    if (!types_.is_concrete(code.result) ||
        !(types_.is_isbits(code.result) || types_.is_singleton(code.result)))
      return false;
    if (code.is_optional) {
      TypeRef pointee[] = {code.result};
      TypeRef optional[] = {given[0], given[1], types_.data(*types_.builtins().PtrName, pointee)};
      auto other = world_.lookup(*world_.base(), types_.symbol("__run_optional"), world_.age());
      if (!other.ok() || !*other || !types_.is_isbits(code.result) || !layout_of(types_, code.result)->size)
        return false;
      job = session_.job(**other, optional, *checked);
      if (!job.ok()) return false;
    }
    auto made = session_.host_function(std::move(*job));
    if (!made.ok()) return false;
    code.function = std::move(*made);
    code.packed = given[1];
    code.world = world;
    code.wanted = Wanted::Yes;
    code.is_optimized = optimized;
    return true;
  });
}

/// The call by compiled code; an empty Value where the interpreter has to make it.
Result<Value> HotCode::execute(Code &code, std::span<const Value> args, bool is_repeatable) {
  const bool is_slow = !code.is_optimized && code.time > long_in_all;
  if ((code.world != world_.age() || is_slow) && !compile(code, code.is_optimized || is_slow)) return Value();
  Packed packed;
  const Layout *layout = layout_of(types_, code.packed);
  std::vector<std::byte> bytes(layout ? layout->size : 0);
  for (size_t i = 0; i < args.size(); ++i) {
    std::span<const TypeRef> as = types_.field_types(code.packed->as<DataType>());
    if (!pack(args[i], as[i], bytes.data() + (layout ? layout->offsets[i] : 0), packed)) return Value();
  }
  // Of a call that writes and fails: so that the interpreter can begin where it began.
  std::vector<std::vector<std::byte>> before;
  size_t written = 0;
  if (code.writes && !is_repeatable)
    for (const auto &[array, value] : packed.arrays) written += array->bytes.size();
  const bool can_go_back = written <= few_bytes;
  if (code.writes && can_go_back && !is_repeatable)
    for (const auto &[array, value] : packed.arrays) before.push_back(array->bytes);
  std::vector<std::byte> result(
      std::max<uint64_t>({code.function.artifact().return_size, 16,
                          layout_of(types_, code.result) ? layout_of(types_, code.result)->size : 0}));
  std::byte found = {};
  void *out = result.data();
  const void *pointers[2];
  size_t count = 0;
  if (!bytes.empty()) pointers[count++] = bytes.data();
  if (code.is_optional) pointers[count++] = &out;
  // The thread's own clock costs a system call: calls that are short as a rule are timed by another.
  const bool is_short = code.timed_calls >= 8 && code.time < code.timed_calls * short_on_average;
  const auto clock = is_short ? wall_time : processor_time;
  const auto began = clock();
  auto done = code.function.call(std::span(pointers, count), code.is_optional ? &found : out);
  ++compiled_calls_;
  const auto took = clock() - began;
  code.time += took;
  ++code.timed_calls;
  if (!done.ok()) {
    const bool is_long = took > (is_short ? 100 : 1) * short_call; // others may have run meanwhile
    Error error = done.take_error();
    Diagnostic &first = error.diagnostics().front();
    if (can_go_back && !is_long && first.name != "StackOverflowError") {
      // From the same start the interpreter finds the same exception, and all that it holds.
      for (size_t i = 0; i < before.size(); ++i)
        std::memcpy(packed.arrays[i].first->bytes.data(), before[i].data(), before[i].size());
      return Value();
    }
    if (first.message.starts_with("thrown in thread")) first.message.clear();
    return error;
  }
  if (code.is_optional && found == std::byte(0)) return types_.nothing();
  const DataType *type = code.result->as<DataType>();
  if (type && type->name().name.text() == "__GivenArray") {
    uint64_t header = 0;
    std::memcpy(&header, result.data(), sizeof header);
    for (size_t i = 0; i < packed.arrays.size(); ++i)
      if (header == uint64_t(reinterpret_cast<uintptr_t>(packed.headers[i].data())))
        return packed.arrays[i].second;
    return internal_error("compiled code gave an array that it was not given");
  }
  if (types_.is_singleton(code.result)) return types_.singleton_value(code.result);
  return from_bytes(types_, code.result, result.data());
}

Result<Value> HotCode::call(const Method &method, std::span<const Value> args) {
  if (is_compiling_) return Value();
  OfMethod &known = of(method);
  if (known.is_for_host) return Value();
  Code &code = find(known.codes, args);
  if (code.wanted == Wanted::Refused) return Value();
  if (code.wanted == Wanted::No) {
    int64_t elements = 0;
    bool is_hot = code.steps >= hot_steps && code.steps >= least_steps * code.calls;
    if (!is_hot && known.has_loop) {
      for (const Value &arg : args) elements += elements_in(arg);
      is_hot = elements >= many_elements;
    }
    if (!is_hot || !compile(code, elements >= elements_of_long)) return Value();
  }
  return execute(code, args);
}

void HotCode::was_interpreted(const Method &method, std::span<const Value> args, uint64_t steps) {
  if (is_compiling_ || steps < 4) return;
  OfMethod &known = of(method);
  if (known.is_for_host) return;
  Code &code = find(known.codes, args);
  code.steps += steps;
  ++code.calls;
}

Result<Value> HotCode::restart(const Method &method, std::span<const Value> args) {
  if (is_compiling_) return Value();
  OfMethod &known = of(method);
  if (known.is_for_host) return Value();
  // What the call has done so far must not be seen twice: nothing that it was given can have been written to.
  if (std::ranges::any_of(args, [&](const Value &arg) { return has_array(types_.type_of(arg)); }))
    return Value();
  Code &code = find(known.codes, args);
  if (code.wanted == Wanted::Refused || (code.wanted == Wanted::No && !compile(code, true))) return Value();
  return execute(code, args);
}

Result<Value> HotCode::run(std::string_view base_function, std::span<const Value> args) {
  KILN_TRY(auto bound, world_.lookup(*world_.base(), types_.symbol(base_function), world_.age()));
  if (!bound || is_compiling_) return Value();
  std::vector<Value> all{*bound};
  all.insert(all.end(), args.begin(), args.end());
  Code &code = find(by_name_[std::string(base_function)], all);
  int64_t elements = 0;
  for (const Value &arg : args) elements += elements_in(arg);
  if (code.wanted == Wanted::Refused ||
      (code.wanted == Wanted::No && !compile(code, elements >= elements_of_long)))
    return Value();
  return execute(code, all, true);
}

TypeRef HotCode::result_type(std::string_view base_function, std::span<const Value> args) {
  auto bound = world_.lookup(*world_.base(), types_.symbol(base_function), world_.age());
  if (!bound.ok() || !*bound || is_compiling_) return nullptr;
  std::vector<TypeRef> all{types_.type_of(**bound)};
  for (const Value &arg : args) {
    all.push_back(types_.type_of(arg));
    if (!packed_type(all.back())) return nullptr;
  }
  auto &[world, type] = result_types_[types_.tuple(all)];
  if (world == world_.age()) return type;
  CompilerConfig config;
  config.kernel = false;
  const DefaultFloatEnvironment floats;
  type = with_stack(stack_for_limits, [&]() -> TypeRef {
    auto checked = session_.config_for(*owner_.cpu().state(), config);
    if (!checked.ok()) return nullptr;
    checked->kernel = false;
    auto use = session_.code.use();
    auto job = session_.jobs.job_of_types(all, *checked, {});
    if (!job.ok()) return nullptr;
    auto typed = session_.code.get(*job->source, session_.products.facts_of(*job), job->world);
    if (!typed.ok()) return nullptr;
    TypeRef found = (*typed)->result.type;
    return types_.is_concrete(found) && types_.is_isbits(found) ? found : nullptr;
  });
  world = world_.age();
  return type;
}

} // namespace kiln
