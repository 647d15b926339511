// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores: a folder that is shared, refused, removed, full; memory; one above another.
#include "scratch.h"

#include <cache/entry.h>
#include <cache/folder_store.h>
#include <cache/persistent.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace folder_test {

using namespace kiln;
using kiln::test::Scratch;
namespace fs = std::filesystem;

namespace {

struct Warnings {
  std::mutex mutex;
  std::vector<std::string> texts;
  auto sink() {
    return [this](const std::string &text) {
      std::lock_guard lock(mutex);
      texts.push_back(text);
    };
  }
};

Fingerprint key(uint64_t n) { return {n * 0x9e3779b97f4a7c15, n}; }
const auto later = [] { return StoreClock::now() + std::chrono::seconds(10); };
void put(BlobStore &store, uint64_t n, std::string bytes) {
  std::vector<Blob> blobs;
  blobs.push_back({key(n), std::move(bytes)});
  store.put(std::move(blobs), later());
}

} // namespace

TEST_CASE("who gets the right to compile sees what another session published since the last look") {
  Scratch scratch;
  auto open = [&] {
    auto folder = std::make_shared<FolderStore>(FolderOptions{.path = scratch.path / "cache"});
    return std::make_unique<PersistentCache>(folder, folder, nullptr, false);
  };
  const auto first = open(), second = open();
  CHECK_FALSE(second->find(key(1)));
  {
    const PersistentCache::Turn turn = first->wait_for_turn(key(1));
    CHECK_FALSE(turn.artifact);
    auto made = std::make_shared<Artifact>();
    made->bytes = "code";
    first->publish({key(1)}, made, {});
    first->flush();
  }
  const PersistentCache::Turn turn = second->wait_for_turn(key(1));
  REQUIRE(turn.artifact);
  CHECK(turn.artifact->bytes == "code");
  CHECK(second->counters().hits == 1);
  CHECK(second->counters().misses == 1);
}

TEST_CASE("what a folder is given, another session finds") {
  Scratch scratch;
  Warnings warnings;
  std::string path = scratch.path / "deep" / "cache";
  {
    FolderStore store({.path = path, .warn = warnings.sink()});
    CHECK_FALSE(fs::exists(path)); // nothing was put there
    CHECK_FALSE(get_blob(store, key(1)));
    for (uint64_t n = 0; n < 100; n++) put(store, n, "entry " + std::to_string(n));
    put(store, 7, "another");
  }
  FolderStore store({.path = path, .warn = warnings.sink()});
  for (uint64_t n = 0; n < 100; n++)
    CHECK(get_blob(store, key(n)) == (n == 7 ? "another" : "entry " + std::to_string(n)));
  CHECK_FALSE(get_blob(store, key(100)));
  CHECK(store.list().size() == 100);
  put(store, 7, ""); // drops it
  CHECK_FALSE(get_blob(store, key(7)));
  BlobStore::Found found;
  store.get({key(1), key(1000), key(2)}, later(), [&](BlobStore::Found all) { found = std::move(all); });
  REQUIRE(found.size() == 3);
  CHECK(found[0]);
  CHECK_FALSE(found[1]);
  CHECK(found[2] == "entry 2");
  CHECK(warnings.texts.empty());
}

TEST_CASE("a folder that others can write to is refused, with a warning") {
  for (mode_t mode : {0777, 0770, 0720, 0702}) {
    Scratch scratch;
    Warnings warnings;
    ::chmod(scratch.path.c_str(), mode);
    FolderStore store({.path = scratch.path, .warn = warnings.sink()});
    put(store, 1, "entry");
    CHECK_FALSE(get_blob(store, key(1)));
    CHECK(fs::is_empty(scratch.path));
    REQUIRE(warnings.texts.size() == 1);
    CHECK(warnings.texts[0].find("others than its owner can write to it") != std::string::npos);
  }
}

