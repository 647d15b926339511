// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of the C compiler, loaded into this process: what they compute, what they find, what they refuse,
// and what of them stays.
#include "must.h"
#include "test_objects.h"

#include <jit/jit.h>

#include <atomic>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

template <class Function> Function *function(const NativeCode &code) {
  return reinterpret_cast<Function *>(code.entry());
}

/// What /proc/self/maps says of the pages at an address ("r-xp"); empty: nothing is there.
std::string protection(uintptr_t address) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    char flags[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &begin, &end, flags) == 3 && address >= begin &&
        address < end)
      return flags;
  }
  return {};
}
uintptr_t place(const NativeCode &code) { return reinterpret_cast<uintptr_t>(code.entry()); }

} // namespace

TEST_CASE("a loaded function computes what the C compiler made of it") {
  NativeLoader loader;
  const std::string object = test_object("counter");
  auto prime = must(loader.load(object, "prime"));
  CHECK(function<long(long)>(*prime)(0) == 2);
  CHECK(function<long(long)>(*prime)(5) == 13);
  auto apply = must(loader.load(object, "apply")); // through a table of addresses, which the link fills
  CHECK(function<long(long, long)>(*apply)(0, 21) == 42);
  CHECK(function<long(long, long)>(*apply)(1, 21) == -21);
}

TEST_CASE("each load has variables of its own, though all names are the same") {
  NativeLoader loader;
  const std::string object = test_object("counter");
  auto one = must(loader.load(object, "next")), other = must(loader.load(object, "next"));
  CHECK(function<long(long)>(*one)(5) == 5);
  CHECK(function<long(long)>(*one)(5) == 10);
  CHECK(function<long(long)>(*other)(1) == 1);
  CHECK(one->entry() != other->entry());
}

TEST_CASE("undefined symbols are those of libc, of libm and Kiln's own") {
  NativeLoader loader;
  const std::string object = test_object("library");
  auto curve = must(loader.load(object, "curve"));
  for (double x : {0.0, 0.5, -2.0, 10.0})
    CHECK(function<double(double)>(*curve)(x) == std::sin(x) * std::exp(x));
  auto last = must(loader.load(object, "last_letter"));
  CHECK(function<long(const char *)>(*last)("kiln") == 'n');
  auto rounds = must(loader.load(object, "rounds"));
  CHECK(function<void *()>(*rounds)() == find_host_symbol("kiln_native_rounds"));
}

TEST_CASE("symbols that are missing are named, and the loader goes on") {
  NativeLoader loader;
  const std::string object = test_object("missing");
  auto lost = loader.load(object, "lost");
  REQUIRE(!lost.ok());
  CHECK(lost.error().kind() == ErrorKind::Internal);
  CHECK_THAT(lost.error().what(), Contains("kiln_test_nowhere") && Contains("kiln_test_never"));
  auto counter = must(loader.load(test_object("counter"), "next"));
  CHECK(function<long(long)>(*counter)(3) == 3);
}

TEST_CASE("an entry that the object has not is named") {
  NativeLoader loader;
  auto none = loader.load(test_object("counter"), "no_such_entry");
  REQUIRE(!none.ok());
  CHECK(none.error().kind() == ErrorKind::Internal);
  CHECK_THAT(none.error().what(), Contains("no_such_entry"));
  CHECK(!loader.load(test_object("counter"), "twice").ok()); // static: the object's own
}

TEST_CASE("bytes that are no object, or not all of one, are refused") {
  NativeLoader loader;
  CHECK(!loader.load("", "f").ok());
  CHECK(!loader.load("no object at all, whatever the length of this text is", "f").ok());
  const std::string whole = test_object("counter");
  for (size_t size = 1; size < whole.size(); size += 37) {
    INFO(size);
    auto cut = loader.load(std::string_view(whole).substr(0, size), "next");
    REQUIRE(!cut.ok());
    CHECK(cut.error().kind() == ErrorKind::Internal);
  }
  CHECK(must(loader.load(whole, "next")) != nullptr);
}

TEST_CASE("memory that begins as zeros is zero, aligned, and can be written to") {
  NativeLoader loader;
  const std::string object = test_object("pages");
  auto begin = must(loader.load(object, "area_begin")), bytes = must(loader.load(object, "area_bytes"));
  unsigned char *area = function<unsigned char *()>(*begin)();
  const long size = function<long()>(*bytes)();
  REQUIRE(size == 50000);
  CHECK(reinterpret_cast<uintptr_t>(area) % 256 == 0);
  CHECK(std::all_of(area, area + size, [](unsigned char byte) { return byte == 0; }));
  std::memset(area, 7, size_t(size));
  CHECK(area[size - 1] == 7);
  CHECK(begin->bytes() >= uint64_t(size)); // that it takes
}

TEST_CASE("code can be run and not written, and its pages go with the last owner") {
  std::shared_ptr<NativeCode> code;
  {
    NativeLoader loader;
    code = must(loader.load(test_object("counter"), "next"));
  } // the code outlives its loader
  CHECK(protection(place(*code)).substr(0, 3) == "r-x");
  CHECK(function<long(long)>(*code)(4) == 4);
  std::shared_ptr<NativeCode> second = code;
  const uintptr_t at = place(*code);
  code.reset();
  CHECK(protection(at).substr(0, 3) == "r-x");
  second.reset();
  CHECK(protection(at).find('x') == std::string::npos);
}

TEST_CASE("what code takes is counted the same, whatever failed before it") {
  const std::string good = test_object("counter"), bad = test_object("missing");
  NativeLoader fresh, used;
  const uint64_t wanted = must(fresh.load(good, "next"))->bytes();
  CHECK(wanted >= 4096); // a page at least
  for (int i = 0; i < 50; i++) {
    REQUIRE(!used.load(bad, "lost").ok());
    REQUIRE(!used.load(good, "no_such_entry").ok());
    CHECK(must(used.load(good, "next"))->bytes() == wanted);
  }
}

TEST_CASE("threads load into one loader beside each other") {
  NativeLoader loader;
  const std::string object = test_object("counter"), bad = test_object("missing");
  std::atomic<int> right{0}, refused{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; i++) {
        auto code = loader.load(object, "next");
        if (code.ok() && function<long(long)>(**code)(t + 1) == t + 1) right++;
        if (!loader.load(bad, "lost").ok()) refused++;
      }
    });
  for (std::thread &thread : threads) thread.join();
  CHECK(right == 100);
  CHECK(refused == 100);
}
