// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <catch2/catch.hpp>

#include <cache/cache.h>

#include <atomic>
#include <thread>

using namespace kiln;

namespace {
std::shared_ptr<const Artifact> artifact(std::string text) {
  auto made = std::make_shared<Artifact>();
  made->bytes = std::move(text);
  return made;
}
} // namespace

TEST_CASE("64 threads that ask for one key compile it once, and all get it") {
  ObjectCache cache;
  std::atomic<int> compiles{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 64; i++)
    threads.emplace_back([&] {
      auto result = cache.get(Fingerprint{1, 2}, [&]() -> Result<ObjectCache::ArtifactPtr> {
        compiles++;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        return artifact("one");
      });
      if (!result.ok() || (*result)->bytes != "one") wrong++;
    });
  for (auto &thread : threads) thread.join();
  CHECK(compiles == 1);
  CHECK(wrong == 0);
  CacheCounters c = cache.counters();
  CHECK(c.misses == 1);
  CHECK(c.hits + c.waits == 63);
  CHECK(c.entries == 1);
}

TEST_CASE("different keys do not wait for each other") {
  ObjectCache cache;
  std::atomic<bool> release{false};
  std::thread slow([&] {
    auto r = cache.get(Fingerprint{1, 1}, [&]() -> Result<ObjectCache::ArtifactPtr> {
      while (!release) std::this_thread::yield();
      return artifact("slow");
    });
    CHECK(r.ok());
  });
  auto quick = cache.get(Fingerprint{17, 1}, [&]() -> Result<ObjectCache::ArtifactPtr> {
    return artifact("quick");
  }); // same shard
  CHECK((quick.ok() && (*quick)->bytes == "quick"));
  CHECK(!cache.find(Fingerprint{1, 1}));
  release = true;
  slow.join();
  CHECK(cache.find(Fingerprint{1, 1}));
}

TEST_CASE("an error is shared by those who wait, and not kept") {
  ObjectCache cache;
  auto failing = [&]() -> Result<ObjectCache::ArtifactPtr> {
    return make_error(ErrorCode::KernelError, "no");
  };
  auto first = cache.get(Fingerprint{3, 3}, failing);
  REQUIRE(!first.ok());
  CHECK(first.error().diagnostics()[0].name() == "KernelError");
  auto second =
      cache.get(Fingerprint{3, 3}, [&]() -> Result<ObjectCache::ArtifactPtr> { return artifact("mended"); });
  REQUIRE(second.ok());
  CHECK(cache.counters().failures == 1);
  CHECK(cache.counters().entries == 1);
}
