// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule of waiting for the agent, in virtual time, and the mark of a silent agent.
#include "scratch.h"

#include <remote/remote.h>

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::test {

using namespace std::chrono_literals;

static constexpr Patience::Time start{1000h};

TEST_CASE("a session waits where an answer is likely within a tenth of the compile") {
  Patience patience;
  CHECK(patience.wait(0us) == 1500us); // no agent has said anything
  patience.set_expected(0);
  CHECK(patience.wait(0us) == 5ms); // no latency is known
  patience.set_expected(300);
  CHECK(patience.wait(0us) == 2ms);
  CHECK(patience.wait(200ms) == 10ms); // a twentieth of the compile
  CHECK(patience.wait(10s) == 50ms);
  patience.set_expected(30'000);
  CHECK(patience.wait(0us) == 0ms);
  CHECK(patience.wait(20ms) == 0ms);
  CHECK(patience.wait(299ms) == 0ms);
  CHECK(patience.wait(300ms) == 30ms);
  patience.set_expected(60'000);
  CHECK(patience.wait(100s) == 0ms); // 50 ms at most
  patience.set_expected(no_answer_soon);
  CHECK(patience.wait(100s) == 0ms);
}

TEST_CASE("a patient program waits longer, except for an agent or a server that is known as slow") {
  Patience patience;
  patience.be_patient();
  CHECK(patience.wait(0us) == 500ms);
  patience.set_expected(0);
  CHECK(patience.wait(0us) == 500ms);
  patience.set_expected(300);
  CHECK(patience.wait(10s) == 500ms);
  patience.set_expected(30'000);
  CHECK(patience.wait(20ms) == 0ms);
  CHECK(patience.wait(300ms) == 500ms);
  patience.on_left();
  CHECK(patience.wait(300ms) == 0ms);
}

TEST_CASE("after a wait in vain a session waits for nothing until the agent says something") {
  Patience patience;
  patience.set_expected(300);
  patience.on_sent(start);
  patience.on_left();
  CHECK(patience.wait(0us) == 0ms);
  patience.on_message();
  CHECK(patience.wait(0us) == 2ms);
  patience.doubt();
  CHECK(patience.wait(0us) == 0ms);
}

TEST_CASE("an agent is silent if it says nothing to a request for longer than an answer may take") {
  Patience patience;
  CHECK_FALSE(patience.is_silent(start + 10h)); // nothing was asked
  patience.on_sent(start);
  patience.on_sent(start + 1s);
  CHECK(patience.silence(start + 1s) == 1s);
  CHECK_FALSE(patience.is_silent(start + 2200ms));
  CHECK(patience.is_silent(start + 2201ms));
  patience.on_message();
  CHECK_FALSE(patience.is_silent(start + 10h));
  patience.on_sent(start + 3s);
  CHECK_FALSE(patience.is_silent(start + 5s));
  patience.on_break();
  CHECK_FALSE(patience.is_silent(start + 10h));
}

TEST_CASE("a mark of silence keeps its time, counts for a minute, and is replaced then") {
  Scratch folder;
  const std::string path = (folder.path / "agent.sock.silent").string();
  const SilenceMark mark((folder.path / "agent.sock").string());
  CHECK_FALSE(mark.age());
  mark.remove();
  mark.set();
  CHECK(mark.age() < 30s);
  auto change_time = [&](int64_t seconds) {
    struct stat status{};
    REQUIRE(::stat(path.c_str(), &status) == 0);
    const timespec times[] = {{0, UTIME_NOW}, {status.st_mtim.tv_sec - seconds, 0}};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times, 0) == 0);
  };
  change_time(10);
  mark.set();
  CHECK(mark.age() >= 10s);
  change_time(60);
  CHECK_FALSE(mark.age());
  mark.set();
  CHECK(mark.age() < 30s);
  change_time(-1000); // a clock that went back
  CHECK_FALSE(mark.age());
  mark.remove();
  CHECK_FALSE(mark.age());
}

TEST_CASE("a mark that cannot be left is no fault") {
  const SilenceMark mark("/no/such/folder/agent.sock");
  mark.set();
  mark.remove();
  CHECK_FALSE(mark.age());
}

} // namespace kiln::test
