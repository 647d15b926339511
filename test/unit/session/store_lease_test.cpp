// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optional functions of the embedder's store: batches, expiry, leases, statistics.
#include "must.h"
#include "scratch.h"

#include <kiln/kiln.h>

#include <catch2/catch.hpp>

#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

namespace store_lease_test {

using namespace kiln;
using namespace std::chrono_literals;
using kiln::test::must;
using Clock = std::chrono::steady_clock;

namespace {

constexpr const char *program = R"(
using CUDA
function add(y, x)
    i = threadIdx().x
    if i <= length(y)
        y[i] += x
    end
    return
end
)";

/// A store in memory that does all that a store may do.
struct WholeStore : CacheStore {
  struct Lease {
    uint64_t token;
    Clock::time_point end;
  };
  std::mutex mutex;
  std::map<Key, std::string> entries;
  std::map<Key, Lease> leases;
  std::map<Key, uint64_t> last_token;
  std::vector<StorePut> puts;
  uint64_t tokens = 0;
  int single_gets = 0, batches = 0, renewals = 0, lost = 0, stale_puts = 0;
  std::chrono::milliseconds put_time{0};
  std::string throws_in; ///< name of a function

  void begin(const char *function) const {
    if (throws_in == function) throw std::runtime_error(std::string("no ") + function);
  }
  std::optional<std::string> find(const Key &key) {
    const auto found = entries.find(key);
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  std::optional<std::string> get(const Key &key) override {
    begin("get");
    std::lock_guard lock(mutex);
    single_gets++;
    return find(key);
  }
  void put(const Key &, std::string_view) override { throw std::logic_error("put"); }
  void drop(const Key &key) override {
    begin("drop");
    std::lock_guard lock(mutex);
    entries.erase(key);
  }
  std::vector<std::optional<std::string>> get_many(std::span<const Key> keys) override {
    begin("get_many");
    std::lock_guard lock(mutex);
    batches++;
    std::vector<std::optional<std::string>> found;
    for (const Key &key : keys) found.push_back(find(key));
    return found;
  }
  void put_with(const Key &key, std::string_view bytes, const StorePut &options) override {
    std::this_thread::sleep_for(put_time);
    begin("put_with");
    std::lock_guard lock(mutex);
    puts.push_back(options);
    if (options.token < last_token[key]) stale_puts++;
    entries[key] = bytes;
  }
  StoreLease acquire_lease(const Key &key, std::chrono::milliseconds time_to_live) override {
    begin("acquire_lease");
    std::lock_guard lock(mutex);
    const auto held = leases.find(key);
    if (held != leases.end() && held->second.end > Clock::now()) return {StoreLease::State::Held};
    leases[key] = {++tokens, Clock::now() + time_to_live};
    last_token[key] = tokens;
    return {StoreLease::State::Granted, tokens};
  }
  bool renew_lease(const Key &key, uint64_t token, std::chrono::milliseconds time_to_live) override {
    std::lock_guard lock(mutex);
    renewals++;
    begin("renew_lease");
    const auto held = leases.find(key);
    const bool is_held = held != leases.end() && held->second.token == token;
    if (is_held)
      held->second.end = Clock::now() + time_to_live;
    else
      lost++;
    return is_held;
  }
  void release_lease(const Key &key, uint64_t token) override {
    begin("release_lease");
    std::lock_guard lock(mutex);
    const auto held = leases.find(key);
    if (held != leases.end() && held->second.token == token) leases.erase(held);
  }
  std::optional<StoreStatistics> statistics() override {
    begin("statistics");
    std::lock_guard lock(mutex);
    StoreStatistics now{entries.size(), 0};
    for (const auto &[key, bytes] : entries) now.bytes += bytes.size();
    return now;
  }
};

/// A process that uses a store: launches `add`.
struct Process {
  std::mutex mutex;
  std::vector<std::string> warnings;
  SessionOptions options;
  explicit Process(std::shared_ptr<CacheStore> store) {
    options.store = std::move(store);
    options.log = [this](LogLevel, std::string_view text) {
      std::lock_guard lock(mutex);
      warnings.emplace_back(text);
    };
  }
  Session::Counters run() {
    auto session = must(Session::open(options));
    must(session->load("add.jl", program));
    std::vector<float> y(64);
    must(session->launch("add", {.threads = {64, 1, 1}},
                         {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(1.0f)}));
    CHECK(y[63] == 1);
    session->flush_cache();
    return session->counters();
  }
};

} // namespace

TEST_CASE("of sessions that share a store with leases, one compiles, and the others find its entry") {
  auto store = std::make_shared<WholeStore>();
  constexpr int count = 4;
  std::atomic<int> ready{0};
  std::vector<Session::Counters> counters(count);
  std::vector<std::unique_ptr<Process>> processes;
  for (int i = 0; i < count; i++) processes.push_back(std::make_unique<Process>(store));
  std::vector<std::thread> threads;
  for (int i = 0; i < count; i++)
    threads.emplace_back([&, i] {
      ready++;
      while (ready < count) std::this_thread::yield();
      counters[size_t(i)] = processes[size_t(i)]->run();
    });
  for (std::thread &thread : threads) thread.join();
  uint64_t compiled = 0, leases = 0;
  for (const Session::Counters &each : counters) {
    compiled += each.compiled;
    leases += each.store_leases;
  }
  CHECK(compiled == 1);
  CHECK(leases >= 1);
  CHECK(store->leases.empty());
  CHECK(store->stale_puts == 0);
  for (const auto &process : processes) CHECK(process->warnings.empty());
}

TEST_CASE("the lease of a dead holder ends, and the next session compiles") {
  struct Ghost : WholeStore {
    Clock::time_point end = Clock::now() + 300ms;
    StoreLease acquire_lease(const Key &key, std::chrono::milliseconds time_to_live) override {
      if (Clock::now() < end) return {StoreLease::State::Held};
      return WholeStore::acquire_lease(key, time_to_live);
    }
  };
  auto store = std::make_shared<Ghost>();
  Process process(store);
  const Session::Counters counters = process.run();
  CHECK(Clock::now() >= store->end);
  CHECK(counters.compiled == 1);
  CHECK(counters.store_waits == 1);
  CHECK(counters.store_leases == 1);
}

TEST_CASE("a holder that never ends keeps nobody for ever") {
  struct Held : WholeStore {
    StoreLease acquire_lease(const Key &, std::chrono::milliseconds) override {
      return {StoreLease::State::Held};
    }
  };
  Process process(std::make_shared<Held>());
  const auto began = Clock::now();
  const Session::Counters counters = process.run();
  CHECK(Clock::now() - began < 60s);
  CHECK(counters.compiled == 1);
  CHECK(counters.store_leases == 0);
}

TEST_CASE("a lease lives until the entry is put, and the put has its token") {
  auto store = std::make_shared<WholeStore>();
  store->put_time = 2s; // longer than a lease lives without renewals
  Process process(store);
  CHECK(process.run().compiled == 1);
  CHECK(store->renewals >= 1);
  CHECK(store->lost == 0);
  CHECK(store->leases.empty());
  std::set<uint64_t> tokens;
  for (const StorePut &put : store->puts) tokens.insert(put.token);
  CHECK(tokens == std::set<uint64_t>{0, 1}); // records of edges have none
}

TEST_CASE("a store that throws in one of its functions costs one warning") {
  const std::string function =
      GENERATE("get", "put_with", "acquire_lease", "renew_lease", "release_lease", "statistics");
  auto store = std::make_shared<WholeStore>();
  store->throws_in = function;
  if (function == "renew_lease") store->put_time = 1s;
  Process process(store);
  const Session::Counters counters = process.run();
  CHECK(counters.compiled == 1);
  REQUIRE(process.warnings.size() == 1);
  CHECK(process.warnings[0].find("the embedder's store of the cache threw: no " + function) == 0);
}

TEST_CASE("what a session puts expires after SessionOptions::store_expiry") {
  auto store = std::make_shared<WholeStore>();
  Process process(store);
  process.options.store_expiry = 90s;
  const Session::Counters counters = process.run();
  CHECK(!store->puts.empty());
  for (const StorePut &put : store->puts) CHECK(put.time_to_live == 90s);
  CHECK(counters.store_entries == store->entries.size());
  CHECK(counters.store_bytes == store->statistics()->bytes);
  process.options.store_expiry = -1s;
  auto opened = Session::open(process.options);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind() == ErrorKind::Usage);
}

