// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/c_bundle.h: a list of jobs becomes a bundle that is opened, described and launched.
#include "host_cpu.h"
#include "open.h"
#include "scratch.h"

#include <kiln/c_bundle.h>
#include <kiln/c_device.h>

#include <cstring>
#include <fstream>
#include <set>

using Catch::Matchers::Contains;
using namespace kiln::test;

namespace {

struct Bundled {
  Scratch folder;
  std::string path = folder.path;
  kiln_error *error = nullptr;
  kiln_job_list *list = nullptr;
  kiln_session_options session = {};
  kiln_bundle_writer_options options = {};

  Bundled() {
    std::ofstream(folder.path / "k.jl") << "using CUDA\nfunction scale(y, a)\n  i = threadIdx().x\n"
                                           "  if i <= length(y)\n    @inbounds y[i] *= a\n  end\n  return\n"
                                           "end\n";
    ok(kiln_job_list_new(&list, &error), error);
    session.struct_size = sizeof session;
    session.cache_dir = "";
    options.struct_size = sizeof options;
    options.session = &session;
  }
  ~Bundled() { kiln_job_list_free(list); }
  Bundled(const Bundled &) = delete;
  Bundled &operator=(const Bundled &) = delete;

  void add(const char *call, const char *options_json = nullptr) {
    const char *files[] = {"k.jl"};
    kiln_job_entry entry = {};
    entry.struct_size = sizeof entry;
    entry.files = files;
    entry.file_count = 1;
    entry.folder = path.c_str();
    entry.call = call;
    entry.options_json = options_json;
    ok(kiln_job_list_add(list, &entry, &error), error);
  }
};

constexpr const char *scale = "scale(CuDeviceVector{Float32,1}, Float32)";

} // namespace

TEST_CASE("a bundle that C writes is opened in memory, and its kernel computes") {
  Bundled made;
  made.add(scale);
  made.add(scale, R"({"target": "ptx", "arch": "sm_90"})");
  made.options.wrappers_namespace = "mine";
  made.options.file_name = "some.kiln";
  char *bytes = nullptr, *wrappers = nullptr;
  size_t size = 0;
  kiln_bundle_report report = {};
  report.struct_size = sizeof report;
  ok(kiln_make_bundle(made.list, &made.options, &bytes, &size, &wrappers, &report, nullptr, &made.error),
     made.error);
  CHECK(report.kernels == 1);
  CHECK(report.cpu_images == kiln::host_levels.size());
  CHECK(report.cubins + report.ptx_texts >= 1);
  CHECK_THAT(wrappers, Contains("namespace mine") && Contains("some.kiln"));
  kiln_text_free(wrappers);

  kiln_bundle *bundle = nullptr;
  ok(kiln_bundle_open_memory(bytes, size, nullptr, &bundle, &made.error), made.error);
  REQUIRE(kiln_bundle_count(bundle) == 1);
  CHECK(std::string(kiln_bundle_kernel_name(bundle, 0)) == "scale");
  REQUIRE(kiln_bundle_parameter_count(bundle, 0) == 2);
  kiln_bundle_parameter parameter = {};
  parameter.struct_size = sizeof parameter;
  ok(kiln_bundle_read_parameter(bundle, 0, 0, &parameter, &made.error), made.error);
  CHECK(std::string(parameter.name) == "y");
  CHECK(parameter.size == 32); // pointer, bytes, one dimension, length
  ok(kiln_bundle_read_parameter(bundle, 0, 1, &parameter, &made.error), made.error);
  CHECK(std::string(parameter.type) == "Float32");
  CHECK(parameter.argument == 2);
  CHECK(parameter.size == 4);
  CHECK(kiln_bundle_read_parameter(bundle, 0, 2, &parameter, nullptr) == KILN_USAGE);
  CHECK(kiln_bundle_read_parameter(bundle, 1, 0, &parameter, nullptr) == KILN_USAGE);
  std::set<std::string> of_cpu;
  for (size_t i = 0; i < kiln_bundle_code_count(bundle, 0); i++) {
    kiln_bundle_code code = {};
    code.struct_size = sizeof code;
    ok(kiln_bundle_read_code(bundle, 0, i, &code, &made.error), made.error);
    CHECK(code.bytes > 0);
    if (code.kind == KILN_CODE_CPU) of_cpu.insert(code.architecture);
    if (code.kind != KILN_CODE_CPU) CHECK_THAT(code.architecture, Contains("sm_"));
  }
  CHECK(of_cpu == std::set<std::string>(kiln::host_levels.begin(), kiln::host_levels.end()));
  kiln_bundle_code code = {};
  code.struct_size = sizeof code;
  CHECK(kiln_bundle_read_code(bundle, 0, 99, &code, nullptr) == KILN_USAGE);

  kiln_runtime *runtime = nullptr;
  kiln_device *cpu = nullptr;
  kiln_stream *stream = nullptr;
  ok(kiln_runtime_open(nullptr, &runtime, &made.error), made.error);
  ok(kiln_runtime_device(runtime, "cpu", &cpu, &made.error), made.error);
  ok(kiln_runtime_stream(runtime, cpu, &stream, &made.error), made.error);
  float y[4] = {1, 2, 3, 4}, a = 2.5;
  const int64_t length = 4;
  kiln_argument arguments[2] = {};
  for (kiln_argument &argument : arguments) {
    argument.struct_size = sizeof argument;
    argument.type = "Float32";
  }
  arguments[0].kind = KILN_ARRAY;
  arguments[0].data = y;
  arguments[0].ndim = 1;
  arguments[0].dims = &length;
  arguments[1].data = &a;
  kiln_shape shape = {};
  shape.struct_size = sizeof shape;
  shape.threads[0] = 4;
  ok(kiln_bundle_launch(bundle, "scale", nullptr, stream, &shape, arguments, 2, &made.error), made.error);
  ok(kiln_stream_synchronize(stream, &made.error), made.error);
  for (int i = 0; i < 4; i++) CHECK(y[i] == 2.5f * float(i + 1));
  kiln_stream_free(stream);
  kiln_bundle_free(bundle);
  kiln_device_free(cpu);
  kiln_runtime_close(runtime);
  kiln_text_free(bytes);
}

