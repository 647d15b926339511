// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the addresses of host functions come from, what another process and a GPU make of such code, and what
// a host function may call.
#include "host_functions.h"

#include <mutex>
#include <stdexcept>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace host_function_test {

TEST_CASE("ccall reaches what was defined, the table of symbols, and the look-up") {
  constexpr const char *text = "f(x) = ccall(:scaled, Float64, (Float64, Int64), x, 3)\n";
  std::string asked;
  SessionOptions options = quiet();
  SECTION("defined") {
    auto session = must(Session::open(options));
    must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
    must(session->load("f.jl", text));
    CHECK(call<double>(must(session->prepare_function("f(Float32)")), 2.0f) == scaled(2, 3)); // converted
  }
  SECTION("in the table") {
    options.symbols = {{"scaled", address_of(&scaled)}};
    options.find_symbol = [](const std::string &) { return address_of(&shifted); };
    auto session = must(Session::open(options));
    must(session->load("f.jl", text));
    HostFunction f = must(session->prepare_function("f(Float64)"));
    CHECK(call<double>(f, 2.0) == scaled(2, 3));
    must(session->define_host_function("scaled", of_scaled, address_of(&shifted)));
    CHECK(call<double>(f, 2.0) == shifted(2, 3));
  }
  SECTION("found") {
    options.find_symbol = [&](const std::string &name) {
      asked += name + " ";
      return name == "scaled" ? address_of(&scaled) : nullptr;
    };
    auto session = must(Session::open(options));
    must(session->load("f.jl", std::string(text) + "g() = ccall(:nowhere, Cvoid, ())\n"));
    CHECK(call<double>(must(session->prepare_function("f(Float64)")), 2.0) == scaled(2, 3));
    const auto missing = session->prepare_function("g()");
    CHECK(first_of(missing).code == ErrorCode::HostFunctionMissing);
    CHECK_THAT(first_of(missing).message, Contains("`nowhere`"));
    CHECK(asked == "scaled nowhere ");
  }
}

TEST_CASE("a look-up that throws, or calls its session, is an error and no deadlock") {
  SessionOptions options = quiet();
  Session *of_callback = nullptr;
  ErrorKind said = ErrorKind::Internal;
  options.find_symbol = [&](const std::string &name) -> void * {
    if (name == "throws") throw std::runtime_error("no such library");
    const auto refused = of_callback->compile("h()", {}, ArtifactKind::Assembly);
    said = refused.ok() ? ErrorKind::Internal : refused.error().kind();
    return nullptr;
  };
  auto session = must(Session::open(options));
  of_callback = session.get();
  must(session->load("f.jl",
                     "f() = ccall(:throws, Cvoid, ())\ng() = ccall(:calls, Cvoid, ())\nh() = nothing\n"));
  const auto thrown = session->prepare_function("f()");
  CHECK(first_of(thrown).code == ErrorCode::CallbackException);
  CHECK_THAT(first_of(thrown).message, Contains("find_symbol") && Contains("no such library"));
  CHECK(first_of(session->prepare_function("g()")).code == ErrorCode::HostFunctionMissing);
  CHECK(said == ErrorKind::Usage);
}

TEST_CASE("threads call a function while another defines it anew") {
  auto session = open();
  must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
  must(session->load("f.jl", "f(x) = scaled(x, 4)\n"));
  HostFunction f = must(session->prepare_function("f(Float64)"));
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0}, called{0};
  std::vector<std::thread> callers;
  for (int t = 0; t < 3; t++)
    callers.emplace_back([&] {
      const double x = 2;
      const void *arguments[] = {&x};
      while (!stop) {
        double result = 0;
        if (!f.call(arguments, &result).ok() || (result != scaled(2, 4) && result != shifted(2, 4))) wrong++;
        called++;
      }
    });
  for (int i = 0; i < 200 || called < 1000; i++)
    must(session->define_host_function("scaled", of_scaled,
                                       i % 2 ? address_of(&scaled) : address_of(&shifted)));
  stop = true;
  for (std::thread &caller : callers) caller.join();
  CHECK(wrong == 0);
}

TEST_CASE(
    "a cached entry serves a process in which the function lies elsewhere, and names one that is missing") {
  test::Scratch folder;
  constexpr const char *text =
      "f(x) = scaled(x, 4)\ng(x) = ccall(:scaled, Float64, (Float64, Int64), x, 5)\n";
  {
    auto session = open(folder.path);
    must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
    must(session->load("f.jl", text));
    CHECK(call<double>(must(session->prepare_function("f(Float64)")), 2.0) == scaled(2, 4));
    CHECK(call<double>(must(session->prepare_function("g(Float64)")), 2.0) == scaled(2, 5));
    CHECK(session->counters().compiled == 2);
    session->flush_cache();
  }
  const pid_t child = ::fork();
  if (child == 0) {
    auto opened = Session::open(quiet(folder.path));
    if (!opened.ok()) ::_exit(2);
    Session &session = **opened;
    if (!session.define_host_function("scaled", of_scaled, address_of(&shifted)).ok()) ::_exit(3);
    if (!session.load("f.jl", text).ok()) ::_exit(4);
    const auto f = session.prepare_function("f(Float64)");
    if (!f.ok()) ::_exit(5);
    double x = 2, result = 0;
    const void *arguments[] = {&x};
    if (!f->call(arguments, &result).ok() || result != shifted(2, 4)) ::_exit(6);
    ::_exit(session.counters().compiled == 0 ? 0 : 7);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);

  auto session = open(folder.path);
  must(session->load("f.jl", text));
  const auto missing = session->prepare_function("g(Float64)");
  CHECK(session->counters().compiled == 0); // the entry was found
  CHECK(first_of(missing).code == ErrorCode::HostFunctionMissing);
  CHECK(missing.error().kind() == ErrorKind::Input);
  CHECK_THAT(first_of(missing).message, Contains("`scaled`"));
  must(session->define_host_function("scaled", of_scaled, address_of(&shifted)));
  CHECK(call<double>(must(session->prepare_function("g(Float64)")), 2.0) == shifted(2, 5));
}

