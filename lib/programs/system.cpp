// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clocks, the environment, exit.
#include "library.h"

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <thread>

#include <sys/utsname.h>
#include <unistd.h>

namespace kiln {

namespace {

template <class T> double seconds_of(T duration) { return std::chrono::duration<double>(duration).count(); }

} // namespace

void add_system(Library &l) {
  TypeContext &types = l.types;
  l.add_any("exit", [&l](Interpreter &, Args args) -> Result<Value> {
    l.program.exit_status = args.empty() ? 0 : int(args[0].low_bits());
    return Error(ErrorCode::Exit, "the program called exit");
  });
  l.add("atexit", 1, [&](Interpreter &, Args a) -> Result<Value> {
    l.program.at_exit.push_back(a[0]);
    return l.nothing();
  });
  l.add("time", 0, [&](Interpreter &, Args) -> Result<Value> {
    return types.float64(seconds_of(std::chrono::system_clock::now().time_since_epoch()));
  });
  l.add("time_ns", 0, [&](Interpreter &, Args) -> Result<Value> {
    return Value::primitive(types.builtins().UInt64,
                            {uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()), 0});
  });
  l.add("__utc_offset", 0, [&](Interpreter &, Args) -> Result<Value> { // of local time in seconds
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    return types.int64(local.tm_gmtoff);
  });
  l.add("sleep", 1, [&](Interpreter &, Args a) -> Result<Value> {
    auto seconds = float_of(types, a[0]);
    if (!seconds || *seconds < 0)
      return make_error(ErrorCode::ArgumentError, "sleep takes a number of seconds");
    for (double left = *seconds; left > 0 && !l.program.interrupts.stop_requested(); left -= 0.05)
      std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, 0.05)));
    return l.nothing();
  });
  // ---- environment
  l.add("__environment", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *name = a[0].as_string();
    if (!name) return Value();
    if (auto changed = l.program.environment.find(*name); changed != l.program.environment.end())
      return changed->second ? l.text(*changed->second) : l.nothing();
    std::optional<std::string> value =
        l.program.options.environment ? l.program.options.environment(*name) : std::nullopt;
    return value ? l.text(std::move(*value)) : l.nothing();
  });
  // __set_environment(name, value or nothing): changes ENV for the program only, not for the process
  l.add("__set_environment", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *name = a[0].as_string();
    if (!name) return Value();
    l.program.environment[*name] = a[1].as_string() ? std::optional(*a[1].as_string()) : std::nullopt;
    return l.nothing();
  });
  // __machine(what): a property of the machine that runs the program
  l.add("__machine", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const Symbol what = a[0].as_symbol();
    if (!what) return Value();
    const std::string_view name = what.text();
    utsname system{};
    uname(&system);
    auto pages = [&](int which) {
      return Value::primitive(types.builtins().UInt64,
                              {uint64_t(sysconf(which)) * uint64_t(sysconf(_SC_PAGESIZE)), 0});
    };
    if (name == "threads") return types.int64(int64_t(std::max(1u, std::thread::hardware_concurrency())));
    if (name == "memory") return pages(_SC_PHYS_PAGES);
    if (name == "free_memory") return pages(_SC_AVPHYS_PAGES);
    if (name == "pid") return types.int64(int64_t(getpid()));
    if (name == "host") return l.text(system.nodename);
    if (name == "machine") return l.text(fmt::format("{}-linux-gnu", system.machine));
    return Value::symbol(types, types.symbol(system.machine)); // arch
  });
}

} // namespace kiln