TEST_CASE("there is no bundle where a job fails, and its error is told") {
  Bundled made;
  made.add(scale);
  made.add("scale(Int64)");
  char *bytes = nullptr;
  size_t size = 9;
  kiln_error *each[2] = {};
  CHECK(kiln_make_bundle(made.list, &made.options, &bytes, &size, nullptr, nullptr, each, &made.error) ==
        KILN_INPUT);
  CHECK(bytes == nullptr);
  CHECK(size == 0);
  CHECK(each[0] == nullptr);
  CHECK(std::string(kiln_error_kind(each[1], 0)) == "MethodError");
  CHECK_THAT(told(made.error), Contains("scale(Int64)") || Contains("MethodError"));
  kiln_error_free(each[1]);
}

TEST_CASE("lists and options that are no bundle's are usage errors") {
  Bundled made;
  char *bytes = nullptr;
  size_t size = 0;
  CHECK(kiln_make_bundle(made.list, &made.options, &bytes, &size, nullptr, nullptr, nullptr, &made.error) ==
        KILN_USAGE);
  CHECK_THAT(told(made.error), Contains("the list has no job"));
  made.add(scale);
  made.add(scale);
  CHECK(kiln_make_bundle(made.list, &made.options, &bytes, &size, nullptr, nullptr, nullptr, nullptr) ==
        KILN_USAGE);
  made.options.struct_size = 3;
  CHECK(kiln_make_bundle(made.list, &made.options, &bytes, &size, nullptr, nullptr, nullptr, &made.error) ==
        KILN_USAGE);
  CHECK_THAT(told(made.error), Contains("kiln_bundle_writer_options.struct_size"));
  CHECK(kiln_make_bundle(nullptr, nullptr, &bytes, &size, nullptr, nullptr, nullptr, nullptr) == KILN_USAGE);
  CHECK(kiln_make_bundle(made.list, nullptr, nullptr, &size, nullptr, nullptr, nullptr, nullptr) ==
        KILN_USAGE);
  char *name = nullptr;
  ok(kiln_cpp_name("while", &name, &made.error), made.error);
  CHECK(std::string(name) != "while"); // a keyword of C++
  CHECK_FALSE(std::string(name).empty());
  kiln_text_free(name);
  CHECK(kiln_cpp_name(nullptr, &name, nullptr) == KILN_USAGE);
  CHECK(kiln_has_feature("bundle_writer") == 1);
}
