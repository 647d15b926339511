// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Handles that are freed while calls use what is behind them.
#include <c_base/c_base.h>

#include <catch2/catch.hpp>

#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

using namespace kiln::c;

namespace {

/// Of a kind whose uses are noted by threads, and of one whose uses are counted.
template <HandleKind K> struct Watched : Object {
  static constexpr HandleKind kind = K;
  static constexpr uint64_t alive = 0x5eed5eed5eed5eed;
  explicit Watched(std::atomic<int> &destroyed) : destroyed(destroyed) {}
  ~Watched() override {
    word = 0;
    destroyed++;
  }
  std::atomic<int> &destroyed;
  volatile uint64_t word = alive;
};
using Noted = Watched<HandleKind::Job>;
using Counted = Watched<HandleKind::Artifact>;
static_assert(is_noted(Noted::kind) && !is_noted(Counted::kind));

template <class T> void *make(std::atomic<int> &destroyed) {
  return make_handle(T::kind, std::make_unique<T>(destroyed));
}

} // namespace

TEMPLATE_TEST_CASE("what a call uses lives until the call is done, and is then destroyed at once", "", Noted,
                   Counted) {
  std::atomic<int> destroyed{0};
  void *handle = make<TestType>(destroyed);
  CHECK_FALSE(Pinned<TestType>(nullptr));
  {
    Pinned<TestType> first(handle), second(handle);
    REQUIRE((first && second));
    CHECK(free_handle(TestType::kind, handle));
    CHECK_FALSE(free_handle(TestType::kind, handle));
    CHECK_FALSE(Pinned<TestType>(handle)); // nobody begins to use it now
    CHECK(kind_of(handle) == HandleKind(0));
    CHECK(destroyed == 0);
    CHECK(second->word == TestType::alive);
  }
  CHECK(destroyed == 1);
  CHECK_FALSE(Pinned<TestType>(handle));
  void *next = make<TestType>(destroyed); // as a rule in the same place
  CHECK_FALSE(Pinned<TestType>(handle));
  CHECK(free_handle(TestType::kind, next));
  CHECK(destroyed == 2);
}

TEST_CASE(
    "a thread may use more handles at once than it has places, end the uses in any order, and on any thread") {
  std::atomic<int> destroyed{0};
  std::vector<void *> handles;
  std::deque<std::optional<Pinned<Noted>>> uses;
  for (int i = 0; i < 30; i++) {
    handles.push_back(make<Noted>(destroyed));
    uses.emplace_back().emplace(handles.back());
  }
  std::optional<Kept<Noted>> kept(std::in_place, handles[7]);
  for (void *handle : handles) CHECK(free_handle(Noted::kind, handle));
  CHECK(destroyed == 0);
  for (size_t i = 0; i < uses.size(); i += 2) uses[i].reset();
  CHECK(destroyed == 15);
  std::thread([&] {
    for (size_t i = 1; i < uses.size(); i += 2) uses[i].reset();
  }).join();
  CHECK(destroyed == 29);
  kept.reset();
  CHECK(destroyed == 30);
}

TEMPLATE_TEST_CASE(
    "threads that use and free one handle at once destroy its object once, and nobody sees it dead", "",
    Noted, Counted) {
  constexpr int rounds = 3000, users = 3;
  std::atomic<int> destroyed{0}, wrong{0}, freed{0};
  std::atomic<void *> current{make<TestType>(destroyed)};
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < users; t++)
    threads.emplace_back([&, t] {
      while (!stop) {
        void *handle = current;
        Pinned<TestType> use(handle), again(handle);
        if (use && use->word != TestType::alive) wrong++;
        if (again && again->word != TestType::alive) wrong++;
        if (t == 0) freed += free_handle(TestType::kind, handle); // beside the one below
      }
    });
  for (int round = 0; round < rounds; round++) {
    void *handle = current;
    if (round % 16 == 0) std::this_thread::yield();
    current = make<TestType>(destroyed);
    freed += free_handle(TestType::kind, handle);
  }
  stop = true;
  for (std::thread &thread : threads) thread.join();
  freed += free_handle(TestType::kind, current);
  CHECK(wrong == 0);
  CHECK(freed == rounds + 1);
  CHECK(destroyed == rounds + 1);
}
