// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The embedder's store in place of the cache's folder, that works and that fails in every way.
#include "must.h"
#include "scratch.h"

#include <kiln/kiln.h>

#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace store_test {

using namespace kiln;
using kiln::test::must;

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

std::unique_ptr<Session> open(const SessionOptions &options) {
  auto session = must(Session::open(options));
  must(session->load("add.jl", program));
  return session;
}

Result<void> launch(Session &session, std::vector<float> &y) {
  return session.launch("add", {.threads = {64, 1, 1}},
                        {Argument::array(y.data(), {int64_t(y.size())}), Argument::scalar(1.0f)});
}

struct MapStore : CacheStore {
  std::mutex mutex;
  std::map<Key, std::string> entries;
  int gets = 0, puts = 0, drops = 0;
  std::optional<std::string> get(const Key &key) override {
    std::lock_guard lock(mutex);
    gets++;
    auto found = entries.find(key);
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  void put(const Key &key, std::string_view bytes) override {
    std::lock_guard lock(mutex);
    puts++;
    entries[key] = bytes;
  }
  void drop(const Key &key) override {
    std::lock_guard lock(mutex);
    drops++;
    entries.erase(key);
  }
};

SessionOptions with_store(std::shared_ptr<CacheStore> store) {
  SessionOptions options;
  options.store = std::move(store);
  return options;
}

/// What a session that launches `add` once had to do.
Session::Counters counters_of(const SessionOptions &options) {
  auto session = open(options);
  std::vector<float> y(64);
  must(launch(*session, y));
  CHECK(y[63] == 1);
  session->flush_cache();
  return session->counters();
}

} // namespace

TEST_CASE("a store of the embedder's keeps what outlives a session, and another session finds it") {
  auto store = std::make_shared<MapStore>();
  Session::Counters first = counters_of(with_store(store)), second = counters_of(with_store(store));
  CHECK(first.compiled == 1);
  CHECK(store->puts > 0);
  CHECK(second.compiled == 0);
  CHECK(second.disk_hits == 1);
  CHECK(second.inferred == 0);
}

TEST_CASE("entries that were altered or cut off are dropped with a warning, and made again") {
  auto store = std::make_shared<MapStore>();
  counters_of(with_store(store));
  for (int how : {0, 1, 2}) {
    for (auto &[key, bytes] : store->entries) {
      if (how == 0) bytes[bytes.size() / 2] ^= 1;
      if (how == 1) bytes.resize(bytes.size() / 2);
      if (how == 2) bytes.clear();
    }
    std::atomic<int> warnings{0};
    SessionOptions options = with_store(store);
    options.log = [&](LogLevel level, std::string_view) { warnings += level == LogLevel::Warning; };
    Session::Counters counters = counters_of(options);
    CHECK(counters.compiled == 1);
    CHECK(counters.damaged > 0);
    CHECK(warnings > 0);
    CHECK(store->drops > 0);
    CHECK(counters_of(with_store(store)).compiled == 0);
  }
}

TEST_CASE("a store that throws has nothing and keeps nothing; one warning says so") {
  struct Throws : MapStore {
    std::optional<std::string> get(const Key &) override { throw std::runtime_error("the server is gone"); }
    void put(const Key &, std::string_view) override { throw 1; }
  };
  std::mutex mutex;
  std::vector<std::string> warnings;
  SessionOptions options = with_store(std::make_shared<Throws>());
  options.log = [&](LogLevel, std::string_view text) {
    std::lock_guard lock(mutex);
    warnings.emplace_back(text);
  };
  CHECK(counters_of(options).compiled == 1);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings[0].find("the embedder's store of the cache threw: the server is gone") == 0);
}

TEST_CASE("a store that calls its session is refused; one that is slow is waited for") {
  struct Calls : MapStore {
    Session *session = nullptr;
    std::atomic<int> refused{0}, done{0};
    std::optional<std::string> get(const Key &key) override {
      if (session) {
        auto loaded = session->load("x.jl", "x = 1\n");
        (loaded.ok() || loaded.error().kind() != ErrorKind::Usage ? done : refused)++;
      }
      return MapStore::get(key);
    }
    void put(const Key &key, std::string_view bytes) override {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      if (session) {
        session->flush_cache(); // which would wait for this very call
        (session->check().ok() ? done : refused)++;
      }
      MapStore::put(key, bytes);
    }
  };
  auto store = std::make_shared<Calls>();
  {
    auto session = open(with_store(store));
    store->session = session.get();
    std::vector<float> y(64);
    must(launch(*session, y));
    session->flush_cache();
    CHECK(store->puts > 0); // so flush_cache has waited
    store->session = nullptr;
  }
  CHECK(store->refused >= 2);
  CHECK(store->done == 0);
}

TEST_CASE("a store and a folder are one too many") {
  kiln::test::Scratch scratch;
  SessionOptions options = with_store(std::make_shared<MapStore>());
  options.cache_dir = scratch.path.string();
  auto opened = Session::open(options);
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind() == ErrorKind::Usage);
  CHECK(opened.error().what().find("store and SessionOptions::cache_dir are both given") !=
        std::string::npos);
}

TEST_CASE("a read-only folder lies below a store") {
  kiln::test::Scratch scratch;
  SessionOptions filler;
  filler.cache_dir = scratch.path.string();
  counters_of(filler);
  SessionOptions options = with_store(std::make_shared<MapStore>());
  options.shared_cache_dir = scratch.path.string();
  CHECK(counters_of(options).compiled == 0);
}

TEST_CASE("precompile fills a store, which a session then finds all in") {
  auto store = std::make_shared<MapStore>();
  kiln::test::Scratch scratch;
  const std::string trace = (scratch.path / "jobs.trace").string(), file = (scratch.path / "add.jl").string();
  std::ofstream(file) << program;
  {
    SessionOptions options;
    options.cache_dir = "";
    options.trace_jobs = trace;
    auto session = must(Session::open(options));
    must(session->load_file(file));
    std::vector<float> y(64);
    must(launch(*session, y));
  }
  PrecompileOptions options{.session = with_store(store)};
  PrecompileReport report = must(precompile(must(read_job_trace(trace)).jobs, options));
  CHECK(report.made == 1);
  CHECK(report.missing == 0);
  auto session = must(Session::open(with_store(store)));
  must(session->load_file(file));
  std::vector<float> y(64);
  must(launch(*session, y));
  CHECK(session->counters().compiled == 0);
}

} // namespace store_test
