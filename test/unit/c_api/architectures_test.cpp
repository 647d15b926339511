// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln_compile_each: a job for several architectures.
#include "open.h"

using kiln::test::OpenSession;
using kiln::test::told;

namespace {

constexpr const char *text = "using CUDA\nfunction scale(y, a)\n  y[1] = a\n  return\nend\n";

} // namespace

TEST_CASE("a job is compiled for each architecture of a list") {
  OpenSession open;
  REQUIRE(open.load(text) == KILN_OK);
  const char *call = "scale(CuDeviceVector{Float32,1}, Float32)";
  kiln_artifact *artifacts[4] = {};
  kiln_error *error = nullptr;
  size_t count = 7;
  REQUIRE(kiln_compile_each(open.session, call, R"({"target": "ptx", "arch": ["sm_75", "sm_90a,sm_100f"]})",
                            "asm", artifacts, 4, &count, &error) == KILN_OK);
  REQUIRE(count == 3);
  const char *targets[] = {".target sm_75", ".target sm_90a", ".target sm_100f"};
  for (size_t i = 0; i < count; i++) {
    const std::string made = static_cast<const char *>(kiln_artifact_data(artifacts[i], nullptr));
    CHECK(made.find(targets[i]) != std::string::npos);
    kiln_artifact_free(artifacts[i]);
  }
  CHECK(artifacts[3] == nullptr);
  auto refused = [&](const char *json, size_t capacity, int status, const std::string &why) {
    INFO(json);
    CHECK(kiln_compile_each(open.session, call, json, "asm", artifacts, capacity, &count, &error) == status);
    CHECK(artifacts[0] == nullptr);
    CHECK(told(error).find(why) != std::string::npos);
  };
  refused(R"({"target": "ptx", "arch": "sm_75,sm_80"})", 1, KILN_USAGE, "2 architectures, and `out` takes 1");
  CHECK(count == 2); // what it would take
  refused(R"({"target": "ptx", "arch": ["sm_75", "sm_80", "sm_75"]})", 0, KILN_USAGE, "2 architectures");
  refused(R"({"target": "ptx", "arch": "sm_75,sm_91"})", 4, KILN_INPUT, "there is no architecture sm_91");
  refused(R"({"target": "ptx", "arch": "sm_75,volta"})", 4, KILN_INPUT, "not `volta`");
  CHECK(kiln_compile_each(open.session, call, nullptr, "asm", artifacts, 4, nullptr, &error) == KILN_USAGE);
  kiln_error_free(error);
}
