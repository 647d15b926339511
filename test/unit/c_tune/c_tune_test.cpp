// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_tune.h, tensor maps and the background's work, from C.
#include "open.h"

#include "scratch.h"

#include <kiln/c_tune.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

// N elements a thread; with N = 3 the first element is wrong.
constexpr const char *program = R"(using CUDA
function axpy(y, x, a, ::Val{N}) where {N}
    first = ((blockIdx().x - 1) * blockDim().x + threadIdx().x - 1) * N
    for k in 1:N
        i = first + k
        if i <= length(y)
            @inbounds y[i] = a * x[i] + y[i]
        end
    end
    if N == 3 && first == 0
        y[1] = 0f0
    end
    return
end
function plain(y, x, a)
    for i in 1:length(y)
        y[i] = a * x[i] + y[i]
    end
    return
end
)";

struct TuneInC {
  kiln::test::Scratch scratch;
  std::string folder = scratch.path.string();
  std::vector<float> y = std::vector<float>(1000, 1), x = std::vector<float>(1000, 2);
  float a = 3;
  int64_t length = 1000;
  kiln_argument values[3] = {};
  kiln_tune_argument arguments[4] = {};
  kiln_tune_request request = {};
  OpenSession open;
  kiln_device *cpu = nullptr;

  TuneInC() : open(with_folder(folder)) {
    ok(open.load(program, &open.error), open.error);
    ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
    for (int i = 0; i < 3; i++) {
      values[i].struct_size = sizeof values[i];
      values[i].type = "Float32";
      values[i].kind = i < 2 ? KILN_ARRAY : KILN_SCALAR;
      values[i].ndim = i < 2 ? 1 : 0;
      values[i].dims = &length;
      arguments[i].value = &values[i];
    }
    values[0].data = y.data();
    values[1].data = x.data();
    values[2].data = &a;
    arguments[3].expression = "Val($N)";
    request.struct_size = sizeof request;
    request.function = "axpy";
    request.arguments = arguments;
    request.count = 4;
    request.space_json =
        R"json({"parameters": {"N": [1, 2, 3]}, "threads": "64", "blocks": "cld(length(1), N * 64)"})json";
    request.reference = "plain";
    request.no_ceiling = 1;
  }
  ~TuneInC() { kiln_device_free(cpu); }
  static kiln_session_options with_folder(const std::string &folder) {
    kiln_session_options options = {};
    options.cache_dir = folder.c_str();
    return options;
  }
  std::string fault() {
    kiln_job *winner = nullptr;
    int status = kiln_tune(open.session, cpu, &request, &winner, nullptr, &open.error);
    CHECK(winner == nullptr);
    return status == KILN_OK ? "none" : told(open.error);
  }
};

} // namespace

TEST_CASE("a search from C: the wrong candidate cannot win, and what was found is kept") {
  TuneInC t;
  int calls = 0;
  t.request.progress = [](const kiln_tune_progress *at, void *user) {
    CHECK(at->done <= at->all);
    ++*static_cast<int *>(user);
  };
  t.request.progress_user = &calls;
  kiln_job *winner = nullptr;
  char *json = nullptr;
  ok(kiln_tune(t.open.session, t.cpu, &t.request, &winner, &json, &t.open.error), t.open.error);
  REQUIRE(winner != nullptr);
  CHECK(calls > 0);
  auto read = nlohmann::json::parse(json);
  CHECK(read["candidates"].size() == 3);
  for (const auto &candidate : read["candidates"])
    CHECK((candidate["state"] == "wrong") == (candidate["values"]["N"] == "3"));
  CHECK(t.y[0] == 1); // the caller's arrays stay as they are
  kiln_kernel *kernel = nullptr;
  ok(kiln_job_prepare(winner, t.cpu, &kernel, &t.open.error), t.open.error);
  kiln_kernel_free(kernel);
  kiln_job_free(winner);
  kiln_text_free(json);

  ok(kiln_tuned(t.open.session, t.cpu, &t.request, &winner, &json, &t.open.error), t.open.error);
  CHECK(winner != nullptr);
  CHECK(nlohmann::json::parse(json)["measured"] == 0);
  kiln_job_free(winner);
  kiln_text_free(json);
}

