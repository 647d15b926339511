// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_compile.h: futures with priorities, deadlines and cancelling; many compiles at once.
#include "open.h"

#include <kiln/c_compile.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>
#include <vector>

namespace compile_test {

using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using namespace kiln::test;

namespace {

constexpr const char *ptx = R"({"target": "ptx", "arch": "sm_90"})";

/// add1 ... add4 add their number to each element; slow(y, Val(n)) takes long to infer and to compile.
std::string program() {
  std::string text = "using CUDA\n";
  for (int i = 1; i <= 4; i++)
    text += "function add" + std::to_string(i) +
            "(y)\n  i = threadIdx().x\n  if i <= length(y)\n    @inbounds y[i] += " + std::to_string(i) +
            "f0\n  end\n  return\nend\n";
  return text + "function slow(y, ::Val{N}) where {N}\n  x = y[1]\n  @inbounds for i in 1:length(y)\n"
                "    Base.Cartesian.@nexprs 200 k -> x = x * y[i] + sqrt(abs(x - k)) / (x + k)\n"
                "  end\n  y[1] = x + N\n  return\nend\n";
}

struct Compiling : OpenSession {
  explicit Compiling(unsigned compile_threads = 0) : OpenSession(with(compile_threads)) {
    ok(load(program(), &error), error);
  }
  static kiln_session_options with(unsigned compile_threads) {
    kiln_session_options options = {};
    options.compile_threads = compile_threads;
    return options;
  }
  static std::string add(int i) { return "add" + std::to_string(i) + "(CuDeviceVector{Float32,1})"; }
  static std::string slow(int n) { return "slow(CuDeviceVector{Float32,1}, Val{" + std::to_string(n) + "})"; }
  static kiln_compile_request request(const std::string &call) {
    kiln_compile_request request = {};
    request.struct_size = sizeof request;
    request.call = call.c_str();
    request.options_json = ptx;
    return request;
  }
  kiln_future *submit(const std::string &call, int priority = 0, double deadline = 0) {
    const kiln_compile_request wanted = request(call);
    kiln_submit_options options = {};
    options.struct_size = sizeof options;
    options.priority = priority;
    options.deadline = deadline;
    kiln_future *future = nullptr;
    ok(kiln_submit(session, &wanted, &options, &future, &error), error);
    return future;
  }
  /// Frees the future; its status and the kind of its error.
  std::pair<int, std::string> outcome(kiln_future *future) {
    kiln_artifact *artifact = nullptr;
    const int status = kiln_future_get(future, &artifact, &error);
    const std::string kind = kiln_error_kind(error, 0);
    CHECK((artifact != nullptr) == (status == KILN_OK));
    kiln_artifact_free(artifact);
    kiln_error_free(error);
    kiln_future_free(future);
    return {status, kind};
  }
};

using Outcome = std::pair<int, std::string>;

struct Told {
  std::atomic<int> artifacts{0}, errors{0};
  static void one(const kiln_artifact *artifact, const kiln_error *failure, void *user) {
    auto &told = *static_cast<Told *>(user);
    if (artifact && std::string(kiln_artifact_entry(artifact)).find("add1") != std::string::npos)
      told.artifacts++;
    if (failure && std::string(kiln_error_kind(failure, 0)) == "UndefVarError") told.errors++;
  }
};

} // namespace

TEST_CASE("a submitted compile gives its product to whoever asks, as often as it is asked") {
  Compiling open;
  kiln_future *future = open.submit(open.add(1));
  kiln_artifact *artifact = nullptr, *again = nullptr;
  ok(kiln_future_get(future, &artifact, &open.error), open.error);
  const std::string text = static_cast<const char *>(kiln_artifact_data(artifact, nullptr));
  CHECK_THAT(text, Contains(".target sm_90") && Contains(".visible .entry"));
  CHECK(kiln_future_ready(future) == 1);
  CHECK(kiln_future_wait(future, 0) == 1);
  CHECK(kiln_future_wait(future, -1) == 1);
  ok(kiln_future_get(future, &again, &open.error), open.error);
  CHECK(kiln_artifact_data(again, nullptr) == kiln_artifact_data(artifact, nullptr));
  kiln_artifact_free(artifact);
  kiln_artifact_free(again);
  kiln_future_free(future);
  CHECK(kiln_future_ready(future) == 0); // it is none any more
  CHECK(kiln_future_wait(future, 1) == 0);
  CHECK(kiln_future_get(future, &artifact, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("kiln_future was freed"));
}

TEST_CASE("who is told of a compile gets the artifact or the error, also behind a freed future") {
  Compiling open;
  Told heard;
  for (const std::string &call : {open.add(1), std::string("no_such_kernel(Int64)")}) {
    kiln_future *future = open.submit(call);
    ok(kiln_future_then(future, Told::one, &heard, &open.error), open.error);
    kiln_future_free(future);
  }
  while (heard.artifacts + heard.errors < 2) std::this_thread::yield();
  kiln_future *future = open.submit(open.add(1));
  (void)kiln_future_wait(future, 100);
  ok(kiln_future_then(future, Told::one, &heard, &open.error), open.error); // at once
  CHECK(heard.artifacts == 2);
  CHECK(heard.errors == 1);
  CHECK(kiln_future_then(future, nullptr, nullptr, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  kiln_future_free(future);
}

TEST_CASE("a cancelled compile and a late one end with their kinds, and those behind them are compiled") {
  Compiling open(1);
  kiln_future *running = open.submit(open.slow(1)), *waiting = open.submit(open.add(1)),
              *last = open.submit(open.add(2));
  ok(kiln_future_cancel(waiting, &open.error), open.error);
  CHECK(kiln_future_ready(waiting) == 1);
  ok(kiln_future_cancel(running, &open.error), open.error);
  CHECK(open.outcome(waiting) == Outcome(KILN_USAGE, "Cancelled"));
  CHECK(open.outcome(running) == Outcome(KILN_USAGE, "Cancelled"));
  CHECK(open.outcome(last) == Outcome(KILN_OK, ""));
  kiln_future *late = open.submit(open.slow(2), 0, 0.0001); // rounds up to a millisecond
  CHECK(open.outcome(late) == Outcome(KILN_MACHINE, "DeadlineExceeded"));
  CHECK(open.outcome(open.submit(open.add(3), 0, 1e9)) == Outcome(KILN_OK, ""));
}

TEST_CASE("of waiting compiles that of the highest priority begins first") {
  Compiling open(1);
  struct Order {
    std::mutex mutex;
    std::vector<int> priorities;
    struct One {
      Order *all;
      int priority;
    };
    static void one(const kiln_artifact *, const kiln_error *, void *user) {
      const One &of = *static_cast<One *>(user);
      std::lock_guard lock(of.all->mutex);
      of.all->priorities.push_back(of.priority);
    }
  } order;
  std::vector<Order::One> all{{&order, 0}, {&order, 2}, {&order, 1}, {&order, 3}};
  struct Gate { // holds the one thread that compiles until all are submitted
    std::atomic<bool> is_open{false}, is_reached{false};
    std::thread::id main = std::this_thread::get_id();
    static void wait(const kiln_artifact *, const kiln_error *, void *user) {
      Gate &gate = *static_cast<Gate *>(user);
      if (std::this_thread::get_id() == gate.main) return; // the compile was done before kiln_future_then
      gate.is_reached = true;
      while (!gate.is_open) std::this_thread::yield();
    }
  } gate;
  kiln_future *first = nullptr;
  for (int n = 1; !gate.is_reached; n++) {
    kiln_future_free(first);
    first = open.submit(open.slow(n));
    ok(kiln_future_then(first, Gate::wait, &gate, &open.error), open.error);
    while (!kiln_future_ready(first)) std::this_thread::yield();
    for (int i = 0; i < 1000 && !gate.is_reached; i++)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  std::vector<kiln_future *> futures;
  for (size_t i = 0; i < all.size(); i++) {
    futures.push_back(open.submit(open.add(int(i) + 1), all[i].priority));
    ok(kiln_future_then(futures[i], Order::one, &all[i], &open.error), open.error);
  }
  gate.is_open = true;
  CHECK(open.outcome(first).first == KILN_OK);
  for (kiln_future *future : futures) CHECK(open.outcome(future).first == KILN_OK);
  while (true) { // get() may return before the function is told
    std::lock_guard lock(order.mutex);
    if (order.priorities.size() == all.size()) break;
  }
  CHECK(order.priorities == std::vector<int>{3, 2, 1, 0});
}

TEST_CASE("many compiles give each its own product or error") {
  Compiling open;
  const std::string calls[] = {open.add(1), "no_such_kernel(Int64)", open.add(2), "("};
  std::vector<kiln_compile_request> requests;
  for (const std::string &call : calls) requests.push_back(open.request(call));
  kiln_artifact *out[4] = {};
  kiln_error *each[4] = {};
  CHECK(kiln_compile_many(open.session, requests.data(), 4, nullptr, out, each, &open.error) == KILN_INPUT);
  CHECK(kiln_error_count(open.error) == 2);
  CHECK_THAT(kiln_error_kind(open.error, 0), StartsWith("UndefVarError"));
  kiln_error_free(open.error);
  for (size_t i = 0; i < 4; i++) {
    CAPTURE(i);
    const bool fails = i == 1 || i == 3;
    CHECK((out[i] == nullptr) == fails);
    CHECK((each[i] != nullptr) == fails);
    CHECK_THAT(kiln_artifact_entry(out[i]), Contains(fails ? "" : "add" + std::to_string(i / 2 + 1)));
    kiln_artifact_free(out[i]);
    kiln_error_free(each[i]);
  }
  ok(kiln_compile_many(open.session, nullptr, 0, nullptr, nullptr, nullptr, &open.error), open.error);
}

TEST_CASE("kernels that are prepared together compute what each says") {
  Compiling open;
  kiln_device *cpu = nullptr;
  ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
  kiln_job *held = nullptr;
  ok(kiln_job_open(open.session, open.add(4).c_str(), nullptr, &held, &open.error), open.error);
  std::vector<kiln_compile_request> requests;
  const std::string calls[] = {open.add(1), open.add(2), open.add(3)};
  for (const std::string &call : calls) {
    requests.push_back(open.request(call));
    requests.back().options_json = nullptr;
  }
  requests.push_back({});
  requests.back().struct_size = sizeof requests.back();
  requests.back().job = held;
  kiln_kernel *kernels[4] = {};
  ok(kiln_prepare_many(open.session, requests.data(), 4, cpu, nullptr, kernels, nullptr, &open.error),
     open.error);
  kiln_stream *stream = nullptr;
  ok(kiln_stream_open(open.session, cpu, &stream, &open.error), open.error);
  float y[8] = {};
  const int64_t length = 8;
  int64_t header[4];
  ok(kiln_array_header(header, sizeof header, y, sizeof(float), 1, &length, &open.error), open.error);
  kiln_shape shape = {};
  shape.struct_size = sizeof shape;
  shape.threads[0] = 8;
  const void *arguments[] = {header};
  for (kiln_kernel *kernel : kernels) {
    ok(kiln_kernel_launch(kernel, stream, &shape, arguments, 1, &open.error), open.error);
    kiln_kernel_free(kernel);
  }
  ok(kiln_stream_synchronize(stream, &open.error), open.error);
  for (float value : y) CHECK(value == 1 + 2 + 3 + 4);
  kiln_stream_free(stream);
  kiln_job_free(held);
  kiln_device_free(cpu);
}

TEST_CASE("requests and options that mean nothing are usage errors") {
  Compiling open;
  kiln_future *future = nullptr;
  auto refused = [&](kiln_compile_request request, kiln_submit_options options, const char *why) {
    CAPTURE(why);
    CHECK(kiln_submit(open.session, &request, &options, &future, &open.error) == KILN_USAGE);
    CHECK(future == nullptr);
    CHECK_THAT(told(open.error), Contains(why));
  };
  kiln_submit_options right = {};
  right.struct_size = sizeof right;
  const std::string call = open.add(1);
  kiln_compile_request request = open.request(call);
  request.struct_size++;
  refused(request, right, "kiln_compile_request.struct_size");
  request = open.request(call);
  request.call = nullptr;
  refused(request, right, "`call` and `job` are null pointers");
  request = open.request(call);
  request.product = "soup";
  refused(request, right, "not `soup`");
  request = open.request(call);
  kiln_job *job = nullptr;
  ok(kiln_job_open(open.session, call.c_str(), ptx, &job, &open.error), open.error);
  request.job = job;
  refused(request, right, "a job has its own call and options");
  request.call = request.options_json = nullptr;
  kiln_job_free(job);
  refused(request, right, "kiln_job was freed");
  for (double deadline : {-1.0, 1e10}) {
    kiln_submit_options options = right;
    options.deadline = deadline;
    refused(open.request(call), options, "a deadline of");
  }
  right.struct_size = 4;
  refused(open.request(call), right, "kiln_submit_options.struct_size");
  CHECK(kiln_submit(open.session, nullptr, nullptr, &future, nullptr) == KILN_USAGE);
  CHECK(kiln_submit(nullptr, &request, nullptr, &future, nullptr) == KILN_USAGE);
  CHECK(kiln_future_cancel(nullptr, nullptr) == KILN_USAGE);
  request = open.request(call);
  request.options_json = "{";
  CHECK(kiln_submit(open.session, &request, nullptr, &future, nullptr) == KILN_INPUT);
}

TEST_CASE("requests of an earlier version lie closer together") {
  Compiling open;
  struct Earlier { // without `job`
    size_t struct_size;
    const char *call, *options_json, *product;
  } requests[2] = {};
  const std::string calls[] = {open.add(1), open.add(2)};
  for (size_t i = 0; i < 2; i++) requests[i] = {sizeof(Earlier), calls[i].c_str(), ptx, nullptr};
  kiln_artifact *out[2] = {};
  ok(kiln_compile_many(open.session, reinterpret_cast<const kiln_compile_request *>(requests), 2, nullptr,
                       out, nullptr, &open.error),
     open.error);
  CHECK_THAT(kiln_artifact_entry(out[1]), Contains("add2"));
  for (kiln_artifact *artifact : out) kiln_artifact_free(artifact);
}

TEST_CASE("a job's label, digest and the code that a GPU loads") {
  Compiling open;
  const std::string call = open.add(1);
  kiln_job *jobs[3] = {};
  const char *options[] = {R"({"target": "ptx", "arch": "sm_90a", "maxthreads": 128})", nullptr, ptx};
  char *digests[3] = {};
  for (size_t i = 0; i < 3; i++) {
    ok(kiln_job_open(open.session, call.c_str(), options[i], &jobs[i], &open.error), open.error);
    ok(kiln_job_digest(jobs[i], &digests[i], &open.error), open.error);
    CHECK(std::string(digests[i]).size() == 32);
    CHECK(std::string(digests[i]).find_first_not_of("0123456789abcdef") == std::string::npos);
  }
  CHECK(std::string(digests[0]) != digests[1]);
  CHECK(std::string(digests[0]) != digests[2]);
  char *name = nullptr, *target = nullptr;
  ok(kiln_job_label(jobs[2], &name, &target, &open.error), open.error);
  CHECK_THAT(name, StartsWith("add1(CuDeviceArray{Float32, 1, 1})"));
  CHECK(std::string(target) == "ptx sm_90");
  kiln_gpu_code code = {};
  code.struct_size = sizeof code;
  ok(kiln_job_gpu_code(jobs[0], &code, &open.error), open.error);
  CHECK(code.sm == 90);
  CHECK(code.arch_specific == 1);
  CHECK(code.block_threads[0] == 128);
  ok(kiln_job_gpu_code(jobs[1], &code, &open.error), open.error); // the CPU's
  CHECK(code.sm == 0);
  CHECK(code.struct_size == sizeof code);
  for (char *text : {name, target, digests[0], digests[1], digests[2]}) kiln_text_free(text);
  for (kiln_job *job : jobs) kiln_job_free(job);
}

TEST_CASE("kernels are interrupted from C") {
  Compiling open;
  ok(open.load("spin(y) = (while y[1] == 0f0; end; return)", &open.error), open.error);
  float y[1] = {};
  const int64_t length = 1;
  kiln_argument argument = {};
  argument.struct_size = sizeof argument;
  argument.kind = KILN_ARRAY;
  argument.type = "Float32";
  argument.data = y;
  argument.ndim = 1;
  argument.dims = &length;
  std::atomic<int> status{-1};
  std::string kind;
  std::thread launching([&] {
    const unsigned one[3] = {1, 1, 1};
    kiln_error *error = nullptr;
    const int ended = kiln_launch(open.session, "cpu", "spin", one, one, &argument, 1, &error);
    kind = kiln_error_kind(error, 0);
    kiln_error_free(error);
    status = ended;
  });
  while (status == -1) {
    ok(kiln_interrupt_kernels(open.session, &open.error), open.error);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  launching.join();
  CHECK(status == KILN_INPUT);
  CHECK(kind == "InterruptException");
  CHECK(kiln_interrupt_kernels(nullptr, nullptr) == KILN_USAGE);
}

} // namespace compile_test
