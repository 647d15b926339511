// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder pays: asking whether a held job is current, through C++ and C, on 1 to 16 threads; a
// method of 100 statements defined from C; a definition while many jobs are held; a call of a host function
// from compiled code, and of compiled code from C. embedding [--rounds N]
#include "measure.h"
#include "must.h"

#include <kiln/c_language.h>
#include <kiln/kiln.h>

#include <atomic>
#include <memory>
#include <thread>

using bench::must;

namespace {

constexpr int calls = 100'000;

/// Nanoseconds a call, on each of `threads` at once: the median over rounds of the slowest thread.
template <class F> double nanoseconds(int threads, int rounds, F &&call) {
  bench::Series series;
  for (int round = 0; round < rounds; round++) {
    std::atomic<int> ready{0};
    std::vector<std::thread> all;
    std::vector<double> took(static_cast<size_t>(threads));
    for (int t = 0; t < threads; t++)
      all.emplace_back([&, t] {
        ready++;
        while (ready < threads) {
        }
        const auto start = bench::Moment::now();
        for (int i = 0; i < calls; i++) call();
        took[size_t(t)] = (bench::Moment::now() - start).wall_us * 1e3 / calls;
      });
    for (auto &thread : all) thread.join();
    series.add(*std::max_element(took.begin(), took.end()));
  }
  return series.median();
}

[[gnu::noinline]] double next_value(double x) { return x + 1; }
double (*volatile next_pointer)(double) = next_value;

/// Nanoseconds a turn: a loop that calls a C function through a pointer, and one of compiled code that calls
/// the same function. Each call waits for the one before it.
void host_calls(kiln::Session &session, const kiln::CompilerConfig &plain, int rounds) {
  constexpr int64_t turns = 1'000'000;
  if (!session
           .define_host_function("next_value", {.arguments = {"Float64"}, .returns = "Float64"},
                                 reinterpret_cast<void *>(next_value))
           .ok())
    std::abort();
  must(session.load("loop.jl", "function loop(n, x)\n  for i in 1:n\n    x = next_value(x)\n  end\n  x\nend\n"
                               "increment(x) = x + 1.0\n"));
  const kiln::HostFunction loop = must(session.prepare_function("loop(Int64, Float64)", plain));
  const kiln::HostFunction increment = must(session.prepare_function("increment(Float64)", plain));
  auto *compiled = reinterpret_cast<double (*)(double)>(must(increment.address()));
  bench::Series of_c, of_kiln, of_address;
  double sum = 0;
  for (int round = 0; round < rounds; round++) {
    auto start = bench::Moment::now();
    double x = 0;
    for (int64_t i = 0; i < turns; i++) x = next_pointer(x);
    of_c.add((bench::Moment::now() - start).wall_us * 1e3 / double(turns));
    const double zero = 0;
    double result = 0;
    const void *arguments[] = {&turns, &zero};
    start = bench::Moment::now();
    if (!loop.call(arguments, &result).ok()) std::abort();
    of_kiln.add((bench::Moment::now() - start).wall_us * 1e3 / double(turns));
    if (x != result) std::abort();
    start = bench::Moment::now();
    for (int i = 0; i < calls; i++) sum = compiled(sum);
    of_address.add((bench::Moment::now() - start).wall_us * 1e3 / calls);
  }
  if (sum != double(rounds) * calls) std::abort();
  std::printf("a host function called by compiled code: %.2f ns; by C through a pointer: %.2f ns\n"
              "a compiled function called by C through its address: %.1f ns\n",
              of_kiln.median(), of_c.median(), of_address.median());
}

void define_method(kiln_session *session, kiln_value *function, kiln_value *type, kiln_value *add,
                   int64_t k) {
  kiln_error *error = nullptr;
  kiln_code *code = nullptr;
  must(kiln_code_new(session, "chain", &code, &error), error);
  kiln_operand value = kiln_code_argument(code, "x");
  const kiln_operand callee = kiln_code_constant(code, add);
  for (int i = 0; i < 99; i++) {
    const kiln_operand both[] = {value, kiln_code_int64(code, k + i)};
    value = kiln_code_call(code, callee, both, 2);
  }
  kiln_code_return(code, value);
  const kiln_value *types[] = {type};
  kiln_method method = {};
  method.struct_size = sizeof method;
  method.function = function;
  method.argument_types = types;
  method.argument_count = 1;
  method.code = code;
  must(kiln_define_method(session, &method, &error), error);
}

} // namespace

