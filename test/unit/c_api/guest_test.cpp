// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C: what an embedder supplies, the manners of a guest, numbers of errors, features.
#include "open.h"
#include "wipes_on_fork.h"

#include <atomic>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using kiln::test::told;

namespace {

struct Guest : kiln::test::OpenSession {
  using OpenSession::OpenSession;
  int launch(std::vector<float> &y, kiln_error **error = nullptr) {
    const unsigned blocks[3] = {unsigned(y.size() / 64), 1, 1}, threads[3] = {64, 1, 1};
    const int64_t length = int64_t(y.size());
    kiln_argument argument{};
    argument.struct_size = sizeof argument;
    argument.kind = KILN_ARRAY;
    argument.type = "Float32";
    argument.data = y.data();
    argument.ndim = 1;
    argument.dims = &length;
    return kiln_launch(session, "cpu", "add", blocks, threads, &argument, 1, error);
  }
};

constexpr const char *program = R"(
using CUDA
function add(y)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        y[i] += 1
    end
    return
end
)";

kiln_session_options quiet() {
  kiln_session_options options{};
  options.cache_dir = "";
  return options;
}

} // namespace

TEST_CASE("a log function in C hears messages with their level and size, and may not call its session") {
  struct Heard {
    std::mutex mutex;
    std::vector<std::pair<int, std::string>> messages;
    kiln_session *session = nullptr;
    int status = 0;
  } heard;
  kiln_session_options options = quiet();
  options.log_user = &heard;
  options.log = [](int level, const char *message, size_t size, void *user) {
    auto &to = *static_cast<Heard *>(user);
    std::lock_guard lock(to.mutex);
    CHECK(std::strlen(message) == size);
    to.messages.emplace_back(level, std::string(message, size));
    to.status = kiln_load(to.session, "x.jl", "", 0, nullptr);
  };
  Guest open(options);
  heard.session = open.session;
  REQUIRE(open.load("using NoSuchPackage\n") == KILN_OK);
  REQUIRE(heard.messages.size() == 1);
  CHECK(heard.messages[0].first == 2); // a warning
  CHECK(heard.messages[0].second.find("NoSuchPackage") != std::string::npos);
  CHECK(heard.status == KILN_USAGE);
}

TEST_CASE("ignore_environment keeps a session from its variables") {
  ::setenv("KILN_LOG", "garbage", 1);
  kiln_session_options options = quiet();
  options.struct_size = sizeof options;
  kiln_session *session = nullptr;
  kiln_error *error = nullptr;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK(told(error).find("KILN_LOG") != std::string::npos);
  options.ignore_environment = 1;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_OK);
  kiln_session_close(session);
  ::unsetenv("KILN_LOG");
}

TEST_CASE(
    "an executor in C runs blocks; a failure is the launch's; it is closed once, with the last handle") {
  struct Mine {
    std::atomic<int> loops{0}, closed{0}, fails{0};
  } mine;
  kiln_executor executor{};
  executor.struct_size = sizeof executor;
  executor.threads = 2;
  executor.user = &mine;
  executor.parallel_for = [](uint64_t count, void (*body)(void *, uint64_t, uint64_t), void *context,
                             void *user) {
    auto &m = *static_cast<Mine *>(user);
    m.loops++;
    if (m.fails) return 5;
    std::thread half([&] { body(context, 0, count / 2); }); // another thread, and this one
    body(context, count / 2, count);
    half.join();
    return 0;
  };
  executor.submit = [](void (*)(void *), void *, void *) { return 1; }; // the calling thread does it
  executor.closed = [](void *user) { static_cast<Mine *>(user)->closed++; };
  kiln_session_options options = quiet();
  options.executor = &executor;
  kiln_event *event = nullptr;
  kiln_device *cpu = nullptr;
  {
    Guest open(options);
    REQUIRE(open.load(program) == KILN_OK);
    std::vector<float> y(64 * 100);
    REQUIRE(open.launch(y) == KILN_OK);
    CHECK(y[0] == 1);
    CHECK(y[6399] == 1);
    CHECK(mine.loops == 1);
    mine.fails = 1;
    kiln_error *error = nullptr;
    CHECK(open.launch(y, &error) == KILN_USAGE);
    CHECK(told(error).find("kiln_executor.parallel_for returned 5") != std::string::npos);
    REQUIRE(kiln_event_create(&event, nullptr) == KILN_OK);
    REQUIRE(kiln_device_open(open.session, "cpu", &cpu, nullptr) == KILN_OK);
  }
  CHECK(mine.closed == 0); // the device's
  kiln_event_free(event);
  kiln_device_free(cpu);
  CHECK(mine.closed == 1);
}

