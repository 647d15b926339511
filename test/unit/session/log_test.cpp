// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A guest's messages: who hears them, from which thread, and what the one who hears may do. And its
// environment.
#include "must.h"
#include "scratch.h"
#include "variables.h"

#include <kiln/kiln.h>

#include <atomic>
#include <fcntl.h>
#include <fstream>
#include <mutex>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace kiln;
using kiln::test::must;
using kiln::test::Scratch;
using kiln::test::Variable;

namespace {

/// A text whose load warns: Julia's packages that Kiln does not know are named in a warning.
constexpr const char *warns = "using NoSuchPackage\n";

/// What is written to standard error, by anybody, as long as it lives.
class StandardError {
public:
  StandardError() : before_(::dup(STDERR_FILENO)) {
    int file = ::open((folder_.path / "stderr").c_str(), O_CREAT | O_RDWR | O_TRUNC, 0600);
    ::dup2(file, STDERR_FILENO);
    ::close(file);
  }
  ~StandardError() { end(); }
  std::string end() {
    if (before_ >= 0) {
      ::dup2(before_, STDERR_FILENO);
      ::close(before_);
      before_ = -1;
    }
    std::ifstream file(folder_.path / "stderr");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
  }

private:
  Scratch folder_;
  int before_;
};

SessionOptions quiet() {
  SessionOptions options;
  options.cache_dir = "";
  return options;
}

struct Heard {
  std::mutex mutex;
  std::vector<std::pair<LogLevel, std::string>> messages;
  LogFunction sink() {
    return [this](LogLevel level, std::string_view text) {
      std::lock_guard lock(mutex);
      messages.emplace_back(level, text);
    };
  }
};

} // namespace

TEST_CASE("a session writes to no stream of its own accord") {
  Variable log("KILN_LOG", nullptr);
  StandardError captured;
  {
    SessionOptions options = quiet();
    options.verbosity = LogLevel::Debug;
    auto session = must(Session::open(options));
    CHECK(must(session->load("w.jl", warns)).warnings.size() == 1); // who asks is told all the same
  }
  CHECK(captured.end() == "");
}

TEST_CASE("KILN_LOG lets a session write to standard error, from that level on") {
  for (const char *level : {"warning", "error"}) {
    Variable log("KILN_LOG", level);
    StandardError captured;
    must(must(Session::open(quiet()))->load("w.jl", warns));
    const std::string text = captured.end();
    INFO(text);
    CHECK((text.find("kiln: warning: w.jl:1:") == 0) == (std::string(level) == "warning"));
    CHECK(text.empty() == (std::string(level) == "error"));
  }
}

TEST_CASE("KILN_LOG takes its levels alone") {
  Variable log("KILN_LOG", "garbage");
  auto opened = Session::open(quiet());
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.error().kind() == ErrorKind::Usage);
  CHECK(opened.error().what().find("KILN_LOG takes error, warning, info or debug, not `garbage`") !=
        std::string::npos);
}

TEST_CASE("a log callback hears what would have been written, in place of the stream") {
  Variable log("KILN_LOG", nullptr);
  StandardError captured;
  Heard heard;
  SessionOptions options = quiet();
  options.log = heard.sink();
  must(must(Session::open(options))->load("w.jl", warns));
  CHECK(captured.end() == "");
  REQUIRE(heard.messages.size() == 1);
  CHECK(heard.messages[0].first == LogLevel::Warning);
  CHECK(heard.messages[0].second.find("w.jl:1:") == 0);
  CHECK(heard.messages[0].second.find("NoSuchPackage") != std::string::npos);
  CHECK(heard.messages[0].second.back() != '\n');
}

TEST_CASE("the level is the options', else KILN_LOG's, else warnings") {
  for (auto [verbosity, variable, messages] : {std::tuple(std::optional(LogLevel::Error), "debug", 0),
                                               {std::nullopt, "error", 0},
                                               {std::nullopt, "", 1},
                                               {LogLevel::Warning, "error", 1}}) {
    Variable log("KILN_LOG", variable);
    Heard heard;
    SessionOptions options = quiet();
    options.verbosity = verbosity;
    options.log = heard.sink();
    must(must(Session::open(options))->load("w.jl", warns));
    CHECK(int(heard.messages.size()) == messages);
  }
}

TEST_CASE("a log callback that throws loses its message and nothing else") {
  SessionOptions options = quiet();
  std::atomic<int> calls = 0;
  options.log = [&](LogLevel, std::string_view) {
    calls++;
    throw std::string("out of the callback");
  };
  auto session = must(Session::open(options));
  CHECK(must(session->load("w.jl", std::string(warns) + "f() = nothing\n")).methods == 1);
  CHECK(calls == 1);
  must(session->compile("f()", {}, ArtifactKind::Assembly));
}

