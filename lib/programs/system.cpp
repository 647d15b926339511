// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, the environment, exit, random numbers.
#include "library.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>
#include <thread>

namespace kiln {

namespace {

template <class T> double seconds_of(T duration) { return std::chrono::duration<double>(duration).count(); }

/// Uniform in [0, 1).
double uniform(std::mt19937_64 &engine) { return double(engine() >> 11) * 0x1p-53; }

double normal(std::mt19937_64 &engine) { // Box-Muller, one of its two numbers
  const double u = 1 - uniform(engine), v = uniform(engine);
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * M_PI * v);
}

} // namespace

void add_system(Library &l) {
  TypeContext &types = l.types;
  l.add_any("exit", [](Interpreter &, Args args) -> Result<Value> {
    const int64_t status = args.empty() ? 0 : int64_t(args[0].low_bits());
    return input_error(std::string(Interpreter::exit_name), std::to_string(status));
  });
  l.add("time", 0, [&](Interpreter &, Args) -> Result<Value> {
    return types.float64(seconds_of(std::chrono::system_clock::now().time_since_epoch()));
  });
  l.add("time_ns", 0, [&](Interpreter &, Args) -> Result<Value> {
    return Value::primitive(types.builtins().UInt64,
                            {uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()), 0});
  });
  l.add("sleep", 1, [&](Interpreter &, Args a) -> Result<Value> {
    auto seconds = float_of(types, a[0]);
    if (!seconds || *seconds < 0) return input_error("ArgumentError", "sleep takes a number of seconds");
    for (double left = *seconds; left > 0 && !l.program.interrupted; left -= 0.05)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, 0.05)));
    return l.nothing();
  });
  // ---- the environment
  l.add("__environment", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *name = a[0].as_string();
    if (!name) return Value();
    if (auto changed = l.program.environment.find(*name); changed != l.program.environment.end())
      return changed->second ? l.text(*changed->second) : l.nothing();
    std::optional<std::string> value =
        l.program.options.environment ? l.program.options.environment(*name) : std::nullopt;
    return value ? l.text(std::move(*value)) : l.nothing();
  });
  l.add("__set_environment", 2, [&](Interpreter &, Args a) -> Result<Value> { // the program's own view of it
    const std::string *name = a[0].as_string();
    if (!name) return Value();
    l.program.environment[*name] = a[1].as_string() ? std::optional(*a[1].as_string()) : std::nullopt;
    return l.nothing();
  });
  // ---- random numbers, of one generator that Random.seed! starts anew
  auto engine = std::make_shared<std::mt19937_64>(std::random_device{}());
  l.add("__seed", 1, [&, engine](Interpreter &i, Args a) -> Result<Value> {
    engine->seed(a[0].low_bits());
    i.set_seed(a[0].low_bits());
    return l.nothing();
  });
  l.add("__normal", 0,
        [&, engine](Interpreter &, Args) -> Result<Value> { return types.float64(normal(*engine)); });
  l.add("__random_below", 1, [&, engine](Interpreter &, Args a) -> Result<Value> { // 1 to n
    const uint64_t n = a[0].low_bits();
    if (!n) return input_error("ArgumentError", "collection must be non-empty");
    return types.int64(int64_t(std::uniform_int_distribution<uint64_t>(1, n)(*engine)));
  });
  l.add("__random_float", 0,
        [&, engine](Interpreter &, Args) -> Result<Value> { return types.float64(uniform(*engine)); });
  // What runtime/base/random.jl has for the device, of this generator.
  l.add("seed_thread", 1, [&, engine](Interpreter &i, Args a) -> Result<Value> {
    engine->seed(a[0].low_bits());
    i.set_seed(a[0].low_bits());
    return l.nothing();
  });
  l.add("rand", 1, [&, engine](Interpreter &i, Args a) -> Result<Value> { // of a range, a list, a tuple
    if (a[0].is_primitive() || a[0].as_type() || a[0].as_object()) return Value();
    KILN_TRY(Value items, l.program.call("collect", a));
    const HostArray *array = items.as_array();
    if (!array) return Value();
    if (array->length() == 0) return input_error("ArgumentError", "collection must be non-empty");
    const auto n = uint64_t(array->length());
    return element_at(types, *array, int64_t(std::uniform_int_distribution<uint64_t>(0, n - 1)(*engine)));
  });
  // randn(), randn(T), randn(dims...), randn(T, dims...), and randexp the same
  auto draws = [&](std::string_view name, auto draw) {
    l.add_any(name, [&, engine, draw](Interpreter &, Args a) -> Result<Value> {
      const auto &b = types.builtins();
      TypeRef type = !a.empty() && a[0].as_type() ? a[0].as_type() : nullptr;
      Args rest = type ? a.subspan(1) : a;
      if (!type) type = b.Float64;
      if (type != b.Float64 && type != b.Float32) return Value();
      auto number = [&](double x) { return type == b.Float64 ? types.float64(x) : types.float32(float(x)); };
      if (rest.empty()) return number(draw(*engine));
      std::vector<int64_t> dims;
      for (const Value &v : rest) {
        if (const auto *fields = v.is_primitive() ? nullptr : v.fields())
          for (const Value &d : *fields) dims.push_back(integer_of(types, d).value_or(0));
        else if (auto n = integer_of(types, v))
          dims.push_back(*n);
        else
          return Value();
      }
      KILN_TRY(Value made, host_array(types, type, std::move(dims)));
      for (int64_t i = 0, n = made.as_array()->length(); i < n; ++i)
        KILN_CHECK(put_element(types, *made.as_array(), i, number(draw(*engine))));
      return made;
    });
  };
  draws("randn", [](std::mt19937_64 &e) { return normal(e); });
  draws("randexp", [](std::mt19937_64 &e) { return -std::log(1 - uniform(e)); });
  // of floats, in place
  auto fills = [&](std::string_view name, auto draw) {
    l.add(name, 1, [&, engine, draw](Interpreter &, Args a) -> Result<Value> {
      HostArray *array = a[0].as_array();
      if (!array) return Value();
      const auto &b = types.builtins();
      for (int64_t i = 0, n = array->length(); i < n; ++i) {
        if (array->element == b.Float64)
          reinterpret_cast<double *>(array->bytes.data())[i] = draw(*engine);
        else if (array->element == b.Float32)
          reinterpret_cast<float *>(array->bytes.data())[i] = float(draw(*engine));
        else
          return input_error("MethodError",
                             fmt::format("no random numbers of type {}", to_string(array->element)));
      }
      return a[0];
    });
  };
  fills("randn!", [](std::mt19937_64 &e) { return normal(e); });
  fills("rand!", [](std::mt19937_64 &e) { return uniform(e); });
  fills("randexp!", [](std::mt19937_64 &e) { return -std::log(1 - uniform(e)); });
}

} // namespace kiln
