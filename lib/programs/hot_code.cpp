// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "hot_code.h"

#include <kiln/read_config.h>
#include <support/float_environment.h>
#include <support/releasable_lock.h>
#include <support/stack.h>

#include <algorithm>
#include <cstring>
#include <ctime>

namespace kiln {

namespace {

constexpr int64_t min_hot_elements = 256; // elements of array arguments: a method with a loop is then hot
// Code is compiled quickly first. Optimised code takes twice as long to compile.
constexpr std::chrono::milliseconds max_quick_time(5); // total time of quick code before it is optimised
constexpr int64_t min_optimized_elements = 1 << 18;
constexpr size_t max_saved_bytes = 64 << 10;       // bytes of written arrays that are copied before a call
constexpr std::chrono::milliseconds short_call(1); // longest failed call that the interpreter repeats
constexpr std::chrono::microseconds short_on_average(50);
constexpr size_t max_results = 4;    // types of a result
constexpr size_t max_codes = 1'000;  // per function; cleared when full
constexpr uint32_t max_attempts = 8; // attempts to compile a function that definitions keep invalidating

/// Returns the CPU time of this thread. Other load on the machine must not decide if a call is repeated.
std::chrono::nanoseconds processor_time() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

std::chrono::nanoseconds wall_time() { return std::chrono::steady_clock::now().time_since_epoch(); }

int64_t elements_in(const Value &value, int level = 0) {
  if (const HostArray *array = value.as_array()) return array->length();
  if (const auto *dict = dynamic_cast<const Dict *>(value.as_object())) return int64_t(dict->size());
  int64_t count = 0;
  if (const auto *fields = value.fields(); fields && level < HotCode::max_levels)
    for (const Value &field : *fields) count += elements_in(field, level + 1);
  return count;
}

} // namespace

HotCode::HotCode(Session &session, uint64_t memory, KeyRules &keys, RandomNumbers &random,
                 const StopSource &interrupts)
    : owner_(session), interrupts_(interrupts), jobs_(jobs_of(session)), launches_(launches_of(session)),
      types_(definitions_of(session).types()), world_(definitions_of(session).world()),
      interpreter_(definitions_of(session).interpreter()), memory_(memory), keys_(keys), random_(random) {}

HotCode::Code &HotCode::find(Codes &codes, std::span<const Value> args) {
  size_t hash = args.size();
  for (const Value &arg : args) hash = hash * 31 + std::hash<TypeRef>()(types_.type_of(arg));
  auto found = codes.find(hash);
  if (found == codes.end()) {
    if (codes.size() >= max_codes) codes.clear();
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

bool HotCode::compile(Code &code, bool optimized) {
  code.wanted = Wanted::Refused;
  why_.clear();
  const bool compiled = try_compile(code, optimized);
  if (jobs_.log().log.enabled(LogLevel::Debug)) {
    const std::string call = call_to_string(code.types);
    if (compiled)
      jobs_.log().log.debug("{} runs as compiled code", call);
    else
      jobs_.log().log.debug("{} stays interpreted: {}", call, why_.empty() ? "it cannot be compiled" : why_);
  }
  return compiled;
}

/// Records why a call stays interpreted, and returns false. Only the first reason is reported.
bool HotCode::refuse(std::string why) {
  if (why_.empty()) why_ = std::move(why);
  return false;
}

bool HotCode::try_compile(Code &code, bool optimized) {
  if (code.attempts > max_attempts) return refuse("definitions keep changing it");
  std::vector<TypeRef> packed;
  for (TypeRef type : code.types) {
    packed.push_back(packed_type(type));
    if (!packed.back()) return refuse(fmt::format("it takes a {}", to_string(type)));
  }
  TypeRef as = types_.tuple(code.types);
  TypeRef given[] = {types_.type_of_type(as), types_.tuple(packed)};
  auto entry = world_.lookup(*world_.base(), types_.symbol("__run_compiled"), world_.age());
  if (!entry.ok() || !*entry) return false;
  CompilerConfig config;
  if (!optimized) config.opt_level = 1;
  struct Compiling {
    bool &is;
    explicit Compiling(bool &b) : is(b) { is = true; }
    ~Compiling() { is = false; }
  } compiling(is_compiling_);
  const DefaultFloatEnvironment floats;
  return with_stack(stack_for_limits, [&] {
    auto checked = owner_.config_for(owner_.cpu(), config);
    if (!checked.ok()) return false;
    checked->kernel = false;
    auto use = jobs_.use();
    const WorldAge world = world_.age();
    auto job = jobs_.job(**entry, given, *checked);
    if (!job.ok()) return false;
    auto typed = jobs_.typed(*job);
    if (!typed.ok()) return refuse(typed.error().what());
    std::unordered_set<const CodeInstance *> seen;
    code.writes = code.writes_more = code.draws = code.changes_dicts = false;
    const auto variables = std::exchange(code.variables, {});
    if (!is_allowed(**typed, code, seen)) return false;
    code.result = (*typed)->result.type;
    code.packed_result = nullptr;
    code.results.clear();
    auto give = [&](std::string_view function, std::span<const TypeRef> arguments) {
      auto other = world_.lookup(*world_.base(), types_.symbol(function), world_.age());
      if (!other.ok() || !*other) return false;
      job = jobs_.job(**other, arguments, *checked);
      return job.ok();
    };
    if (const auto *either = code.result->as<UnionType>()) {
      std::vector<TypeRef> members, packed_members;
      for (TypeRef member : either->members()) {
        const TypeRef as = types_.is_concrete(member) ? packed_type(member) : nullptr;
        if (!as || either->members().size() > max_results)
          return refuse(fmt::format("it gives a {}", to_string(code.result)));
        code.results.emplace_back(member, as);
        members.push_back(member);
        packed_members.push_back(as);
      }
      TypeRef pointee[] = {types_.builtins().Nothing};
      if (!give("__run_either",
                std::array{given[0], given[1], types_.data(*types_.builtins().PtrName, pointee),
                           types_.type_of_type(types_.tuple(members)),
                           types_.type_of_type(types_.tuple(packed_members))}))
        return false;
    } else if (!types_.is_concrete(code.result)) {
      return refuse(fmt::format("it gives a {}", to_string(code.result)));
    } else if (!types_.is_isbits(code.result) && !types_.is_singleton(code.result)) {
      code.packed_result = packed_type(code.result);
      if (!code.packed_result) return refuse(fmt::format("it gives a {}", to_string(code.result)));
      if (!give("__run_giving", std::array{given[0], given[1], types_.type_of_type(code.packed_result)}))
        return false;
    }
    auto made = launches_.host_function(std::move(*job));
    if (!made.ok()) return refuse(made.error().what());
    // A new artifact counts as an attempt, and so do new objects of variables. Definitions that the code does
    // not use leave the old artifact.
    if (&made->artifact() != &code.function.artifact() || code.variables != variables) ++code.attempts;
    code.function = std::move(*made);
    code.packed = given[1];
    code.world = world;
    code.wanted = Wanted::Yes;
    code.is_optimized = optimized;
    return true;
  });
}

/// Runs the call as compiled code. An empty Value: the interpreter must run it.
Result<Value> HotCode::execute(Code &code, std::span<const Value> args, size_t outputs) {
  const bool is_slow = !code.is_optimized && code.time > max_quick_time;
  if ((code.world != world_.age() || is_slow) && !compile(code, code.is_optimized || is_slow)) return Value();
  const StageScope stage(&jobs_.log().timer, Stage::CompiledHostCode);
  Packed packed;
  uint64_t result_size = std::max<uint64_t>(code.function.artifact().return_size, 16);
  const auto make_space = [&](TypeRef type) {
    if (const Layout *layout = layout_of(types_, type))
      result_size = std::max<uint64_t>(result_size, layout->size);
  };
  make_space(code.result);
  for (const auto &[type, as] : code.results) make_space(as);
  std::vector<std::byte> result(result_size);
  References references(shapes(), memory_, result);
  if (!references.is_usable()) return Value();
  references.types_by_key = &types_by_key_;
  references.symbols_by_identity = &symbols_by_identity_;
  references.random = &random_;
  packed.references = &references;
  const Layout *layout = layout_of(types_, code.packed);
  std::vector<std::byte> bytes(layout ? layout->size : 0);
  for (size_t i = 0; i < args.size(); ++i) {
    std::span<const TypeRef> as = types_.field_types(code.packed->as<DataType>());
    if (!pack(args[i], as[i], bytes.data() + (layout ? layout->offsets[i] : 0), packed)) return Value();
  }
  if (!pack_variables(code, packed)) return Value();
  references.pin();
  // Saves the contents of arrays, so that the interpreter can repeat a failed call from its start.
  std::vector<HostArray *> saved;
  std::vector<std::vector<std::byte>> before;
  size_t written = 0;
  if (code.writes && (!outputs || code.writes_more))
    for (const auto &[array, value] : packed.arrays)
      if (std::ranges::none_of(args.subspan(1, outputs),
                               [&](const Value &output) { return output.as_array() == array; })) {
        saved.push_back(array);
        written += array->bytes.size();
      }
  bool can_go_back = written <= max_saved_bytes;
  if (can_go_back)
    for (const HostArray *array : saved) before.push_back(array->bytes);
  uint8_t which = 0; ///< member of a union result, from 0
  void *out = result.data();
  const void *pointers[2];
  size_t count = 0;
  if (!bytes.empty()) pointers[count++] = bytes.data();
  const bool is_either = !code.results.empty();
  if (is_either) pointers[count++] = static_cast<const void *>(&out);
  HostArrays arrays(memory_, result);
  if (code.changes_lengths)
    arrays.on_growth([&](uint64_t *header, uint64_t capacity) { return grow(packed, header, capacity); });
  // The thread's CPU clock costs a system call. Calls that are usually short therefore use the wall clock.
  const bool is_short = code.timed_calls >= 8 && code.time < code.timed_calls * short_on_average;
  const auto clock = is_short ? wall_time : processor_time;
  const auto began = clock();
  take_out_of_bounds(); // discards the out-of-bounds report of an earlier call
  std::optional<Before> start;
  if (code.changes_dicts || code.draws) start.emplace(random_);
  std::optional<ReleasedLocks> released; // lets other threads run during a long call
  if (!is_short && !code.draws) released.emplace();
  auto done = code.function.call(std::span(pointers, count), is_either ? &which : out, interrupts_);
  released.reset();
  ++compiled_calls_;
  const auto took = clock() - began;
  code.time += took;
  ++code.timed_calls;
  if (!done.ok()) {
    const bool is_long = took > (is_short ? 100 : 1) * short_call; // wall time includes other threads
    Error error = done.take_error();
    Diagnostic &first = error.diagnostics().front();
    if (first.code == ErrorCode::Stopped) {
      if (code.changes_lengths) take_lengths(packed);
      (void)StopToken::take(interrupts_);
      return interrupt_error();
    }
    if (start && !DictJournal::of_thread().can_roll_back(start->mark)) can_go_back = false;
    if (can_go_back && !is_long && first.code != ErrorCode::StackOverflowError) {
      // The interpreter repeats the call on restored arrays, and throws the same exception.
      set_bytes(saved, before);
      if (start) {
        DictJournal::of_thread().roll_back(start->mark);
        random_.return_to(start->random);
      }
      return Value();
    }
    if (code.changes_lengths) take_lengths(packed);
    return complete_error(std::move(error), packed, arrays);
  }
  if (code.changes_lengths) take_lengths(packed);
  const auto [type, as] = is_either ? code.results[which] : std::pair(code.result, code.packed_result);
  return unpack(type, as, result.data(), packed, arrays);
}

std::span<const Value> HotCode::plain_arguments(std::span<const Value> args, std::vector<Value> &plain) {
  auto may_hold = [&](const Value &arg) {
    const DataType *type = arg.fields() ? arg.type()->as<DataType>() : nullptr;
    if (!type || type->params().empty()) return false;
    auto [known, is_new] = may_hold_cells_.try_emplace(type);
    if (is_new) known->second = may_hold_cells(type);
    return known->second;
  };
  if (std::ranges::none_of(args, may_hold)) return args;
  for (const Value &arg : args) plain.push_back(without_cells(types_, arg));
  return plain;
}

Result<Value> HotCode::call(const Method &method, std::span<const Value> given) {
  if (is_compiling_) return Value();
  if (!before_.empty()) before_.erase(given.data()); // of a call that ended with an exception
  MethodCodes &known = find_method(method);
  if (known.is_for_host) return Value();
  std::vector<Value> plain;
  std::span<const Value> args = plain_arguments(given, plain);
  Code &code = find(known.codes, args);
  if (code.wanted == Wanted::Refused) return Value();
  if (code.wanted == Wanted::No) {
    int64_t elements = 0;
    bool hot = is_hot(code);
    if (!hot && known.has_loop) {
      for (const Value &arg : args) elements += elements_in(arg);
      hot = elements >= min_hot_elements;
    }
    if (!hot) {
      if (known.has_loop) save_before(given.data(), args);
      return Value();
    }
    if (!compile(code, elements >= min_optimized_elements)) return Value();
  }
  if (keeps_variables(code, plain)) return Value();
  return execute(code, args);
}

Result<Value> HotCode::run(std::string_view base_function, std::span<const Value> args, size_t outputs) {
  KILN_TRY(auto bound, world_.lookup(*world_.base(), types_.symbol(base_function), world_.age()));
  if (!bound || is_compiling_) return Value();
  std::vector<Value> given{*bound}, plain;
  given.insert(given.end(), args.begin(), args.end());
  std::span<const Value> all = plain_arguments(given, plain);
  Code &code = find(by_name_[std::string(base_function)], all);
  code.loop = types_.symbol(base_function);
  int64_t elements = 0;
  for (const Value &arg : args) elements += elements_in(arg);
  if (code.wanted == Wanted::Refused ||
      (code.wanted == Wanted::No && !compile(code, elements >= min_optimized_elements)))
    return Value();
  if (keeps_variables(code, plain)) return Value();
  return execute(code, all, outputs);
}

TypeRef HotCode::result_type(std::string_view base_function, std::span<const Value> args, bool bits_alone) {
  auto bound = world_.lookup(*world_.base(), types_.symbol(base_function), world_.age());
  if (!bound.ok() || !*bound || is_compiling_) return nullptr;
  std::vector<TypeRef> all{types_.type_of(**bound)};
  std::vector<Value> plain;
  for (const Value &arg : plain_arguments(args, plain)) {
    all.push_back(types_.type_of(arg));
    if (bits_alone && !packed_type(all.back())) return nullptr;
  }
  TypeRef found = bits_alone ? result_type_of(all) : element_type_of(all);
  if (found && bits_alone && !types_.is_isbits(found)) return nullptr;
  const bool keeps_variables = !plain.empty();
  return keeps_variables && found && holds_closure(types_, found) ? nullptr : found;
}

TypeRef HotCode::result_type_of(std::span<const TypeRef> call) {
  const TypeRef type = any_result_type_of(call);
  return type && types_.is_concrete(type) ? type : nullptr;
}

TypeRef HotCode::element_type(const Value &function, TypeRef argument) {
  std::vector<Value> plain;
  const std::span<const Value> args = plain_arguments(std::span(&function, 1), plain);
  const TypeRef call[] = {types_.type_of(args[0]), argument};
  const TypeRef found = element_type_of(call);
  return !plain.empty() && found && holds_closure(types_, found) ? nullptr : found;
}

TypeRef HotCode::element_type_of(std::span<const TypeRef> call) {
  TypeRef found = any_result_type_of(call);
  if (!found || found->kind() == TypeKind::Bottom) return nullptr;
  const auto *either = found->as<UnionType>();
  if (!either) return found;
  found = either->members()[0];
  for (TypeRef member : either->members()) found = join_types(types_, found, member);
  return found;
}

TypeRef HotCode::any_result_type_of(std::span<const TypeRef> call) {
  if (is_compiling_) return nullptr;
  const std::vector<TypeRef> all(call.begin(), call.end());
  auto &[world, type] = result_types_[types_.tuple(all)];
  if (world == world_.age()) return type;
  CompilerConfig config;
  config.kernel = false;
  const DefaultFloatEnvironment floats;
  type = with_stack(stack_for_limits, [&]() -> TypeRef {
    auto checked = owner_.config_for(owner_.cpu(), config);
    if (!checked.ok()) return nullptr;
    checked->kernel = false;
    auto use = jobs_.use();
    auto job = jobs_.job_of_types(all, *checked);
    if (!job.ok()) return nullptr;
    auto summary = jobs_.summary(*job);
    return summary.ok() && !summary->is_partial ? summary->result : nullptr;
  });
  world = world_.age();
  return type;
}

} // namespace kiln
