// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The counts of sessions in a cache folder.
#include "scratch.h"

#include <cache/entry.h>
#include <cache/folder_store.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace counts_test {

using namespace kiln;
using kiln::test::Scratch;
namespace fs = std::filesystem;

namespace {

/// Makes the folder: counts are kept only in a folder that exists.
void put_entry(FolderStore &store) {
  std::vector<Blob> blobs;
  blobs.push_back({Fingerprint{1, 1}, "one"});
  store.put(std::move(blobs), StoreClock::now() + std::chrono::seconds(10));
}

} // namespace

TEST_CASE("hits and misses of sessions add up") {
  Scratch scratch;
  FolderStore store({.path = scratch.path});
  put_entry(store);
  store.add_counts({3, 1});
  store.add_counts({5, 0});
  store.add_counts({0, 0});
  CHECK(store.counts().hits == 8);
  CHECK(store.counts().misses == 1);
}

TEST_CASE("counts go on after a part of a record, which a full disk leaves") {
  Scratch scratch;
  FolderStore store({.path = scratch.path});
  put_entry(store);
  store.add_counts({3, 1, {1, 2, 3, 4, 5}});
  for (const char *name : {"counts", "made"})
    std::ofstream(scratch.path / "v1" / name, std::ios::app | std::ios::binary) << "a tail";
  store.add_counts({4, 2, {10, 20, 30, 40, 50}});
  CHECK(store.counts().hits == 7);
  CHECK(store.counts().misses == 3);
  CHECK(store.counts().made == std::array<uint64_t, num_miss_causes>{11, 22, 33, 44, 55});
  CHECK(fs::file_size(scratch.path / "v1" / "counts") == 2 * 16);
}

TEST_CASE("the counts of many sessions take bounded space") {
  Scratch scratch;
  FolderStore store({.path = scratch.path});
  put_entry(store);
  constexpr uint64_t threads = 4, sessions = 3000;
  std::vector<std::jthread> all;
  for (uint64_t t = 0; t < threads; t++)
    all.emplace_back([&] {
      FolderStore own({.path = scratch.path});
      for (uint64_t i = 0; i < sessions; i++) own.add_counts({2, 1, {1}});
    });
  all.clear();
  CHECK(store.counts().hits == 2 * threads * sessions);
  CHECK(store.counts().misses == threads * sessions);
  CHECK(store.counts().made[0] == threads * sessions);
  CHECK(fs::file_size(scratch.path / "v1" / "counts") <= 4096 * 16);
  CHECK(fs::file_size(scratch.path / "v1" / "made") <= 4096 * 8 * num_miss_causes);
}

} // namespace counts_test