TEST_CASE("a folder of another user is refused") {
  if (::geteuid() != 0) return; // only root can give one away
  Scratch scratch;
  Warnings warnings;
  REQUIRE(::chown(scratch.path.c_str(), 12345, 12345) == 0);
  ::chmod(scratch.path.c_str(), 0755);
  FolderStore store({.path = scratch.path, .warn = warnings.sink()});
  put(store, 1, "entry");
  CHECK(fs::is_empty(scratch.path));
  REQUIRE(warnings.texts.size() == 1);
  CHECK(warnings.texts[0].find("another user") != std::string::npos);
}

TEST_CASE(
    "entries that others own or can write to are not used, links are not followed, a pipe keeps nobody waiting") {
  Scratch scratch;
  Warnings warnings;
  FolderStore store({.path = scratch.path, .warn = warnings.sink()});
  for (uint64_t n : {1, 2, 3, 4, 5}) put(store, n, "entry");
  auto place = [&](uint64_t n) {
    return scratch.path / "v1" / key(n).hex().substr(0, 2) / key(n).hex().substr(2);
  };
  ::chmod(place(1).c_str(), 0622);
  if (::geteuid() == 0) REQUIRE(::chown(place(2).c_str(), 12345, 12345) == 0); // only root can give one away
  fs::rename(place(3), scratch.path / "elsewhere");
  fs::create_symlink(scratch.path / "elsewhere", place(3));
  fs::remove(place(4));
  REQUIRE(::mkfifo(place(4).c_str(), 0600) == 0);
  CHECK_FALSE(get_blob(store, key(1)));
  if (::geteuid() == 0) CHECK_FALSE(get_blob(store, key(2)));
  CHECK_FALSE(get_blob(store, key(3)));
  CHECK_FALSE(get_blob(store, key(4)));
  CHECK(get_blob(store, key(5)) == "entry");
  // What is put there takes their place.
  for (uint64_t n : {1, 2, 3, 4}) put(store, n, "anew");
  for (uint64_t n : {1, 2, 3, 4}) CHECK(get_blob(store, key(n)) == "anew");
  CHECK(fs::exists(scratch.path / "elsewhere"));
  for (const char *name : {"size", "locks", "counts", "sweep.lock"}) {
    fs::remove(scratch.path / "v1" / name);
    REQUIRE(::mkfifo((scratch.path / "v1" / name).c_str(), 0600) == 0);
  }
  FolderStore again({.path = scratch.path, .warn = warnings.sink()});
  put(again, 6, "entry");
  (void)again.try_lock(key(6));
  again.add_counts({1, 1});
  (void)again.counts();
  (void)again.sweep(0);
  CHECK(warnings.texts.size() >= 1);
  CHECK(warnings.texts[0].find("another user") != std::string::npos);
}

TEST_CASE("a subfolder that others can write to is not used, as the folder itself would not be") {
  for (const bool gives_away : {false, true}) {
    if (gives_away && ::geteuid() != 0) continue; // only root can give one away
    Scratch scratch;
    Warnings warnings;
    FolderStore store({.path = scratch.path, .warn = warnings.sink()});
    for (uint64_t n : {1, 2}) put(store, n, "entry");
    auto subfolder = [&](uint64_t n) { return scratch.path / "v1" / key(n).hex().substr(0, 2); };
    REQUIRE(subfolder(1) != subfolder(2));
    if (gives_away)
      REQUIRE(::chown(subfolder(1).c_str(), 12345, 12345) == 0);
    else
      ::chmod(subfolder(1).c_str(), 0777);
    const auto written = fs::last_write_time(subfolder(1));
    CHECK_FALSE(get_blob(store, key(1)));
    put(store, 1, "anew");
    CHECK_FALSE(get_blob(store, key(1)));
    CHECK(fs::last_write_time(subfolder(1)) == written);
    CHECK(get_blob(store, key(2)) == "entry");
    CHECK(store.list().size() == 1);
    CHECK(store.sweep(0));
    CHECK(fs::last_write_time(subfolder(1)) == written);
    REQUIRE(warnings.texts.size() == 1);
    CHECK(warnings.texts[0].find(subfolder(1).string()) != std::string::npos);
    CHECK(warnings.texts[0].find(gives_away ? "belongs to another user"
                                            : "others than its owner can write to it") != std::string::npos);
  }
}

