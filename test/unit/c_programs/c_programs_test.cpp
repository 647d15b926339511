// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scratch.h"

#include <kiln/c_programs.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <deque>
#include <fstream>
#include <string>
#include <thread>

namespace {

/// Frees its error; the error's text.
std::string taken(kiln_error *error) {
  std::string text = kiln_error_text(error);
  kiln_error_free(error);
  return text;
}
std::string taken(char *text) {
  std::string copy = text ? text : "(null)";
  kiln_text_free(text);
  return copy;
}

struct OpenSession {
  kiln_session *session = nullptr;
  explicit OpenSession(kiln_host_library *library = kiln_programs_library()) {
    kiln_session_options options{};
    options.struct_size = sizeof options;
    options.cache_dir = "";
    options.host_library = library;
    kiln_error *error = nullptr;
    REQUIRE(kiln_session_open(&options, &session, &error) == KILN_OK);
  }
  ~OpenSession() { kiln_session_close(session); }
};

/// A program whose surroundings are strings.
struct TestProgram : OpenSession {
  std::string output, errors, warnings;
  std::deque<std::string> lines;
  std::string line;
  kiln_program *program = nullptr;
  kiln_error *error = nullptr;

  TestProgram() {
    static const char *const arguments[] = {"first", "second"};
    kiln_program_options options{};
    options.struct_size = sizeof options;
    options.arguments = arguments;
    options.num_arguments = 2;
    options.output = [](const char *text, size_t size, void *user) {
      static_cast<TestProgram *>(user)->output.append(text, size);
    };
    options.error_output = [](const char *text, size_t size, void *user) {
      static_cast<TestProgram *>(user)->errors.append(text, size);
    };
    options.input = [](void *user) -> const char * {
      auto &self = *static_cast<TestProgram *>(user);
      if (self.lines.empty()) return nullptr;
      self.line = self.lines.front();
      self.lines.pop_front();
      return self.line.c_str();
    };
    options.environment = [](const char *name, void *) -> const char * {
      return std::string(name) == "COLOUR" ? "green" : nullptr;
    };
    options.warn = [](const char *text, size_t size, void *user) {
      static_cast<TestProgram *>(user)->warnings.append(text, size);
    };
    options.user = this;
    options.device = "cpu";
    REQUIRE(kiln_program_open(session, &options, &program, &error) == KILN_OK);
  }
  ~TestProgram() { kiln_program_free(program); }

  int run(const char *text, kiln_program_outcome *outcome = nullptr, char **shown = nullptr) {
    return kiln_program_run_text(program, "test", text, outcome, shown, &error);
  }
};

} // namespace

TEST_CASE("a program in C prints, reads lines, arguments and the environment") {
  TestProgram p;
  p.lines = {"12", "30"};
  REQUIRE(p.run("println(parse(Int, readline()) + parse(Int, readline()))\n"
                "println(ARGS, ' ', ENV[\"COLOUR\"], ' ', haskey(ENV, \"HOME\"))\n"
                "println(stderr, \"to the other stream\")\n") == KILN_OK);
  CHECK(p.output == "42\n[\"first\", \"second\"] green false\n");
  CHECK(p.errors == "to the other stream\n");
}

TEST_CASE("a program in C shows values, keeps definitions, and reports exit()") {
  TestProgram p;
  char *shown = nullptr;
  REQUIRE(p.run("square(x) = x^2; numbers = [1, 2, 3]", nullptr, &shown) == KILN_OK);
  CHECK(taken(shown) == "3-element Vector{Int64}:\n 1\n 2\n 3");
  REQUIRE(p.run("sum(square, numbers)", nullptr, &shown) == KILN_OK);
  CHECK(taken(shown) == "14");
  REQUIRE(p.run("numbers;", nullptr, &shown) == KILN_OK);
  CHECK(taken(shown).empty());

  kiln_program_outcome outcome{};
  outcome.struct_size = sizeof outcome;
  REQUIRE(p.run("exit(7)", &outcome) == KILN_OK);
  CHECK(outcome.exited == 1);
  CHECK(outcome.status == 7);
}