TEST_CASE("a log callback may not call its session, but another one") {
  SessionOptions options = quiet();
  Session *mine = nullptr, *another = nullptr;
  std::vector<std::string> refused;
  bool another_took = false;
  options.log = [&](LogLevel, std::string_view) {
    auto note = [&](auto result) {
      refused.push_back(
          result.ok() ? "" : (result.error().kind() == ErrorKind::Usage ? result.error().what() : ""));
    };
    note(mine->load("x.jl", "g() = 1\n"));
    note(mine->load_file("/nowhere.jl"));
    note(mine->compile("g()", {}, ArtifactKind::Assembly));
    note(mine->launch("g", {}, {}));
    note(mine->prepare("g()"));
    note(mine->gpus());
    note(mine->stream(mine->cpu()));
    mine->flush_cache();
    CHECK(mine->counters().compiled == 0);
    another_took = another->load("x.jl", "g() = 1\n").ok();
  };
  auto session = must(Session::open(options)), other = must(Session::open(quiet()));
  mine = session.get();
  another = other.get();
  must(session->load("w.jl", warns));
  CHECK(refused.size() == 7);
  for (const std::string &text : refused)
    CHECK(text.find("from within a callback of its own") != std::string::npos);
  CHECK(another_took);
  CHECK(session->load("x.jl", "g() = 1\n").ok()); // behind it all is as before
}

TEST_CASE("definitions of Session::define may not call the session: they hold its lock") {
  auto session = must(Session::open(quiet()));
  must(session->load("g.jl", "g() = 1\n"));
  must(session->define([&](World &) -> Result<void> {
    auto loaded = session->load("x.jl", "h() = 1\n");
    CHECK_FALSE(loaded.ok());
    CHECK(loaded.error().kind() == ErrorKind::Usage);
    return {};
  }));
  must(session->load("x.jl", "h() = 1\n"));
}

TEST_CASE("log callbacks come from whichever thread has something to say, several at once") {
  std::mutex mutex;
  std::vector<std::thread::id> threads;
  std::atomic<int> inside = 0, most = 0;
  SessionOptions options = quiet();
  options.log = [&](LogLevel, std::string_view) {
    int now = ++inside;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    std::this_thread::sleep_for(
        std::chrono::milliseconds(100)); // one that runs long delays nobody but its thread
    {
      std::lock_guard lock(mutex);
      threads.push_back(std::this_thread::get_id());
    }
    inside--;
  };
  // Two sessions with one callback: loads of one session come one after the other.
  auto a = must(Session::open(options)), b = must(Session::open(options));
  std::thread first([&] { must(a->load("w.jl", warns)); }), second([&] { must(b->load("w.jl", warns)); });
  first.join();
  second.join();
  REQUIRE(threads.size() == 2);
  CHECK(threads[0] != threads[1]);
  CHECK(most == 2);
}

TEST_CASE("what the thread that writes into the cache's folder warns of reaches the callback") {
  Scratch scratch;
  std::ofstream(scratch.path / "file") << "not a folder";
  Heard heard;
  {
    SessionOptions options;
    options.cache_dir = (scratch.path / "file" / "cache").string();
    options.log = heard.sink();
    auto session = must(Session::open(options));
    must(session->load("f.jl", "f() = nothing\n"));
    must(session->compile("f()", {}, ArtifactKind::Assembly));
  } // which publishes
  REQUIRE_FALSE(heard.messages.empty());
  CHECK(heard.messages[0].second.find("the cache folder " + (scratch.path / "file").string()) == 0);
}

TEST_CASE("without use_environment nothing is read from the environment") {
  Scratch scratch;
  const std::string dumps = (scratch.path / "dumps").string(), trace = (scratch.path / "trace").string(),
                    cache = (scratch.path / "cache").string();
  Variable threads("KILN_CPU_THREADS", "garbage"), order("KILN_CPU_ORDER", "garbage"),
      log("KILN_LOG", "garbage"), size("KILN_CACHE_SIZE", "garbage"), dump("KILN_DUMP_DIR", dumps.c_str()),
      jobs("KILN_TRACE_JOBS", trace.c_str()), folder("KILN_CACHE_DIR", cache.c_str()),
      assembler("KILN_ASSEMBLER", "garbage"), driver("KILN_CUDA_DRIVER", KILN_FAKE_CUDA);
  SessionOptions options;
  CHECK_FALSE(Session::open(options).ok()); // they are read as a rule
  options.use_environment = false;
  {
    auto session = must(Session::open(options));
    must(session->load("f.jl", "f() = nothing\nfunction k()\n    return\nend\n"));
    must(session->compile("f()", {}, ArtifactKind::Object));
    // A cubin where there is an assembler; KILN_ASSEMBLER=garbage would be a Usage error.
    CompilerConfig ptx{.target = PtxOptions{}};
    ptx.kernel = true;
    if (auto made = session->compile("k()", ptx, ArtifactKind::Cubin); !made.ok())
      CHECK(made.error().kind() == ErrorKind::Machine);
    // The driver is libcuda.so.1, never the one that the variable names.
    if (auto gpu = session->gpu(); gpu.ok()) CHECK(gpu->info().name.find("Fake") == std::string::npos);
  }
  CHECK_FALSE(std::filesystem::exists(dumps));
  CHECK_FALSE(std::filesystem::exists(trace));
  CHECK_FALSE(std::filesystem::exists(cache));
}

TEST_CASE("a call leaves errno alone") {
  auto session = must(Session::open(quiet()));
  errno = 123;
  CHECK_FALSE(session->load_file("/no/such/file.jl").ok());
  CHECK(errno == 123);
  must(session->load("f.jl", "f() = nothing\n"));
  must(session->compile("f()", {}, ArtifactKind::Assembly));
  CHECK(errno == 123);
}