TEST_CASE("precompile asks a store for all entries in a few batches") {
  auto store = std::make_shared<WholeStore>();
  kiln::test::Scratch scratch;
  const std::string file = (scratch.path / "many.jl").string();
  std::string text = "using CUDA\n";
  for (int i = 0; i < 40; i++)
    text +=
        "function f" + std::to_string(i) + "(y)\n    y[1] += " + std::to_string(i) + "\n    return\nend\n";
  std::ofstream(file) << text;
  auto jobs = [&](int count) {
    std::string manifest = R"({"files": ["many.jl"], "targets": ["native"], "jobs": [)";
    for (int i = 0; i < count; i++)
      manifest += std::string(i ? "," : "") + "\"f" + std::to_string(i) + "(CuDeviceVector{Float32,1})\"";
    const std::string path = (scratch.path / "many.json").string();
    std::ofstream(path) << manifest << "]}";
    return must(read_manifest(path)).jobs;
  };
  PrecompileOptions options;
  options.session.store = store;
  CHECK(must(precompile(jobs(40), options)).made == 40);
  std::vector<int> calls;
  for (int count : {5, 40}) {
    store->batches = store->single_gets = 0;
    const PrecompileReport report = must(precompile(jobs(count), options));
    CHECK(report.counts.hits == uint64_t(count));
    calls.push_back(store->batches + store->single_gets);
  }
  CHECK(calls[0] == calls[1]);
  CHECK(calls[1] <= 4);
  store->throws_in = "get_many";
  CHECK(must(precompile(jobs(40), options)).counts.hits == 40);
}

} // namespace store_lease_test
