// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_advise.h: advice on a call, on a held job, and in timings.
#include "open.h"

#include <kiln/c_advise.h>

#include <nlohmann/json.hpp>

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

// The literal in line 4 makes the sum a Float64: docs/guide/advice.md, wide-float.
constexpr const char *program = R"(using CUDA
function wide(y)
    i = (blockIdx().x - 1) * blockDim().x + threadIdx().x
    @inbounds y[i] = y[i] + 0.1
    return
end
)";
constexpr const char *call = "wide(CuDeviceVector{Float32,1})";
constexpr const char *ptx = R"({"target": "ptx", "arch": "sm_90"})";

std::string taken(char *text) {
  const std::string copy = text ? text : "";
  kiln_text_free(text);
  return copy;
}

} // namespace

TEST_CASE("advice names the line, and what to write instead") {
  OpenSession open;
  ok(open.load(program, &open.error), open.error);
  char *text = nullptr;
  ok(kiln_advise(open.session, call, ptx, nullptr, &text, &open.error), open.error);
  CHECK_THAT(taken(text), Contains("test.jl:4:") && Contains("advice: ") && Contains("0.1f0"));
  ok(kiln_advise(open.session, call, ptx, "json", &text, &open.error), open.error);
  const auto json = nlohmann::json::parse(taken(text));
  bool found = false;
  for (const auto &one : json.at("advice"))
    found |= one.at("rule") == "wide-float" && one.at("line") == 4 && one.at("hint") == "write 0.1f0";
  CHECK(found);

  kiln_job *job = nullptr;
  ok(kiln_job_open(open.session, call, ptx, &job, &open.error), open.error);
  ok(kiln_job_advise(job, open.session, "text", &text, &open.error), open.error);
  CHECK_THAT(taken(text), Contains("test.jl:4:"));
  kiln_job_free(job);
}

TEST_CASE("timings show the advice on the jobs of a scope") {
  OpenSession open;
  ok(open.load(program, &open.error), open.error);
  ok(kiln_timings_start(open.session, 0, 0, &open.error), open.error);
  kiln_scope *scope = nullptr;
  ok(kiln_scope_open(open.session, &scope, &open.error), open.error);
  kiln_artifact *artifact = nullptr;
  ok(kiln_compile(open.session, call, ptx, "asm", &artifact, &open.error), open.error);
  kiln_artifact_free(artifact);
  char *text = nullptr;
  ok(kiln_timings_with_advice(open.session, scope, nullptr, &text, &open.error), open.error);
  CHECK_THAT(taken(text), Contains("test.jl:4:") && Contains("0.1f0") && Contains("Tot / % measured"));
  ok(kiln_timings_with_advice(open.session, scope, "json", &text, &open.error), open.error);
  CHECK(nlohmann::json::parse(taken(text)).at("advice").size() >= 1);
  CHECK(kiln_timings_with_advice(open.session, scope, "trace", &text, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("not `trace`"));
  CHECK(text == nullptr);
  kiln_scope_close(scope);
  CHECK(kiln_timings_with_advice(open.session, scope, nullptr, &text, nullptr) == KILN_USAGE);
}

TEST_CASE("advice that cannot be is refused") {
  OpenSession open;
  ok(open.load(program, &open.error), open.error);
  char *text = nullptr;
  CHECK(kiln_advise(open.session, call, ptx, "pie", &text, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("not `pie`"));
  CHECK(kiln_advise(open.session, call, R"({"target": "ptx", "O": 0})", nullptr, &text, nullptr) ==
        KILN_USAGE);
  CHECK(kiln_advise(open.session, "wide(Nowhere)", ptx, nullptr, &text, nullptr) == KILN_INPUT);
  CHECK(kiln_advise(open.session, nullptr, ptx, nullptr, &text, nullptr) == KILN_USAGE);
  CHECK(kiln_advise(open.session, call, ptx, nullptr, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_job_advise(nullptr, open.session, nullptr, &text, nullptr) == KILN_USAGE);
  CHECK(text == nullptr);
  CHECK(kiln_has_feature("advise") == 1);
}