int main(int argc, char **argv) {
  int rounds = 11;
  for (int i = 1; i + 1 < argc; i++)
    if (!std::strcmp(argv[i], "--rounds")) rounds = std::atoi(argv[i + 1]);

  kiln::SessionOptions options;
  options.cache_dir = "";
  auto session = must(kiln::Session::open(options));
  must(session->load("f.jl", "f(x) = x + 1\n"));
  kiln::CompilerConfig plain;
  plain.kernel = false;
  kiln::Job job = must(session->job("f(Int64)", plain));
  must(job.compile(kiln::ArtifactKind::Typed));

  kiln_error *error = nullptr;
  kiln_session *c_session = nullptr;
  kiln_session_options c_options = {};
  c_options.struct_size = sizeof c_options;
  c_options.cache_dir = "";
  must(kiln_session_open(&c_options, &c_session, &error), error);
  must(kiln_load(c_session, "f.jl", "f(x) = x + 1\n", 13, &error), error);
  kiln_job *c_job = nullptr;
  must(kiln_job_open(c_session, "f(Int64)", "{\"kernel\": false}", &c_job, &error), error);

  std::printf("| threads | is_current, C++ | is_current, C |\n|---|---|---|\n");
  for (int threads : {1, 2, 4, 8, 16}) {
    if (unsigned(threads) > std::thread::hardware_concurrency()) break;
    const double cpp = nanoseconds(threads, rounds, [&] {
      if (!job.is_current()) std::abort();
    });
    const double c = nanoseconds(threads, rounds, [&] {
      if (!kiln_job_is_current(c_job)) std::abort();
    });
    std::printf("| %d | %.1f ns | %.1f ns |\n", threads, cpp, c);
  }

  kiln_value *function = nullptr, *type = nullptr, *base = nullptr, *add = nullptr;
  must(kiln_define_function(c_session, nullptr, "chain", &function, &error), error);
  must(kiln_value_named(c_session, nullptr, "Int64", &type, &error), error);
  must(kiln_module_named(c_session, "Base", &base, &error), error);
  must(kiln_value_named(c_session, base, "+", &add, &error), error);
  bench::Series defined;
  for (int i = 0; i < 2000; i++) {
    const auto start = bench::Moment::now();
    define_method(c_session, function, type, add, i);
    defined.add((bench::Moment::now() - start).wall_us);
  }
  std::printf("\na method of 100 statements from C: %.1f us (p90 %.1f)\n", defined.median(),
              defined.percentile(0.9));

  std::vector<kiln::Job> held;
  for (int i = 0; i < 1000; i++) {
    const std::string name = "g" + std::to_string(i);
    must(session->load(name + ".jl", name + "(x) = f(x) + " + std::to_string(i) + "\n"));
    held.push_back(must(session->job(name + "(Int64)", plain)));
    must(held.back().compile(kiln::ArtifactKind::Typed));
  }
  bench::Series loaded;
  for (int i = 0; i < 50; i++) {
    const std::string text = "unrelated(x) = x + " + std::to_string(i) + "\n";
    const auto start = bench::Moment::now();
    must(session->load("unrelated.jl", text));
    loaded.add((bench::Moment::now() - start).wall_us);
  }
  std::printf("a definition that concerns none of 1,000 held jobs: %.0f us (p90 %.0f)\n", loaded.median(),
              loaded.percentile(0.9));
  host_calls(*session, plain, rounds);
  kiln_job_free(c_job);
  kiln_session_close(c_session);
  return 0;
}