TEST_CASE("a path that is no folder is one warning and no error") {
  Scratch scratch;
  Warnings warnings;
  std::ofstream(scratch.path / "file") << "text";
  FolderStore store({.path = scratch.path / "file" / "cache", .warn = warnings.sink()});
  for (uint64_t n = 0; n < 5; n++) put(store, n, "entry");
  CHECK_FALSE(get_blob(store, key(1)));
  CHECK(warnings.texts.size() == 1);
}

TEST_CASE("a folder that is removed, renamed or copied while it is in use") {
  Scratch scratch;
  Warnings warnings;
  fs::path path = scratch.path / "cache", moved = scratch.path / "moved";
  FolderStore store({.path = path, .warn = warnings.sink()});
  put(store, 1, "one");
  fs::copy(path, scratch.path / "copy", fs::copy_options::recursive);
  FolderStore copy({.path = scratch.path / "copy", .warn = warnings.sink()});
  CHECK(get_blob(copy, key(1)) == "one");
  fs::rename(path, moved);
  put(store, 2, "two"); // goes where the folder is now
  FolderStore there({.path = moved, .warn = warnings.sink()});
  CHECK(get_blob(there, key(2)) == "two");
  fs::remove_all(moved);
  CHECK_FALSE(get_blob(store, key(1)));
  put(store, 3, "three"); // made again
  CHECK(get_blob(store, key(3)) == "three");
  CHECK(warnings.texts.empty());
}

TEST_CASE("what was used longest ago goes first, and the folder stays in its budget") {
  Scratch scratch;
  constexpr uint64_t budget = 64 * 4096;
  FolderStore store({.path = scratch.path, .budget = budget});
  for (uint64_t n = 0; n < 300; n++) {
    put(store, n, std::string(4000, 'x'));
    uint64_t bytes = 0;
    for (const auto &entry : store.list()) bytes += 4096 * ((entry.bytes + 4095) / 4096);
    CHECK(bytes <= budget + budget / 20);
  }
  CHECK(get_blob(store, key(299)));
  CHECK_FALSE(get_blob(store, key(0)));
  // An entry that is a large part of the budget would push out too much.
  put(store, 1000, std::string(budget / 2, 'x'));
  CHECK_FALSE(get_blob(store, key(1000)));
}

TEST_CASE("a sweep leaves what another holds the lock for, and removes what dead writers left") {
  Scratch scratch;
  FolderStore store({.path = scratch.path});
  put(store, 1, "one");
  fs::path shard = scratch.path / "v1" / key(1).hex().substr(0, 2);
  std::ofstream(shard / ".tmp-1-2-3") << "half";
  std::ofstream(shard / ".tmp-new") << "half";
  fs::last_write_time(shard / ".tmp-1-2-3", fs::file_time_type::clock::now() - std::chrono::hours(3));
  CHECK(store.sweep(1 << 20));
  CHECK_FALSE(fs::exists(shard / ".tmp-1-2-3"));
  CHECK(fs::exists(shard / ".tmp-new"));
  CHECK(get_blob(store, key(1)) == "one");
  CHECK(store.sweep(0));
  CHECK(store.list().empty());
}

TEST_CASE("entries from a clock that was ahead go like others") {
  Scratch scratch;
  FolderStore store({.path = scratch.path});
  for (uint64_t n = 0; n < 10; n++) put(store, n, std::string(4000, 'x'));
  for (auto &each : fs::recursive_directory_iterator(scratch.path / "v1"))
    if (each.is_regular_file() && each.path().filename().string().size() == 30)
      fs::last_write_time(each.path(), fs::file_time_type::clock::now() + std::chrono::hours(24 * 365));
  CHECK(get_blob(store, key(3))); // sets it right
  CHECK(store.sweep(5 * 4096));
  CHECK(store.list().size() == 5);
}

