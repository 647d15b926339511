// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   derivative FOLDER                          differentiates some functions, and checks the results
//   derivative FOLDER FILE 'f Float64 0.5'...  prints values of FILE's functions, which call derivative(g, x)
//   derivative FOLDER FILE --compare A B       compares times of two kernels (y, x) on 2^20 Float64
// FOLDER holds the cache: a second process compiles and differentiates nothing. Prints the counters at the
// end.
#include "derivative.h"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

using namespace kiln;

int tour(Session &session);

namespace {

const CompilerConfig config = derivative::with_derivatives({.kernel = false});
const CompilerConfig with_kernels = derivative::with_derivatives({});

template <class T> Result<void> print_value(Session &session, const std::string &call, double at) {
  KILN_TRY(HostFunction function, session.prepare_function(call, config));
  T x = T(at), y = 0;
  const void *arguments[] = {&x};
  KILN_CHECK(function.call(arguments, &y));
  std::printf("%.17g\n", double(y));
  return {};
}

/// "f Float64 0.5"
Result<void> print_value(Session &session, const std::string &request) {
  std::istringstream words(request);
  std::string name, type;
  double x = 0;
  if (!(words >> name >> type >> x) || (type != "Float32" && type != "Float64"))
    return usage_error("a value is asked for as 'f Float64 0.5'");
  const std::string call = name + "(" + type + ")";
  return type == "Float32" ? print_value<float>(session, call, x) : print_value<double>(session, call, x);
}

Result<void> compare(Session &session, const std::string &a, const std::string &b) {
  using Clock = std::chrono::steady_clock;
  using Milliseconds = std::chrono::duration<double, std::milli>;
  constexpr int64_t count = 1 << 20;
  std::vector<double> x(count), y(count);
  for (int64_t i = 0; i < count; i++) x[i] = double(i + 1) / double(count);
  const Argument from = Argument::array(x.data(), {count}), to = Argument::array(y.data(), {count});
  const void *arguments[] = {to.bytes.data(), from.bytes.data()};
  Kernel kernels[2];
  Milliseconds prepared[2], best[2] = {Milliseconds(1e9), Milliseconds(1e9)};
  for (int i = 0; i < 2; i++) {
    const std::string call = (i ? b : a) + "(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})";
    const auto begin = Clock::now();
    KILN_TRY(kernels[i], session.prepare(call, with_kernels, session.cpu()));
    prepared[i] = Clock::now() - begin;
  }
  for (int round = 0; round < 40; round++)
    for (int i = 0; i < 2; i++) {
      const auto begin = Clock::now();
      KILN_CHECK(
          session.launch(kernels[i], {.blocks = {count / 256, 1, 1}, .threads = {256, 1, 1}}, arguments));
      best[i] = std::min(best[i], Milliseconds(Clock::now() - begin));
    }
  for (int i = 0; i < 2; i++)
    std::printf("%s: prepared in %.2f ms, runs in %.3f ms\n", (i ? b : a).c_str(), prepared[i].count(),
                best[i].count());
  std::printf("ratio %.3f\n", best[0] / best[1]);
  return {};
}

Result<int> run(const std::vector<std::string> &arguments) {
  KILN_TRY(auto session, Session::open({.cache_dir = arguments[0]}));
  KILN_CHECK(session->load("derivative.jl", derivative::library));
  int wrong = 0;
  if (arguments.size() == 1) {
    wrong = tour(*session);
  } else {
    KILN_CHECK(session->load_file(arguments[1]));
    if (arguments.size() == 5 && arguments[2] == "--compare")
      KILN_CHECK(compare(*session, arguments[3], arguments[4]));
    else
      for (size_t i = 2; i < arguments.size(); i++) KILN_CHECK(print_value(*session, arguments[i]));
  }
  session->flush_cache();
  const Session::Counters counters = session->counters();
  std::fprintf(stderr, "differentiated %d, compiled %d, from the folder %d\n",
               derivative::Differentiate::functions.load(), int(counters.compiled), int(counters.disk_hits));
  return wrong;
}

} // namespace

int main(int count, char **values) {
  const std::vector<std::string> arguments(values + 1, values + count);
  if (arguments.empty()) return std::fputs("use: derivative FOLDER [FILE REQUEST...]\n", stderr), 1;
  auto wrong = run(arguments);
  if (!wrong.ok()) return std::fputs(wrong.error().what().c_str(), stderr), int(wrong.error().kind());
  return *wrong ? 1 : 0;
}