TEST_CASE("a program in C runs a file, whose first error ends it") {
  TestProgram p;
  kiln::test::Scratch scratch;
  const std::string path = scratch.path / "fails.jl";
  std::ofstream(path) << "println(1)\nsqrt(-1.0)\nprintln(2)\n";
  CHECK(kiln_program_run_file(p.program, path.c_str(), nullptr, &p.error) == KILN_INPUT);
  CHECK(p.output == "1\n");
  CHECK(std::string(kiln_error_kind(p.error, 0)) == "DomainError");
  char *text = nullptr;
  kiln_error *other = nullptr;
  REQUIRE(kiln_program_describe(p.program, p.error, &text, &other) == KILN_OK);
  CHECK_THAT(taken(text), Catch::Contains("DomainError") && Catch::Contains("fails.jl:2"));
  kiln_error_free(p.error);

  CHECK(kiln_program_run_file(p.program, "no such file.jl", nullptr, &p.error) == KILN_INPUT);
  CHECK_THAT(taken(p.error), Catch::Contains("no such file.jl"));
}

TEST_CASE("a prompt in C asks whether text is complete, and for names") {
  TestProgram p;
  CHECK(kiln_program_is_complete(p.program, "1 + 1") == 1);
  CHECK(kiln_program_is_complete(p.program, "for i in 1:3") == 0);
  CHECK(kiln_program_is_complete(p.program, ")") == 1); // a syntax error that no line mends
  CHECK(kiln_program_is_complete(p.program, nullptr) == 0);
  REQUIRE(p.run("a_long_name_of_mine = 1;") == KILN_OK);
  char *names = nullptr;
  REQUIRE(kiln_program_completions(p.program, "1 + a_long_n", &names, &p.error) == KILN_OK);
  CHECK(taken(names) == "a_long_name_of_mine\n");
}

TEST_CASE("another thread interrupts a program in C") {
  TestProgram p;
  std::thread other([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kiln_program_interrupt(p.program);
  });
  CHECK(p.run("let n = 0\n    while true\n        n += 1\n    end\nend") == KILN_INPUT);
  other.join();
  CHECK(std::string(kiln_error_kind(p.error, 0)) == "InterruptException");
  kiln_error_free(p.error);
  CHECK(kiln_program_has_pending_interrupt(p.program) == 0);
  CHECK(p.run("println(1)") == KILN_OK);
}

TEST_CASE("bad calls of a program in C are Usage errors that say what to do") {
  kiln_error *error = nullptr;
  kiln_program *program = nullptr;
  {
    OpenSession without(nullptr);
    CHECK(kiln_program_open(without.session, nullptr, &program, &error) == KILN_USAGE);
    CHECK_THAT(taken(error), Catch::Contains("programs library"));
  }
  OpenSession open;
  kiln_program_options options{};
  options.struct_size = sizeof options;
  options.num_arguments = 1;
  CHECK(kiln_program_open(open.session, &options, &program, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("kiln_program_options.arguments is a null pointer"));
  options.num_arguments = 0;
  options.device = "cuda:x";
  CHECK(kiln_program_open(open.session, &options, &program, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("cuda:x"));
  options.device = "cpu";
  options.struct_size = 3;
  CHECK(kiln_program_open(open.session, &options, &program, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("kiln_program_options.struct_size is 3"));
  CHECK(kiln_program_open(nullptr, nullptr, &program, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("the kiln_session is null"));
  CHECK(kiln_program_open(open.session, nullptr, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("`out` is a null pointer"));

  REQUIRE(kiln_program_open(open.session, nullptr, &program, &error) == KILN_OK);
  kiln_program *second = nullptr;
  CHECK(kiln_program_open(open.session, nullptr, &second, &error) == KILN_USAGE);
  kiln_error_free(error);
  CHECK(kiln_program_run_text(program, "test", nullptr, nullptr, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("`text` is a null pointer"));
  kiln_program_outcome outcome{};
  CHECK(kiln_program_run_text(program, "test", "1", &outcome, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("kiln_program_outcome.struct_size is 0"));

  kiln_session_close(open.session); // the program keeps it
  open.session = nullptr;
  char *shown = nullptr;
  REQUIRE(kiln_program_run_text(program, "test", "6 * 7", nullptr, &shown, &error) == KILN_OK);
  CHECK(taken(shown) == "42");
  kiln_program_free(program);
  CHECK(kiln_program_run_text(program, "test", "1", nullptr, nullptr, &error) == KILN_USAGE);
  CHECK_THAT(taken(error), Catch::Contains("the kiln_program was freed"));
  kiln_program_interrupt(program);
  CHECK(kiln_program_has_pending_interrupt(nullptr) == 0);
  kiln_program_free(nullptr);
}
