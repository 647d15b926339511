// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The budget of the cache: what goes, what stays, and that a key is still compiled once.
#include <catch2/catch.hpp>

#include <cache/cache.h>

#include <atomic>
#include <map>
#include <thread>

using namespace kiln;

namespace {

constexpr size_t size = 10'000; // of an artifact's text: what stands around it is small beside it

Result<ObjectCache::ArtifactPtr> make(uint64_t key) {
  auto made = std::make_shared<Artifact>();
  made->bytes = std::string(size, char('a' + key % 26));
  return ObjectCache::ArtifactPtr(std::move(made));
}

Fingerprint fingerprint(uint64_t i) { return {i * 7919, i}; }

ObjectCache::ArtifactPtr ask(ObjectCache &cache, uint64_t key) {
  auto result = cache.get(fingerprint(key), [&] { return make(key); });
  REQUIRE(result.ok());
  return *result;
}

} // namespace

TEST_CASE("bytes stay within the budget, and what was used longest ago goes first") {
  constexpr size_t budget = 20 * size;
  ObjectCache cache(budget);
  ObjectCache::ArtifactPtr held = ask(cache, 0);
  for (uint64_t key = 1; key < 200; key++) {
    ask(cache, key);
    ask(cache, 1); // used all the time
    REQUIRE(cache.counters().bytes <= budget);
  }
  CacheCounters c = cache.counters();
  CHECK(c.evicted == 200 - c.entries);
  CHECK(c.entries >= 15);
  CHECK(c.entries <= 20);
  CHECK(c.misses == 200);
  CHECK(cache.find(fingerprint(1)));
  CHECK(cache.find(fingerprint(199)));
  CHECK(!cache.find(fingerprint(0)));
  CHECK(!cache.find(fingerprint(100)));
  CHECK(held->bytes == std::string(size, 'a')); // who holds one keeps it

  auto again = ask(cache, 0);
  CHECK(again != held);
  CHECK(again->bytes == held->bytes);
  CHECK(cache.counters().misses == 201);
}

TEST_CASE("an object attached to an artifact counts with it, and leaves with it") {
  constexpr size_t budget = 20 * size, more = 4 * size;
  ObjectCache cache(budget);
  const int device = 0;
  auto alive = std::make_shared<int>(0);
  std::weak_ptr<const std::string> last;
  for (uint64_t key = 0; key < 100; key++) {
    const ObjectCache::ArtifactPtr artifact = ask(cache, key);
    auto code = std::shared_ptr<const std::string>(new std::string(std::to_string(key)),
                                                   [alive](const std::string *text) { delete text; });
    last = code;
    REQUIRE(cache.attach<std::string>(fingerprint(key), *artifact, &device, code, more) == code);
    code.reset();
    REQUIRE(cache.counters().bytes <= budget);
    REQUIRE(cache.counters().entries == size_t(alive.use_count() - 1));
    REQUIRE(*cache.attached<std::string>(fingerprint(key), *artifact, &device) == std::to_string(key));
  }
  const ObjectCache::ArtifactPtr there = cache.find(fingerprint(99));
  REQUIRE(there);
  // The first object stays; owners have one each.
  auto second = std::make_shared<const std::string>("second");
  CHECK(*cache.attach<std::string>(fingerprint(99), *there, &device, second, 0) == "99");
  CHECK(cache.attach<std::string>(fingerprint(99), *there, nullptr, second, 0) == second);
  // Nothing is attached to an artifact that was evicted, or that was made again meanwhile.
  const size_t before = cache.counters().bytes;
  const ObjectCache::ArtifactPtr other = *make(99);
  for (uint64_t key : {0, 99}) {
    CHECK(cache.attach<std::string>(fingerprint(key), *other, &device, second, more) == second);
    CHECK(!cache.attached<std::string>(fingerprint(key), *other, &device));
  }
  CHECK(cache.counters().bytes == before);
  cache.clear();
  CHECK(cache.counters().bytes == 0);
  CHECK(last.expired());
  last.reset(); // it keeps the deleter
  CHECK(alive.use_count() == 1);
}

TEST_CASE("without a budget nothing is kept, and every caller gets its artifact") {
  ObjectCache cache(0);
  for (uint64_t key = 0; key < 10; key++)
    for (int i = 0; i < 2; i++) CHECK(ask(cache, key)->bytes.size() == size);
  CHECK(cache.counters().entries == 0);
  CHECK(cache.counters().bytes == 0);
  CHECK(cache.counters().misses == 20);
}

TEST_CASE("an artifact that is being compiled is not dropped: threads that ask meanwhile share it") {
  ObjectCache cache(2 * size);
  std::atomic<bool> release{false};
  std::atomic<int> compiles{0}, wrong{0};
  auto slow = [&] {
    auto result = cache.get(fingerprint(1000), [&] {
      compiles++;
      while (!release) std::this_thread::yield();
      return make(1000);
    });
    if (!result.ok()) wrong++;
  };
  std::thread first(slow);
  while (!compiles) std::this_thread::yield();
  for (uint64_t key = 0; key < 50; key++) ask(cache, key); // each drops others
  std::thread second(slow);
  while (cache.counters().waits == 0) std::this_thread::yield();
  release = true;
  first.join();
  second.join();
  CHECK(compiles == 1);
  CHECK(wrong == 0);
  CHECK(cache.counters().evicted > 40);
}

TEST_CASE("many threads on few keys and a small budget: every answer is its key's") {
  ObjectCache cache(5 * size);
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; t++)
    threads.emplace_back([&, t] {
      for (uint64_t i = 0; i < 2000; i++) {
        uint64_t key = (i * (t + 1) + t) % 26;
        auto result = cache.get(fingerprint(key), [&] { return make(key); });
        if (!result.ok() || (*result)->bytes[0] != char('a' + key)) wrong++;
      }
    });
  for (auto &thread : threads) thread.join();
  CHECK(wrong == 0);
  CacheCounters c = cache.counters();
  CHECK(c.bytes <= 5 * size);
  CHECK(c.entries == c.misses - c.evicted);
  CHECK(c.hits + c.waits + c.misses == 16000);
}