TEST_CASE("structures of callbacks that are too large, or lack a function, are refused") {
  auto refused = [](kiln_session_options options, const char *why) {
    options.struct_size = sizeof options;
    kiln_session *session = nullptr;
    kiln_error *error = nullptr;
    CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
    CHECK(session == nullptr);
    const std::string text = told(error);
    INFO(text);
    CHECK(text.find(why) != std::string::npos);
  };
  kiln_session_options options = quiet();
  kiln_executor executor{};
  options.executor = &executor;
  refused(options, "kiln_executor.struct_size is 0");
  executor.struct_size = sizeof executor;
  refused(options, "kiln_executor.parallel_for is a null pointer");
  executor.parallel_for = [](uint64_t, void (*)(void *, uint64_t, uint64_t), void *, void *) { return 0; };
  refused(options, "kiln_executor.submit is a null pointer");
  executor.submit = [](void (*)(void *), void *, void *) { return 0; };
  refused(options, "threads() is 0");
  options = quiet();
  kiln_device_allocator allocator{};
  allocator.struct_size = sizeof allocator;
  options.device_allocator = &allocator;
  refused(options, "kiln_device_allocator.allocate is a null pointer");
  options = quiet();
  kiln_store store{};
  store.struct_size = sizeof store + 8;
  options.store = &store;
  refused(options, "kiln_store.struct_size is");
  store.struct_size = sizeof store;
  refused(options, "kiln_store.get is a null pointer");
  store.get = [](const unsigned char *, void (*)(void *, const void *, size_t), void *, void *) { return 0; };
  store.put = [](const unsigned char *, const void *, size_t, void *) { return 0; };
  store.drop = [](const unsigned char *, void *) { return 0; };
  store.release_lease = [](const unsigned char *, uint64_t, void *) { return 0; };
  refused(options, "kiln_store.acquire_lease is a null pointer");
}

TEST_CASE("a store in C keeps entries for the next session; one that fails has nothing") {
  struct Mine {
    std::mutex mutex;
    std::map<std::string, std::string> entries;
    bool fails = false;
    int warnings = 0;
  } mine;
  kiln_store store{};
  store.struct_size = sizeof store;
  store.user = &mine;
  store.get = [](const unsigned char *key, void (*give)(void *, const void *, size_t), void *context,
                 void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    if (m.fails) return -1;
    auto found = m.entries.find(std::string(reinterpret_cast<const char *>(key), 16));
    if (found != m.entries.end()) give(context, found->second.data(), found->second.size());
    return 0;
  };
  store.put = [](const unsigned char *key, const void *data, size_t size, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    m.entries[std::string(reinterpret_cast<const char *>(key), 16)] =
        std::string(static_cast<const char *>(data), size);
    return m.fails ? 1 : 0;
  };
  store.drop = [](const unsigned char *, void *) { return 0; };
  kiln_session_options options{};
  options.store = &store;
  options.log_user = &mine;
  options.log = [](int, const char *, size_t, void *user) { static_cast<Mine *>(user)->warnings++; };
  auto compiled = [&] {
    Guest open(options);
    REQUIRE(open.load(program) == KILN_OK);
    std::vector<float> y(64);
    REQUIRE(open.launch(y) == KILN_OK);
    REQUIRE(kiln_flush_cache(open.session, nullptr) == KILN_OK);
    kiln_counters counters{};
    counters.struct_size = sizeof counters;
    REQUIRE(kiln_session_counters(open.session, &counters, nullptr) == KILN_OK);
    return counters.compiled;
  };
  CHECK(compiled() == 1);
  CHECK(mine.entries.size() > 0);
  CHECK(compiled() == 0);
  CHECK(mine.warnings == 0);
  mine.fails = true;
  CHECK(compiled() == 1);
  CHECK(mine.warnings == 1);
}

