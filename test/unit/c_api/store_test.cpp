// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In C: the optional functions of the embedder's store.
#include "open.h"

#include <map>
#include <mutex>
#include <set>
#include <string>

namespace {

TEST_CASE("a store in C has leases, expiry, batches and statistics") {
  using Key = std::string;
  struct Mine {
    std::mutex mutex;
    std::map<Key, std::string> entries;
    std::map<Key, uint64_t> leases;
    uint64_t tokens = 0, fenced_puts = 0, batches = 0;
    std::set<uint64_t> times_to_live;
    static Key key(const unsigned char *bytes) { return {reinterpret_cast<const char *>(bytes), 16}; }
  } mine;
  kiln_store store{};
  store.struct_size = sizeof store;
  store.user = &mine;
  store.get = [](const unsigned char *key, void (*give)(void *, const void *, size_t), void *context,
                 void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    const auto found = m.entries.find(Mine::key(key));
    if (found != m.entries.end()) give(context, found->second.data(), found->second.size());
    return 0;
  };
  store.put = [](const unsigned char *, const void *, size_t, void *) { return -1; };
  store.drop = [](const unsigned char *, void *) { return 0; };
  store.get_many = [](const unsigned char *keys, size_t count,
                      void (*give)(void *, size_t, const void *, size_t), void *context, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    m.batches++;
    for (size_t i = 0; i < count; i++) {
      const auto found = m.entries.find(Mine::key(keys + 16 * i));
      if (found != m.entries.end()) give(context, i, found->second.data(), found->second.size());
    }
    give(context, count, "", 0); // no such index
    return 0;
  };
  store.put_with = [](const unsigned char *key, const void *data, size_t size, uint64_t time_to_live,
                      uint64_t token, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    m.times_to_live.insert(time_to_live);
    m.fenced_puts += token != 0 && token == m.leases[Mine::key(key)];
    m.entries[Mine::key(key)] = std::string(static_cast<const char *>(data), size);
    return 0;
  };
  store.acquire_lease = [](const unsigned char *key, uint64_t time_to_live, uint64_t *token, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    if (time_to_live == 0) return -1;
    *token = m.leases.emplace(Mine::key(key), m.tokens + 1).second ? ++m.tokens : 0;
    return 0;
  };
  store.renew_lease = [](const unsigned char *, uint64_t, uint64_t, void *) { return 0; };
  store.release_lease = [](const unsigned char *key, uint64_t, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    m.leases.erase(Mine::key(key));
    return 0;
  };
  store.statistics = [](kiln_store_statistics *out, void *user) {
    auto &m = *static_cast<Mine *>(user);
    std::lock_guard lock(m.mutex);
    out->entries = m.entries.size();
    out->bytes = 7;
    return 0;
  };
  kiln_session_options options{};
  options.store = &store;
  options.store_expiry = 60;
  kiln::test::OpenSession open(options);
  REQUIRE(open.load("using CUDA\nfunction add(y)\n    y[1] += 1\n    return\nend\n") == KILN_OK);
  float y = 0;
  const int64_t length = 1;
  const unsigned one[3] = {1, 1, 1};
  kiln_argument argument{};
  argument.struct_size = sizeof argument;
  argument.kind = KILN_ARRAY;
  argument.type = "Float32";
  argument.data = &y;
  argument.ndim = 1;
  argument.dims = &length;
  REQUIRE(kiln_launch(open.session, "cpu", "add", one, one, &argument, 1, nullptr) == KILN_OK);
  CHECK(y == 1);
  REQUIRE(kiln_flush_cache(open.session, nullptr) == KILN_OK);
  kiln_counters counters{};
  counters.struct_size = sizeof counters;
  REQUIRE(kiln_session_counters(open.session, &counters, nullptr) == KILN_OK);
  CHECK(counters.compiled == 1);
  CHECK(counters.store_leases == 1);
  CHECK(counters.store_waits == 0);
  CHECK(counters.store_entries == mine.entries.size());
  CHECK(counters.store_bytes == 7);
  CHECK(mine.fenced_puts == 1);
  CHECK(mine.leases.empty());
  CHECK(mine.times_to_live == std::set<uint64_t>{60});
}

} // namespace