TEST_CASE("a key's lock is one process's, and goes with it") {
  Scratch scratch;
  using State = FolderStore::KeyLock::State;
  FolderStore store({.path = scratch.path});
  int ready[2];
  REQUIRE(::pipe(ready) == 0);
  pid_t child = ::fork();
  if (child == 0) {
    FolderStore own({.path = scratch.path});
    auto lock = own.try_lock(key(1));
    char state = lock.state == State::Held ? 'h' : '-';
    (void)!::write(ready[1], &state, 1);
    ::pause();
    ::_exit(0);
  }
  char state = 0;
  REQUIRE(::read(ready[0], &state, 1) == 1);
  CHECK(state == 'h');
  CHECK(store.try_lock(key(1)).state == State::Busy);
  CHECK(store.try_lock(key(2)).state == State::Held);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  auto lock = store.try_lock(key(1));
  CHECK(lock.state == State::Held);
  {
    FolderStore other({.path = scratch.path});
    CHECK(other.try_lock(key(1)).state == State::Busy);
    lock.held.reset();
    CHECK(other.try_lock(key(1)).state == State::Held);
  }
  ::close(ready[0]);
  ::close(ready[1]);
}

TEST_CASE("processes that write and are killed at random leave whole entries alone") {
  Scratch scratch;
  constexpr int writers = 8;
  for (int round = 0; round < 5; round++) {
    std::vector<pid_t> children;
    for (int w = 0; w < writers; w++) {
      pid_t child = ::fork();
      if (child == 0) {
        FolderStore own({.path = scratch.path, .budget = 256 * 4096});
        for (uint64_t n = 0;; n = (n + 1) % 400)
          put(own, n, seal_entry(key(n), std::string(1000 + n * 13, char('a' + n % 26))));
      }
      children.push_back(child);
    }
    ::usleep(60'000);
    for (pid_t child : children) {
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
    }
    FolderStore store({.path = scratch.path, .budget = 256 * 4096});
    size_t whole = 0;
    for (uint64_t n = 0; n < 400; n++)
      if (auto entry = get_blob(store, key(n))) {
        auto content = open_entry(key(n), *entry);
        REQUIRE(content.ok());
        REQUIRE(*content == std::string(1000 + n * 13, char('a' + n % 26)));
        whole++;
      }
    CHECK(whole > 0);
    CHECK(store.sweep(128 * 4096)); // a killed sweeper holds no lock
  }
}

TEST_CASE("a read-only folder below one's own is read and never written") {
  Scratch shared, own;
  {
    FolderStore fill({.path = shared.path});
    put(fill, 1, "shared");
    put(fill, 2, "shared");
  }
  auto below = std::make_shared<FolderStore>(FolderOptions{.path = shared.path, .read_only = true});
  auto above = std::make_shared<FolderStore>(FolderOptions{.path = own.path});
  StackedStore stack(above, below);
  put(stack, 2, "own");
  put(stack, 3, "own");
  CHECK(get_blob(stack, key(1)) == "shared");
  CHECK(get_blob(stack, key(2)) == "own");
  CHECK(get_blob(stack, key(3)) == "own");
  CHECK_FALSE(get_blob(stack, key(4)));
  CHECK(get_blob(*below, key(2)) == "shared");
  CHECK_FALSE(get_blob(*below, key(3)));
  CHECK(below->try_lock(key(1)).state == FolderStore::KeyLock::State::Unavailable);
}

TEST_CASE("memory holds what fits") {
  MemoryStore store(1000);
  for (uint64_t n = 0; n < 20; n++) put(store, n, std::string(100, 'x'));
  CHECK_FALSE(get_blob(store, key(0)));
  CHECK(get_blob(store, key(19)));
  put(store, 19, "");
  CHECK_FALSE(get_blob(store, key(19)));
}

} // namespace folder_test
