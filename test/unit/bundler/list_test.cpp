// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code a bundle has of the jobs of a list, and its parameters' types in C++, whose layout the C++
// compiler checks.
#include "bundle_fixture.h"
#include "host_cpu.h"

#include <kiln/bundle_writer.h>
#include <targets/targets.h>

#include <algorithm>
#include <cstdlib>
#include <random>

using namespace kiln;
using namespace kiln::test;
using namespace kiln::bundle;
using Catch::Matchers::Contains;

namespace {

const std::string program = "using CUDA\nfunction zero(y)\n  y[threadIdx().x] = 0\n  return\nend\n"
                            "function one(y)\n  y[threadIdx().x] = 1\n  return\nend\n";
const std::string zero = "zero(CuDeviceVector{Int64,1})";

/// The code of one job a target, of the kernel `zero`: "v3" of CPUs, "ptx80", "cubin90a".
std::vector<std::string> codes_for(const std::vector<TargetSpec> &targets) {
  Scratch folder;
  std::ofstream(folder.path / "program.jl") << program;
  std::vector<PrecompileJob> jobs;
  for (const TargetSpec &target : targets) {
    PrecompileJob job;
    job.files = {{"program.jl", folder.path.string(), {}}};
    job.call = zero;
    job.config.target = target;
    jobs.push_back(std::move(job));
  }
  BundleReport report = must(compile_list(jobs, no_folder(), 1));
  for (const auto &failure : report.failures) FAIL(failure.error.what());
  REQUIRE(report.kernels.size() == 1);
  std::vector<std::string> names;
  for (const BundledCode &code : report.kernels[0].codes)
    names.push_back(code.kind == CodeKind::CpuImage ? cpu_level_name(code.level)
                                                    : (code.kind == CodeKind::Cubin ? "cubin" : "ptx") +
                                                          arch_name(image_of(code).arch).substr(3));
  std::ranges::sort(names);
  return names;
}

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("code for CPUs is that of the host's levels, or of the one that the job names, on any host") {
  CHECK(codes_for({NativeOptions()}) == host_levels);
  CHECK(codes_for({NativeOptions{.cpu = "x86-64-v3"}}) == Names{"x86-64-v3"});
  CHECK(codes_for({NativeOptions{.cpu = "x86-64-v4"}, NativeOptions{.cpu = "x86-64-v2"}}) ==
        Names{"x86-64-v2", "x86-64-v4"});
  CHECK(codes_for({NativeOptions{.cpu = "neoverse-v2"}, NativeOptions{.cpu = "aarch64"}}) ==
        Names{"aarch64", "neoverse-v2"});
}

TEST_CASE("code for one processor alone, and plain functions, are no code of a bundle") {
  Scratch folder;
  std::ofstream(folder.path / "program.jl") << program;
  PrecompileJob job;
  job.files = {{"program.jl", folder.path.string(), {}}};
  job.call = zero;
  std::vector<PrecompileJob> jobs(5, job);
  jobs[0].config.target = NativeOptions{.cpu = "znver3"};
  jobs[1].config.target = NativeOptions{.cpu = "x86-64-v3", .features = "+avx512f"};
  jobs[2].config.kernel = false;
  jobs[3].call = "nowhere(Int64)";
  jobs[4].call = "one(CuDeviceVector{Int64,1})";
  const BundleReport report = must(compile_list(jobs, no_folder(), 2));
  REQUIRE(report.failures.size() == 4);
  for (size_t i = 0; i < 4; i++) CHECK(report.failures[i].job == i);
  CHECK(report.failures[0].error.kind() == ErrorKind::Usage);
  CHECK_THAT(report.failures[0].error.what(),
             Contains("znver3") && Contains("x86-64-v2, x86-64-v3 and x86-64-v4"));
  CHECK_THAT(report.failures[1].error.what(), Contains("features"));
  CHECK_THAT(report.failures[2].error.what(), Contains("is a plain function"));
  CHECK(report.failures[3].error.kind() == ErrorKind::Input);
  REQUIRE(report.kernels.size() == 1); // the others go on
  CHECK(report.kernels[0].name == "one");
  REQUIRE(report.kernels[0].parameters.size() == 1);
  CHECK(report.kernels[0].parameters[0].name == "y");
  CHECK(report.kernels[0].parameters[0].size == 32);
}

TEST_CASE("without an assembler a GPU gets the newest text that it takes") {
  ::setenv("KILN_ASSEMBLER", "driver", 1);
  CHECK(codes_for({PtxOptions{.sm = 80}, PtxOptions{.sm = 70}}) == Names{"ptx70", "ptx80"});
  CHECK(codes_for({PtxOptions{.sm = 90, .arch_specific = true}, PtxOptions{.sm = 80}}) ==
        Names{"ptx80", "ptx90a"});
  // Each GPU from sm_80 on takes a newer text than that of sm_75, and those before it none of the others.
  CHECK(codes_for({PtxOptions{.sm = 75}, PtxOptions{.sm = 80}, PtxOptions{.sm = 90}}) ==
        Names{"ptx75", "ptx80", "ptx90"});
  ::unsetenv("KILN_ASSEMBLER");
}

TEST_CASE("texts that every GPU has a cubin in place of are left out") {
  if (!must(find_target("ptx")->make_assembler())) {
    WARN("skipped: no assembler of PTX on this machine");
    return;
  }
  // sm_80's cubin runs on all of 8.x, sm_90's on 9.0: newer GPUs take the text for sm_90.
  CHECK(codes_for({PtxOptions{.sm = 80}, PtxOptions{.sm = 90}}) == Names{"cubin80", "cubin90", "ptx90"});
  CHECK(codes_for({PtxOptions{.sm = 86}, PtxOptions{.sm = 80}}) == Names{"cubin80", "cubin86", "ptx86"});
  CHECK(codes_for({PtxOptions{.sm = 121}}) == Names{"cubin121", "ptx121"}); // for GPUs that are not yet there
}

TEST_CASE("types of the language in C++") {
  TypeContext types;
  const TypeContext::Builtins &t = types.builtins();
  std::vector<CppStruct> structs;
  const auto text = [&](TypeRef type) { return cpp_type(types, type, structs).text; };
  CHECK(text(t.Bool) == "bool");
  CHECK(text(t.Int8) == "int8_t");
  CHECK(text(t.UInt32) == "uint32_t");
  CHECK(text(t.Int64) == "int64_t");
  CHECK(text(t.Float32) == "float");
  CHECK(text(t.Float64) == "double");
  CHECK(text(must(types.apply(t.Ptr, std::vector<TypeRef>{t.Int64}))) == "void *");
  CHECK(text(t.Any) == "void"); // no kernel has such a parameter
  CHECK(structs.empty());
  const TypeRef inner = types.tuple({t.Int8, t.Float64}), outer = types.tuple({inner, t.Int16, inner});
  const CppType made = cpp_type(types, outer, structs);
  CHECK(made.is_by_reference);
  REQUIRE(structs.size() == 2); // what others need first, each once
  CHECK(structs[0].of == "Tuple{Int8, Float64}");
  CHECK(structs[0].size == 16);
  CHECK(structs[0].align == 8);
  CHECK(structs[1].name == made.text);
  REQUIRE(structs[1].fields.size() == 3);
  CHECK(structs[1].fields[1].type == "int16_t");
  CHECK(structs[1].fields[1].offset == 16);
  CHECK(structs[1].fields[2].offset == 24);
  CHECK(cpp_type(types, inner, structs).text == structs[0].name);
  CHECK(structs.size() == 2);
}

TEST_CASE("structs of C++ have the layout of the language's") {
  TypeContext types;
  const TypeContext::Builtins &t = types.builtins();
  std::mt19937 random(1);
  std::vector<TypeRef> made{t.Bool, t.Int8, t.Int16, t.Int32, t.UInt64, t.Float32, t.Float64};
  std::vector<CppStruct> structs;
  for (int i = 0; i < 60; i++) {
    std::vector<TypeRef> fields;
    for (size_t n = 1 + random() % 4; n > 0; n--) fields.push_back(made[random() % made.size()]);
    made.push_back(types.tuple(fields));
    (void)cpp_type(types, made.back(), structs);
  }
  REQUIRE(structs.size() > 30);
  std::string source = "#include <cstddef>\n#include <cstdint>\n";
  for (const CppStruct &each : structs) {
    source += "struct alignas(" + std::to_string(each.align) + ") " + each.name + " {\n";
    for (const CppStruct::Field &field : each.fields) source += "  " + field.type + " " + field.name + ";\n";
    source += "};\nstatic_assert(sizeof(" + each.name + ") == " + std::to_string(each.size) + ");\n";
    for (const CppStruct::Field &field : each.fields)
      source += "static_assert(offsetof(" + each.name + ", " + field.name +
                ") == " + std::to_string(field.offset) + ");\n";
  }
  Scratch folder;
  std::ofstream(folder.path / "layout.cpp") << source;
  const std::string command = std::string(KILN_CXX) + " -std=c++20 -fsyntax-only -Wno-invalid-offsetof '" +
                              (folder.path / "layout.cpp").string() + "'";
  CHECK(std::system(command.c_str()) == 0);
}