TEST_CASE("errors have numbers beside their names") {
  Guest open(quiet());
  kiln_error *error = nullptr;
  CHECK(open.load("f(x = ", &error) == KILN_INPUT);
  CHECK(kiln_error_code(error, 0) == 101); // docs/guide/errors.md: a syntax error
  CHECK(kiln_error_code(error, 99) == 0);
  kiln_error_free(error);
  kiln_artifact *artifact = nullptr;
  REQUIRE(open.load("f(x) = nowhere(x)\n") == KILN_OK);
  CHECK(kiln_compile(open.session, "f(Int64)", nullptr, "asm", &artifact, &error) == KILN_INPUT);
  CHECK(kiln_error_code(error, 0) / 100 == 1);
  kiln_error_free(error);
  CHECK(kiln_compile(open.session, "f(Int64)", nullptr, "soup", &artifact, &error) == KILN_USAGE);
  CHECK(kiln_error_code(error, 0) == 200);
  kiln_error_free(error);
  CHECK(kiln_error_code(nullptr, 0) == 0);
}

TEST_CASE("what the library has is asked by name") {
  for (const char *name : {"allocator", "cuda", "environment", "error_code", "executor", "fork", "gdb", "log",
                           "nvtx", "perf", "store"})
    CHECK(kiln_has_feature(name) == 1);
  for (const char *name : {"", "Cuda", "cuda ", "time travel"}) CHECK(kiln_has_feature(name) == 0);
  CHECK(kiln_has_feature(nullptr) == 0);
}

TEST_CASE(
    "in a child the parent's handles are told, freed without waiting, and a new session works; with threads busy") {
  if (!wipes_on_fork()) return;
  Guest open(quiet());
  REQUIRE(open.load(program) == KILN_OK);
  kiln_device *cpu = nullptr;
  kiln_stream *stream = nullptr;
  kiln_event *event = nullptr;
  REQUIRE(kiln_device_open(open.session, "cpu", &cpu, nullptr) == KILN_OK);
  REQUIRE(kiln_stream_open(open.session, cpu, &stream, nullptr) == KILN_OK);
  REQUIRE(kiln_event_create(&event, nullptr) == KILN_OK);
  std::atomic<bool> ended{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; i++)
    threads.emplace_back([&] {
      while (!ended) { // the table of handles is at work, too
        kiln_event *each = nullptr;
        (void)kiln_event_create(&each, nullptr);
        kiln_event_free(each);
        std::vector<float> y(64);
        (void)open.launch(y);
      }
    });
  for (int round = 0; round < 10; round++) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      ::alarm(60);
      int wrong = 0;
      auto usage = [&](int status) { wrong += status != KILN_USAGE; };
      char *text = nullptr;
      kiln_device *other = nullptr;
      kiln_counters counters{};
      counters.struct_size = sizeof counters;
      kiln_error *error = nullptr;
      usage(kiln_load(open.session, "x.jl", "", 0, &error));
      wrong += told(error).find("forked from") == std::string::npos;
      usage(kiln_timings(open.session, "table", &text, nullptr));
      usage(kiln_session_counters(open.session, &counters, nullptr));
      usage(kiln_flush_cache(open.session, nullptr));
      usage(kiln_device_open(open.session, "cpu", &other, nullptr));
      usage(kiln_device_synchronize(cpu, nullptr));
      usage(kiln_stream_synchronize(stream, nullptr));
      usage(kiln_event_wait(event, nullptr));
      kiln_stream_free(stream);
      kiln_event_free(event);
      kiln_device_free(cpu);
      kiln_session_close(open.session);
      kiln_session_options options = quiet();
      options.struct_size = sizeof options;
      kiln_session *mine = nullptr;
      wrong += kiln_session_open(&options, &mine, nullptr) != KILN_OK;
      wrong += kiln_load(mine, "test.jl", program, std::strlen(program), nullptr) != KILN_OK;
      kiln_session_close(mine);
      ::_exit(wrong);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  ended = true;
  for (std::thread &thread : threads) thread.join();
  kiln_stream_free(stream);
  kiln_event_free(event);
  kiln_device_free(cpu);
}