TEST_CASE("code for a GPU that calls a host function is refused, with the call's name and line") {
  auto session = open();
  must(session->define_host_function("scaled", of_scaled, address_of(&scaled)));
  must(session->load("k.jl", "function k(y)\n"
                             "  y[1] = scaled(y[1], 2)\n"
                             "  return\n"
                             "end\n"
                             "function c(y)\n"
                             "  y[1] = 0\n"
                             "  ccall(:count, Cvoid, (Int64,), 1)\n"
                             "  return\n"
                             "end\n"
                             "function unreached(y)\n"
                             "  if length(y) < 0 && length(y) > 0\n"
                             "    y[1] = scaled(y[1], 2)\n"
                             "  end\n"
                             "  return\n"
                             "end\n"));
  const std::string vector = "(CuDeviceVector{Float64,1})";
  const auto k = session->compile("k" + vector, ptx(), ArtifactKind::Assembly);
  CHECK(first_of(k).code == ErrorCode::HostFunctionOnDevice);
  CHECK_THAT(first_of(k).message, Contains("`scaled`") && Contains("ptx"));
  CHECK(first_of(k).at.line() == 2);
  CHECK(first_of(k).at.file_name() == "k.jl");
  const auto c = session->compile("c" + vector, ptx(), ArtifactKind::Assembly);
  CHECK(first_of(c).code == ErrorCode::HostFunctionOnDevice);
  CHECK_THAT(first_of(c).message, Contains("`count`"));
  CHECK(first_of(c).at.line() == 7);
  must(session->compile("unreached" + vector, ptx(), ArtifactKind::Assembly));
}

namespace {

/// What the host functions below use.
struct Callbacks {
  Session *session = nullptr;
  Stream *stream = nullptr;
  std::vector<ErrorKind> kinds;
  std::mutex mutex;
  template <class T> void note(const Result<T> &result) {
    std::lock_guard lock(mutex);
    kinds.push_back(result.ok() ? ErrorKind(0) : result.error().kind());
  }
} callbacks;

/// Compiles, defines, launches.
void use_session() {
  callbacks.note(callbacks.session->prepare_function("other(Float64)"));
  callbacks.note(callbacks.session->load("more.jl", "more() = 1\n"));
  std::vector<double> y{1};
  callbacks.note(callbacks.session->launch("one", {}, {Argument::array(y.data(), {1})}));
}
void use_stream() {
  callbacks.note(callbacks.stream->synchronize());
  Event event;
  callbacks.note(callbacks.stream->record(event));
  event.wait();
}

constexpr const char *callback_program = "other(x) = x\n"
                                         "function one(y)\n  y[1] = 2\n  return\nend\n"
                                         "f() = use_session()\n"
                                         "function k(y)\n  use_session()\n  y[1] = 3\n  return\nend\n"
                                         "function s(y)\n  use_stream()\n  y[1] = 4\n  return\nend\n";

} // namespace

TEST_CASE("a host function that calls back works in a plain function, and is told in a kernel") {
  auto session = open();
  must(session->define_host_function("use_session", {}, address_of(&use_session)));
  must(session->define_host_function("use_stream", {}, address_of(&use_stream)));
  must(session->load("c.jl", callback_program));
  Stream stream = session->stream();
  callbacks.session = session.get();
  callbacks.stream = &stream;
  callbacks.kinds.clear();
  must(must(session->prepare_function("f()")).call({}, nullptr));
  CHECK(callbacks.kinds == std::vector<ErrorKind>(3, ErrorKind(0)));
  callbacks.kinds.clear();
  std::vector<double> y{0};
  must(session->launch("k", {}, {Argument::array(y.data(), {1})}));
  CHECK(y[0] == 3);
  CHECK(callbacks.kinds == std::vector<ErrorKind>(3, ErrorKind::Usage));
  callbacks.kinds.clear();
  must(session->launch(stream, "s", {}, {Argument::array(y.data(), {1})}));
  must(stream.synchronize());
  CHECK(y[0] == 4);
  CHECK(callbacks.kinds == std::vector<ErrorKind>{ErrorKind::Usage, ErrorKind(0)});
  must(session->check()); // this thread is in no kernel
}

} // namespace host_function_test
