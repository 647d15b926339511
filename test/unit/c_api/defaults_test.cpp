// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Default options, the hook on jobs, and modules without Base, in C.
#include "open_language.h"

#include <cstring>
#include <vector>

namespace defaults_test {

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

struct Requests {
  std::vector<std::string> seen;
  bool refuses = false, is_silent = false;
};

int on_job(const kiln_job_request *request, void (*give)(void *, const char *, size_t), void *context,
           void *user) {
  auto &requests = *static_cast<Requests *>(user);
  requests.seen.push_back(std::string(request->call) + " " + request->target +
                          (request->is_kernel ? " kernel" : ""));
  if (!requests.refuses) return 0;
  if (!requests.is_silent) give(context, "no more jobs", std::strlen("no more jobs"));
  return 5;
}

std::string compiled(OpenSession &open, const char *options) {
  kiln_artifact *artifact = nullptr;
  ok(kiln_compile(open.session, "f(Int64)", options, "asm", &artifact, &open.error), open.error);
  size_t size = 0;
  std::string text(static_cast<const char *>(kiln_artifact_data(artifact, &size)));
  kiln_artifact_free(artifact);
  return text;
}

} // namespace

TEST_CASE("options_json null means the session's default options, and options change those") {
  kiln_session_options options = {};
  options.default_options = "{\"target\": \"ptx\", \"arch\": \"sm_80\", \"kernel\": false}";
  OpenSession open(options);
  ok(open.load("f(x) = x + 1", &open.error), open.error);
  CHECK_THAT(compiled(open, nullptr), Contains(".func"));
  CHECK_THAT(compiled(open, "{\"O\": 1}"), Contains(".func"));
  CHECK_THAT(compiled(open, "{\"target\": \"native\", \"kernel\": false}"), !Contains(".func"));
  kiln_session *session = nullptr;
  options.struct_size = sizeof options;
  options.default_options = "{\"O\": 17}";
  CHECK(kiln_session_open(&options, &session, &open.error) != KILN_OK);
  CHECK_THAT(told(open.error), Contains("\"O\""));
}

TEST_CASE("the hook hears of each requested job, and may end it") {
  Requests requests;
  kiln_session_options options = {};
  options.on_job = on_job;
  options.on_job_user = &requests;
  OpenSession open(options);
  ok(open.load("f(x) = x + 1", &open.error), open.error);
  compiled(open, "{\"kernel\": false}");
  REQUIRE(requests.seen.size() == 1);
  CHECK(requests.seen[0] == "f(Int64) native");
  requests.refuses = true;
  kiln_artifact *artifact = nullptr;
  CHECK(kiln_compile(open.session, "f(Int64)", "{\"kernel\": false}", "asm", &artifact, &open.error) ==
        KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("no more jobs"));
  requests.is_silent = true;
  CHECK(kiln_compile(open.session, "f(Int64)", "{\"kernel\": false}", "asm", &artifact, &open.error) ==
        KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("refused f(Int64): it returned 5"));
}

TEST_CASE("launches and prepared kernels without options use the default options") {
  Requests requests;
  kiln_session_options options = {};
  options.default_options = "{\"target\": \"ptx\", \"arch\": \"sm_80\"}"; // no kernel of the CPU device
  options.on_job = on_job;
  options.on_job_user = &requests;
  OpenSession open(options);
  ok(open.load("g(x) = nothing", &open.error), open.error);
  int64_t seven = 7;
  kiln_argument argument = {};
  argument.struct_size = sizeof argument;
  argument.kind = KILN_SCALAR;
  argument.type = "Int64";
  argument.data = &seven;
  const unsigned one[3] = {1, 1, 1};
  CHECK(kiln_launch(open.session, nullptr, "g", one, one, &argument, 1, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
  kiln_job *job = nullptr;
  ok(kiln_job_open(open.session, "g(Int64)", nullptr, &job, &open.error), open.error);
  kiln_job_free(job);
  REQUIRE(requests.seen.size() == 1);
  CHECK(requests.seen[0] == "g(Int64) ptx kernel");
}

TEST_CASE("kiln_session_options.cpu_tier chooses the tiers of CPU kernels") {
  for (const int tier : {1, 2, 3}) {
    kiln_session_options options = {};
    options.cpu_tier = tier;
    OpenSession open(options);
    ok(open.load("using CUDA\nfunction add(y)\n    y[1] += 1\n    return\nend\n"), nullptr);
    float y = 4;
    const int64_t length = 1;
    const unsigned one[3] = {1, 1, 1};
    kiln_argument argument = {};
    argument.struct_size = sizeof argument;
    argument.kind = KILN_ARRAY;
    argument.type = "Float32";
    argument.data = &y;
    argument.ndim = 1;
    argument.dims = &length;
    ok(kiln_launch(open.session, "cpu", "add", one, one, &argument, 1, &open.error), open.error);
    CHECK(y == 5);
    kiln_counters counters = {};
    counters.struct_size = sizeof counters;
    ok(kiln_session_counters(open.session, &counters, &open.error), open.error);
    CHECK(counters.quick == (tier == 2 ? 0 : 1));
  }
  kiln_session_options options = {};
  options.struct_size = sizeof options;
  options.cpu_tier = 4;
  kiln_session *session = nullptr;
  kiln_error *error = nullptr;
  CHECK(kiln_session_open(&options, &session, &error) == KILN_USAGE);
  CHECK_THAT(told(error), Contains("kiln_session_options.cpu_tier is 0 (default) to 3 (first only), not 4"));
}

TEST_CASE("a module without Base does not see its names") {
  Open open;
  kiln_module module = {};
  module.struct_size = sizeof module;
  module.name = "Bare";
  module.without_base = 1;
  kiln_value *bare = nullptr, *common = nullptr, *value = nullptr;
  ok(kiln_define_module_ex(open.session, &module, &bare, &open.error), open.error);
  ok(kiln_define_module(open.session, nullptr, "Common", &common, &open.error), open.error);
  ok(kiln_value_named(open.session, common, "sin", &value, &open.error), open.error);
  CHECK(kiln_value_named(open.session, bare, "sin", &value, &open.error) == KILN_INPUT);
  const std::string text = told(open.error);
  CHECK_THAT(text, Contains("sin") && !Contains("did you mean"));
  ok(kiln_value_named(open.session, bare, "Int64", &value, &open.error), open.error); // of Core
  module.name = nullptr;
  CHECK(kiln_define_module_ex(open.session, &module, &bare, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("kiln_module.name"));
  CHECK(kiln_define_module_ex(open.session, nullptr, &bare, &open.error) == KILN_USAGE);
  kiln_error_free(open.error);
}

} // namespace defaults_test