TEST_CASE("a search from C: given results, and a candidate as the reference") {
  TuneInC t;
  std::vector<float> expected(1000, 3 * 2 + 1);
  kiln_tune_expected result = {.argument = 1, .bytes = expected.data(), .size = 4000};
  t.request.reference = nullptr;
  t.request.expected = &result;
  t.request.expected_count = 1;
  kiln_job *winner = nullptr;
  ok(kiln_tune(t.open.session, t.cpu, &t.request, &winner, nullptr, &t.open.error), t.open.error);
  CHECK(winner != nullptr);
  kiln_job_free(winner);

  expected[7] = 0; // nobody computes that
  t.request.again = 1;
  char *json = nullptr;
  ok(kiln_tune(t.open.session, t.cpu, &t.request, &winner, &json, &t.open.error), t.open.error);
  CHECK(winner == nullptr);
  kiln_text_free(json);

  kiln_tune_setting trusted = {"N", "2"};
  t.request.expected_count = 0;
  t.request.reference_candidate = &trusted;
  t.request.reference_candidate_count = 1;
  ok(kiln_tune(t.open.session, t.cpu, &t.request, &winner, nullptr, &t.open.error), t.open.error);
  CHECK(winner != nullptr);
  kiln_job_free(winner);
}

TEST_CASE("what a search from C refuses") {
  TuneInC t;
  t.request.space_json = "{\"parameters\": {\"N\": []}}";
  CHECK_THAT(t.fault(), Contains("the parameter N has no values"));
  t.request.space_json = "{";
  CHECK_THAT(t.fault(), Contains("JSON error"));
  t.request.space_json = nullptr;
  CHECK_THAT(t.fault(), Contains("space_json"));
  t.request.space_json = "{\"parameters\": {\"N\": [1]}}";
  t.request.reference = nullptr;
  CHECK_THAT(t.fault(), Contains("set one of them"));
  t.request.reference = "no_such_function";
  CHECK_THAT(t.fault(), Contains("no_such_function"));
  t.arguments[3].value = t.values;
  CHECK_THAT(t.fault(), Contains("argument 4: an expression or a value, not both"));
  t.arguments[3] = {};
  CHECK_THAT(t.fault(), Contains("argument 4: an expression or a value, and there is neither"));
  t.request.struct_size = 4;
  CHECK_THAT(t.fault(), Contains("kiln_tune_request.struct_size is 4"));
  kiln_job *winner = nullptr;
  CHECK(kiln_tune(t.open.session, nullptr, &t.request, &winner, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_tuned(nullptr, t.cpu, &t.request, &winner, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_tune(t.open.session, t.cpu, nullptr, &winner, nullptr, nullptr) == KILN_USAGE);
}

TEST_CASE("a tensor map from C, and what none is made of") {
  OpenSession open;
  kiln_device *cpu = nullptr;
  ok(kiln_device_open(open.session, "cpu", &cpu, &open.error), open.error);
  alignas(16) static float memory[64 * 8];
  const uint64_t lengths[] = {64, 8};
  const uint32_t box[] = {32, 2};
  kiln_tensor_map_options options = {};
  options.struct_size = sizeof options;
  options.element = "Float32";
  options.data = memory;
  options.ndim = 2;
  options.lengths = lengths;
  options.box = box;
  unsigned char map[128] = {};
  const unsigned char zeros[128] = {};
  char *type = nullptr;
  ok(kiln_tensor_map(cpu, &options, map, sizeof map, &type, &open.error), open.error);
  CHECK(std::string(type) == "CUDA.Hopper.TensorMap{Float32, 2}");
  CHECK(std::memcmp(map, zeros, sizeof map) != 0);
  kiln_text_free(type);
  auto fault = [&] {
    CHECK(kiln_tensor_map(cpu, &options, map, sizeof map, nullptr, &open.error) != KILN_OK);
    return told(open.error);
  };
  options.ndim = 6;
  CHECK_THAT(fault(), Contains("6 dimensions"));
  options.ndim = 2;
  options.element = nullptr;
  CHECK_THAT(fault(), Contains("element"));
  options.element = "NoSuchType";
  CHECK_THAT(fault(), Contains("NoSuchType"));
  CHECK(kiln_tensor_map(cpu, &options, map, 64, nullptr, &open.error) == KILN_USAGE);
  CHECK_THAT(told(open.error), Contains("128 bytes"));
  ok(kiln_wait_for_background(open.session, &open.error), open.error);
  CHECK(kiln_wait_for_background(nullptr, nullptr) == KILN_USAGE);
  kiln_device_free(cpu);
}
