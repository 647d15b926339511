// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work that is started again in new processes: how often, with which status, and that none outlives another.
#include "must.h"

#include <supervise.h>

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <unistd.h>

using namespace kiln::test;
using namespace kiln::tool;

namespace {

/// Counts the processes that write to it.
struct Pipe {
  int ends[2] = {-1, -1};
  Pipe() { REQUIRE(::pipe(ends) == 0); }
  ~Pipe() {
    for (int end : ends) ::close(end);
  }
  void note() const { REQUIRE(::write(ends[1], "x", 1) == 1); }
  size_t count() const {
    char bytes[256];
    ::close(ends[1]);
    size_t all = 0;
    for (ssize_t n; (n = ::read(ends[0], bytes, sizeof bytes)) > 0;) all += size_t(n);
    return all;
  }
};

} // namespace

TEST_CASE("the status is that of the last process; it is started again as long as it asks") {
  const pid_t here = ::getpid();
  int calls = 0;
  CHECK(must(supervise(5, [&] { return ++calls == 1 && ::getpid() != here ? 0 : 9; })) == 0);
  CHECK(calls == 0); // in a process of its own
  CHECK(must(supervise(5, [] { return 3; })) == 3);
  const Pipe thrice;
  int status = 0;
  {
    // A child knows what was before it by its parent alone, so the count is in the pipe.
    int first[2];
    REQUIRE(::pipe(first) == 0);
    REQUIRE(::write(first[1], "ab", 2) == 2);
    ::close(first[1]);
    status = must(supervise(5, [&] {
      thrice.note();
      char byte = 0;
      return ::read(first[0], &byte, 1) == 1 ? start_again : 0;
    }));
    ::close(first[0]);
  }
  CHECK(status == 0);
  CHECK(thrice.count() == 3);
  const Pipe always;
  CHECK(must(supervise(4, [&] {
          always.note();
          return start_again;
        })) == 1);
  CHECK(always.count() == 4);
}

TEST_CASE("a signal ends both, whichever process gets it") {
  const pid_t child = ::fork();
  if (child == 0) {
    (void)supervise(2, [] {
      ::raise(SIGKILL); // which Catch's handlers do not see
      return 0;
    });
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGKILL);

  int ends[2]; // held open by the inner process as long as it lives
  REQUIRE(::pipe(ends) == 0);
  const pid_t outer = ::fork();
  if (outer == 0) {
    (void)supervise(2, [&]() -> int {
      (void)!::write(ends[1], "x", 1);
      for (;;) ::pause();
    });
    ::_exit(0);
  }
  ::close(ends[1]);
  char byte = 0;
  REQUIRE(::read(ends[0], &byte, 1) == 1); // it runs
  ::kill(outer, SIGKILL);
  REQUIRE(::waitpid(outer, &status, 0) == outer);
  CHECK(::read(ends[0], &byte, 1) == 0); // the end: nobody holds it any more
  ::close(ends[0]);
}
