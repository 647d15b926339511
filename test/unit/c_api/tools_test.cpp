// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_tools.h: reports of loads, kinds of errors, options by name, the worker's program; and the counters.
#include "open.h"

#include <kiln/c_language.h>
#include <kiln/c_tools.h>

#include <cstring>
#include <set>
#include <utility>
#include <vector>

namespace tools_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

TEST_CASE("a library is loaded from C before other definitions, and not after them") {
  OpenSession open;
  const std::string library = "module Shapes\narea(x) = 2 * x * x\nend\n";
  auto load = [&] {
    return kiln_load_library(open.session, "shapes.jl", library.data(), library.size(), &open.error);
  };
  ok(load(), open.error);
  ok(open.load("f(x) = Shapes.area(x) + 1\n", &open.error), open.error);
  kiln_value *value = nullptr;
  ok(kiln_evaluate(open.session, "test", "f(3)", &value, &open.error), open.error);
  char *text = nullptr;
  ok(kiln_value_text(value, &text, &open.error), open.error);
  CHECK(text == std::string("19")); // 2 * 3 * 3 + 1
  kiln_text_free(text);
  CHECK(load() == KILN_USAGE);
  CHECK_THAT(told(std::exchange(open.error, nullptr)), Contains("shapes.jl comes too late"));
  CHECK(kiln_load_library(open.session, "shapes.jl", nullptr, 3, &open.error) == KILN_USAGE);
  CHECK_THAT(told(std::exchange(open.error, nullptr)), Contains("kiln_load_library"));
}

TEST_CASE("a load says what it defined and what it did not run") {
  OpenSession open;
  const char *text = "struct S; a::Int64; end\nf(x) = x\nf(x, y) = y\nprintln(f(1))\nusing NoSuchPackage\n";
  kiln_load_summary summary = {};
  summary.struct_size = sizeof summary;
  std::vector<std::string> told[2];
  auto take = [](int is_warning, const char *line, void *user) {
    static_cast<std::vector<std::string> *>(user)[is_warning].push_back(line);
  };
  ok(kiln_load_reported(open.session, "some.jl", text, std::strlen(text), &summary, take, told, &open.error),
     open.error);
  CHECK(summary.types == 1);
  CHECK(summary.methods >= 2);
  CHECK(summary.notes == told[0].size());
  CHECK(summary.warnings == told[1].size());
  REQUIRE_FALSE(told[0].empty());
  CHECK_THAT(told[0][0], Contains("some.jl:4") && Contains("println"));
  REQUIRE(told[1].size() == 1);
  CHECK_THAT(told[1][0], Contains("some.jl:5") && Contains("NoSuchPackage"));
  ok(kiln_load_reported(open.session, nullptr, "", 0, nullptr, nullptr, nullptr, &open.error), open.error);
  summary.struct_size = 3;
  CHECK(kiln_load_reported(open.session, "a.jl", "g() = 1", 7, &summary, nullptr, nullptr, nullptr) ==
        KILN_USAGE);
}

TEST_CASE("kinds of errors are found by number and by name") {
  kiln_diagnostic_info info = {};
  info.struct_size = sizeof info;
  kiln_error *error = nullptr;
  std::set<unsigned> codes;
  for (size_t i = 0; i < kiln_diagnostic_count(); i++) {
    ok(kiln_diagnostic(i, &info, &error), error);
    CHECK(codes.insert(info.code).second);
    CHECK(info.code / 100 >= 1);
    CHECK(info.code / 100 <= 4);
    CHECK(std::strlen(info.name) > 0);
    CHECK(std::strlen(info.meaning) > 0);
    CHECK(std::strlen(info.cure) > 0);
  }
  CHECK(codes.size() > 20);
  ok(kiln_find_diagnostic("MethodError", &info, &error), error);
  CHECK(info.code == 102); // docs/guide/errors.md
  ok(kiln_find_diagnostic("102", &info, &error), error);
  CHECK(std::string(info.name) == "MethodError");
  CHECK(kiln_find_diagnostic("NoSuchError", &info, nullptr) == KILN_USAGE);
  CHECK(kiln_diagnostic(kiln_diagnostic_count(), &info, nullptr) == KILN_USAGE);
  CHECK(kiln_diagnostic(0, nullptr, nullptr) == KILN_USAGE);
}

TEST_CASE("options are listed with the target that has them") {
  kiln_option_info info = {};
  info.struct_size = sizeof info;
  kiln_error *error = nullptr;
  std::set<std::string> for_ptx, for_all;
  for (size_t i = 0; i < kiln_option_count(); i++) {
    ok(kiln_option(i, &info, &error), error);
    if (std::string(info.target) == "ptx") for_ptx.insert(info.name);
    if (!*info.target) for_all.insert(info.name);
    if (std::string(info.name) == "fastmath") CHECK(info.is_flag == 1);
    if (std::string(info.name) == "O") CHECK(info.is_flag == 0);
  }
  CHECK(for_ptx.count("maxregs") == 1);
  CHECK(for_all.count("O") == 1);
  CHECK(kiln_option(kiln_option_count(), &info, nullptr) == KILN_USAGE);
  ok(kiln_check_options(R"({"target": "ptx", "arch": "sm_80,sm_90a", "O": 3})", &error), error);
  ok(kiln_check_options(nullptr, &error), error);
  CHECK(kiln_check_options("{\n\"O\": 3,\n\"soup\": 1}", &error) == KILN_INPUT);
  CHECK(kiln_error_line(error, 0) == 3);
  kiln_error_free(error);
}

TEST_CASE("a build has an id, and a worker's program needs a socket") {
  CHECK(std::strlen(kiln_build_id()) == 16);
  CHECK(std::string(kiln_build_id()).find_first_not_of("0123456789abcdef") == std::string::npos);
  CHECK(kiln_run_worker(nullptr, nullptr, nullptr) == KILN_USAGE);
}

TEST_CASE("counters of an earlier version are filled as far as it has them") {
  OpenSession open;
  ok(open.load("f(x) = x", &open.error), open.error);
  kiln_artifact *artifact = nullptr;
  for (int i = 0; i < 2; i++) {
    ok(kiln_compile(open.session, "f(Int64)", R"({"kernel": false})", "asm", &artifact, &open.error),
       open.error);
    kiln_artifact_free(artifact);
  }
  kiln_counters counters;
  std::memset(&counters, 0xab, sizeof counters);
  counters.struct_size = offsetof(kiln_counters, assembled);
  ok(kiln_session_counters(open.session, &counters, &open.error), open.error);
  CHECK(counters.compiled == 1);
  CHECK(counters.hits == 1);
  CHECK(counters.assembled == 0xabababababababab);
  counters.struct_size = sizeof counters;
  ok(kiln_session_counters(open.session, &counters, &open.error), open.error);
  CHECK(counters.assembled == 0); // of the CPU nothing is
  CHECK(counters.coarsened == 0);
}

} // namespace tools_test
