// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice as a part of a timing report.
#include <catch2/catch.hpp>
#include <kiln/timing.h>
#include <nlohmann/json.hpp>

using namespace kiln;

TEST_CASE("advice is in every form of a report where somebody looked for it, and with its job alone") {
  TimingReport report;
  report.jobs = {{.name = "f()", .target = "native"}, {.name = "f()", .target = "ptx sm_90"}};
  CHECK_FALSE(nlohmann::json::parse(report.json()).contains("advice"));
  CHECK(report.table().find("advice") == std::string::npos);

  report.has_advice = true;
  CHECK(nlohmann::json::parse(report.json())["advice"].empty());
  CHECK(report.table().find("advice: none") != std::string::npos);

  report.advice = {{"f()", "ptx sm_90", "stride", "k.jl", 3, 7, "elements lie \"apart\"", "turn it"}};
  report.not_checked = {{"f()", "native", "stride: a CPU"}};
  const auto json = nlohmann::json::parse(report.json());
  CHECK(json["advice"] ==
        nlohmann::json::parse(R"json([{"job": "f()", "target": "ptx sm_90", "rule": "stride",
    "file": "k.jl", "line": 3, "column": 7, "message": "elements lie \"apart\"", "hint": "turn it"
}])json"));
  CHECK(json["not_checked"] ==
        nlohmann::json::parse(R"json([{"job": "f()", "target": "native", "text": "stride: a CPU"
}])json"));
  CHECK(report.table().find("f(), k.jl:3:7: advice: elements lie \"apart\"; turn it") != std::string::npos);
  CHECK(report.table().find("f(): advice not checked: stride: a CPU") != std::string::npos);

  const TimingReport native = report.of_job(report.jobs[0]), ptx = report.of_job(report.jobs[1]);
  CHECK(native.advice.empty());
  CHECK(native.not_checked.size() == 1);
  CHECK(ptx.advice.size() == 1);
  CHECK(ptx.has_advice);
  CHECK(ptx.not_checked.empty());
}
