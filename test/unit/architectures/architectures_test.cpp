// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expected values are those of "PTX ISA 9.0" and of the CUDA Programming Guide 13, section 5.1.
#include <architectures/architectures.h>

#include <kiln/target.h>

#include <catch2/catch.hpp>

#include <map>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

GpuArch arch(std::string_view name) {
  const auto read = parse_arch(name);
  REQUIRE(read);
  return *read;
}
GpuImage cubin(std::string_view name) { return {.arch = arch(name)}; }
GpuImage text(std::string_view name, int isa = 85) {
  return {.arch = arch(name), .is_text = true, .isa = isa};
}

/// The name of the image that a GPU takes; "none".
std::string chosen(std::vector<GpuImage> images, int sm, int driver_isa = 90, bool prefer_ptx = false) {
  const auto best = choose_image(images, {.sm = sm, .driver_isa = driver_isa, .prefer_ptx = prefer_ptx});
  return best ? describe_image(images[*best]) : "none";
}

std::string message(const Error &error) { return error.diagnostics()[0].message; }
std::string hint(const Error &error) { return error.diagnostics()[0].hint; }

} // namespace

TEST_CASE("names of architectures are read and written") {
  for (std::string name : {"sm_50", "sm_90a", "sm_100", "sm_100a", "sm_100f", "sm_121f"})
    CHECK(arch_name(arch(name)) == name);
  for (std::string_view text :
       {"", "sm_", "sm_a", "90", "compute_90", "sm_90b", "sm_90af", "sm_90 ", "sm_-1", "SM_90"})
    CHECK(!parse_arch(text));
  const auto list = parse_archs("--arch", "sm_80,sm_90a,sm_80");
  REQUIRE(list.ok());
  CHECK(*list == std::vector{arch("sm_80"), arch("sm_90a")});
  for (std::string_view text : {"", "sm_80,", "sm_80,,sm_90", "sm_80 sm_90"})
    CHECK(!parse_archs("--arch", text).ok());
  CHECK_THAT(message(parse_archs("--arch", "sm_80,hopper").take_error()),
             Contains("--arch takes sm_<number>") && Contains("not `hopper`"));
  CHECK_THAT(message(parse_archs("--arch", "sm_80,sm_91").take_error()),
             Contains("there is no architecture sm_91"));
  CHECK_THAT(message(parse_archs("--arch", "sm_101a").take_error()),
             Contains("sm_101a is called sm_110a since CUDA 13.0"));
}

TEST_CASE("options and architectures convert into each other") {
  PtxOptions options;
  CHECK(arch_of(options) == arch("sm_90"));
  for (std::string_view name : {"sm_100f", "sm_100a", "sm_80"}) {
    set_arch(options, arch(name));
    CHECK(arch_of(options) == arch(name));
  }
  CHECK(!options.arch_specific);
  CHECK(!options.family_specific);
}

TEST_CASE("each architecture has the PTX ISA that brought it") {
  // PTX ISA 9.0, directive .target, "Target string ... introduced in".
  const std::map<std::string, int> introduced{
      {"sm_50", 40},   {"sm_52", 41},  {"sm_53", 42},   {"sm_60", 50},   {"sm_61", 50},  {"sm_62", 50},
      {"sm_70", 60},   {"sm_72", 61},  {"sm_75", 63},   {"sm_80", 70},   {"sm_86", 71},  {"sm_87", 74},
      {"sm_88", 90},   {"sm_89", 78},  {"sm_90", 78},   {"sm_90a", 80},  {"sm_100", 86}, {"sm_100f", 88},
      {"sm_100a", 86}, {"sm_103", 88}, {"sm_103f", 88}, {"sm_103a", 88}, {"sm_110", 90}, {"sm_110f", 90},
      {"sm_110a", 90}, {"sm_120", 87}, {"sm_120f", 88}, {"sm_120a", 87}, {"sm_121", 88}, {"sm_121f", 88},
      {"sm_121a", 88}};
  size_t known = 0;
  for (const ArchitectureInfo &row : architectures())
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific})
      known += first_isa({row.sm, variant}) != 0;
  CHECK(known == introduced.size());
  for (const auto &[name, isa] : introduced) {
    CHECK(first_isa(arch(name)) == isa);
    CHECK(default_isa(arch(name)) >= isa);
    CHECK(find_isa(default_isa(arch(name))));
  }
  for (std::string_view name : {"sm_37", "sm_89a", "sm_90f", "sm_101", "sm_91", "sm_130"})
    CHECK(first_isa(arch(name)) == 0);
  CHECK(default_isa(arch("sm_90")) == 85);
  CHECK(default_isa(arch("sm_88")) == 90);
  CHECK(default_isa_for(arch("sm_90"), 12020) == 82); // CUDA 12.2 reads 8.2
  CHECK(default_isa_for(arch("sm_100"), 12080) == 87);
  CHECK(default_isa_for(arch("sm_100"), 12020) == 86); // never below what the architecture needs
  CHECK(default_isa_for(arch("sm_100"), 13000) == 88);
}

TEST_CASE("limits are those of the programming guide") {
  struct Row { // tables 30 and 31
    int sm;
    uint32_t warps, blocks, shared, block_shared, float64;
  };
  for (const Row &row :
       {Row{75, 32, 16, 64, 64, 32}, Row{80, 64, 32, 164, 163, 2}, Row{86, 48, 16, 100, 99, 64},
        Row{87, 48, 16, 164, 163, 64}, Row{89, 48, 24, 100, 99, 64}, Row{90, 64, 32, 228, 227, 2},
        Row{100, 64, 32, 228, 227, 2}, Row{103, 64, 32, 228, 227, 64}, Row{110, 48, 24, 228, 227, 64},
        Row{120, 48, 24, 100, 99, 64}, Row{121, 48, 24, 100, 99, 64}}) {
    const ArchitectureInfo *info = find_architecture(row.sm);
    REQUIRE(info);
    CHECK(info->limits.warps == row.warps);
    CHECK(info->limits.blocks == row.blocks);
    CHECK(info->limits.shared_kib == row.shared);
    CHECK(info->limits.block_shared_kib == row.block_shared);
    CHECK(info->float64_ratio == row.float64);
  }
  CHECK(!has_clusters(89));
  CHECK(has_clusters(90));
  CHECK(has_clusters(120));
  // PTX ISA 9.0, 5.1.6.1: 4352 bytes; 32,764 from PTX ISA 8.1 on, on sm_70 or higher.
  CHECK(max_parameter_bytes(70, 81) == 32764);
  CHECK(max_parameter_bytes(70, 80) == 4352);
  CHECK(max_parameter_bytes(62, 90) == 4352);
  CHECK(architecture_up_to(107).sm == 103);
  CHECK(architecture_up_to(130).sm == 121);
  CHECK(architecture_up_to(30).sm == 50);
}

TEST_CASE("a PTX ISA has the CUDA release and the driver that brought it") {
  // PTX ISA 9.0, table "PTX Release History"; release notes of CUDA, table of drivers.
  const std::map<int, std::pair<int, std::string_view>> history{
      {60, {9000, "384.81"}},     {63, {10000, "410.48"}},    {70, {11000, "450.36.06"}},
      {78, {11080, "520.61.05"}}, {80, {12000, "525.60.13"}}, {84, {12040, "550.54.14"}},
      {85, {12050, "555.42.02"}}, {86, {12070, "565"}},       {87, {12080, "570.26"}},
      {88, {12090, "575.51.03"}}, {90, {13000, "580.65.06"}}};
  for (const auto &[isa, of] : history) {
    const PtxIsaInfo *info = find_isa(isa);
    REQUIRE(info);
    CHECK(info->cuda == of.first);
    CHECK(info->driver == of.second);
    CHECK(newest_isa(of.first) == isa);
  }
  CHECK(newest_isa(12060) == 85); // CUDA 12.6 brought none
  CHECK(newest_isa(13020) == 90); // newer than the table
  CHECK(newest_isa(8000) == 0);
  CHECK(first_toolkit(*find_isa(86)) == 12080); // CUDA 12.7 had no toolkit
  CHECK(first_toolkit(*find_isa(85)) == 12050);
  CHECK(isa_limit(driver_reader(12020)) == "PTX ISA up to 8.2");
  CHECK(isa_limit(driver_reader(13010)) == "PTX ISA 9.0 and newer");
  CHECK(isa_limit(driver_reader(8000)) == "PTX ISA before 6.0");
  for (int isa : {59, 66, 79, 89, 91}) CHECK(!find_isa(isa));
  CHECK(isa_text(88) == "8.8");
  CHECK(cuda_text(12040) == "12.4");
}

TEST_CASE("cubins run on their major version, family or chip; PTX on newer GPUs too") {
  // CUDA Programming Guide, table "Family-Specific Compatibility".
  const std::map<std::string, std::vector<int>> families{{"sm_100f", {100, 103}},
                                                         {"sm_103f", {103}},
                                                         {"sm_110f", {110}},
                                                         {"sm_120f", {120, 121}},
                                                         {"sm_121f", {121}}};
  for (const auto &[name, gpus] : families)
    for (const ArchitectureInfo &gpu : architectures()) {
      const bool is_member = std::find(gpus.begin(), gpus.end(), gpu.sm) != gpus.end();
      CHECK(cubin_runs_on(arch(name), gpu.sm) == is_member);
      CHECK(ptx_runs_on(arch(name), gpu.sm) == is_member);
    }
  for (const ArchitectureInfo &gpu : architectures()) {
    CHECK(cubin_runs_on(arch("sm_90a"), gpu.sm) == (gpu.sm == 90));
    CHECK(ptx_runs_on(arch("sm_100a"), gpu.sm) == (gpu.sm == 100));
    CHECK(cubin_runs_on(arch("sm_80"), gpu.sm) == (gpu.sm >= 80 && gpu.sm < 90));
    CHECK(ptx_runs_on(arch("sm_80"), gpu.sm) == (gpu.sm >= 80));
  }
}

TEST_CASE("the best image: this chip's, its family's, its major version's, then PTX") {
  const std::vector<GpuImage> all{text("sm_90"),    cubin("sm_80"),   cubin("sm_90"),
                                  cubin("sm_90a"),  cubin("sm_100"),  cubin("sm_103a"),
                                  cubin("sm_100f"), cubin("sm_120f"), text("sm_120", 88)};
  CHECK(chosen(all, 89) == "sm_80");
  CHECK(chosen(all, 90) == "sm_90a");
  CHECK(chosen(all, 100) == "sm_100f");
  CHECK(chosen(all, 103) == "sm_103a");
  CHECK(chosen(all, 110) == "PTX for sm_90");
  CHECK(chosen(all, 120) == "sm_120f");
  CHECK(chosen(all, 121) == "sm_120f");
  CHECK(chosen(all, 130) == "PTX for sm_120");
  CHECK(chosen(all, 130, 87) == "PTX for sm_90"); // the driver reads no 8.8
  CHECK(chosen(all, 130, 84) == "none");
  CHECK(chosen(all, 75) == "none");
  CHECK(chosen({cubin("sm_100f"), cubin("sm_103f")}, 103) == "sm_103f");
  CHECK(chosen({cubin("sm_100"), cubin("sm_103")}, 103) == "sm_103");
  CHECK(chosen({cubin("sm_80"), cubin("sm_86")}, 89) == "sm_86");
  CHECK(chosen({text("sm_100f", 88), text("sm_100", 86), text("sm_103a", 88)}, 103) == "PTX for sm_103a");
  CHECK(chosen({text("sm_100f", 88), text("sm_100", 86)}, 110) == "PTX for sm_100");
  CHECK(chosen({cubin("sm_90"), text("sm_80")}, 90, 90, true) == "PTX for sm_80");
  CHECK(chosen({cubin("sm_90")}, 90, 90, true) == "sm_90");
  CHECK(chosen({}, 90) == "none");
}

TEST_CASE("an image that does not run has a reason") {
  const ImageUse b300{.sm = 103, .driver_isa = 88}, old{.sm = 90, .driver_isa = 82};
  CHECK(why_not(cubin("sm_90"), b300) == "a cubin for sm_90 runs on sm_90 to sm_99 alone");
  CHECK(why_not(cubin("sm_100a"), b300) == "code for sm_100a runs on sm_100 alone");
  CHECK(why_not(cubin("sm_120"), b300) == "sm_120 is newer than sm_103");
  CHECK(why_not(cubin("sm_100f"), {.sm = 121}) ==
        "code for sm_100f runs on GPUs of its family alone, sm_100 to sm_109");
  CHECK(
      why_not(text("sm_90", 85), old) ==
      "it is PTX ISA 8.5, and the driver reads up to 8.2: a driver for CUDA 12.5 (555.42.02) or newer does");
  CHECK(archs_for(103) == "sm_103, sm_103a, sm_100f, sm_103f");
  CHECK(archs_for(86) == "sm_86");
  CHECK(archs_for(121) == "sm_121, sm_121a, sm_120f, sm_121f");
}

TEST_CASE("an assembler's identity tells its CUDA release") {
  CHECK(reader_of("ptxas 12.4.131").cuda == 12040);
  CHECK(reader_of("nvJitLink 13.0").cuda == 13000);
  CHECK(reader_of("nvJitLink 13.0, fast compile").cuda == 13000);
  CHECK(reader_of("nvJitLink 13.0, fast compile").name == "nvJitLink 13.0");
  const PtxReader driver = reader_of("driver 535.54.03, CUDA 12.2, for sm_120");
  CHECK(driver.cuda == 12020);
  CHECK(driver.is_driver);
  CHECK(driver.name == "the driver for CUDA 12.2");
  CHECK(reader_of("my assembler").cuda == 0);
  CHECK(check_reader(reader_of("my assembler"), arch("sm_100"), 90).ok()); // unknown: it is asked
}

TEST_CASE("a tool that is too old is named with what is needed") {
  const PtxReader ptxas = reader_of("ptxas 12.4.131"), old_driver = driver_reader(12020);
  CHECK(check_reader(ptxas, arch("sm_90"), 84).ok());
  Error lowerable = check_reader(ptxas, arch("sm_90"), 85).take_error();
  CHECK(lowerable.kind() == ErrorKind::Machine);
  CHECK(message(lowerable) ==
        "the code for sm_90 is PTX ISA 8.5, and ptxas 12.4.131 reads PTX ISA up to 8.4");
  CHECK_THAT(hint(lowerable), Contains(R"(lower it with "ptx-isa": "8.4")") &&
                                  Contains("install the CUDA toolkit 12.5 or newer (KILN_CUDA_HOME"));
  Error too_old = check_reader(ptxas, arch("sm_100f"), 88).take_error();
  CHECK(message(too_old) ==
        "the code for sm_100f is PTX ISA 8.8, and ptxas 12.4.131 reads PTX ISA up to 8.4");
  CHECK_THAT(hint(too_old), Contains("install the CUDA toolkit 12.9 or newer") &&
                                Contains("sm_100f came with PTX ISA 8.8") && !Contains("lower it"));
  Error dropped = check_reader(reader_of("nvJitLink 13.0"), arch("sm_70"), 85).take_error();
  CHECK(message(dropped) ==
        "nvJitLink 13.0 no longer assembles for sm_70: CUDA 12.9 was the last toolkit that did");
  CHECK_THAT(hint(dropped),
             Contains("install the CUDA toolkit 12.9 or older") && Contains(R"(the product "asm")"));
  CHECK(check_reader(driver_reader(13000), arch("sm_70"), 85).ok());
  CHECK(!check_reader(driver_reader(13000), arch("sm_100"), 91).ok());
  CHECK(check_reader(driver_reader(13010), arch("sm_100"), 91).ok()); // newer than the table
  Error of_driver = check_reader(old_driver, arch("sm_90"), 85).take_error();
  CHECK(message(of_driver) ==
        "the code for sm_90 is PTX ISA 8.5, and the driver for CUDA 12.2 reads PTX ISA up to 8.2");
  CHECK(hint(of_driver) ==
        R"(lower it with "ptx-isa": "8.2", or install a driver for CUDA 12.5 (555.42.02) or newer)");
  const PtxReader both[] = {ptxas, old_driver};
  Error none = none_reads(both, arch("sm_90"), 85);
  CHECK(message(none) ==
        "the code for sm_90 is PTX ISA 8.5, and ptxas 12.4.131 reads PTX ISA up to 8.4, and the "
        "driver for CUDA 12.2 reads PTX ISA up to 8.2");
  CHECK_THAT(hint(none), Contains(R"(lower it with "ptx-isa": "8.4")") &&
                             Contains("install the CUDA toolkit 12.5") &&
                             Contains("or install a driver for CUDA 12.5 (555.42.02)"));
}

TEST_CASE("a PTX text tells its version and target") {
  const PtxHeader header = ptx_header("//\n// Generated by LLVM NVPTX Back-End\n//\n\n.version 8.8\n"
                                      ".target sm_100f, debug\n.address_size 64\n");
  CHECK(header.isa == 88);
  CHECK(header.arch == arch("sm_100f"));
  CHECK(ptx_header("no PTX").isa == 0);
  CHECK(ptx_header(".version 8").isa == 0);
  CHECK(ptx_header("").arch == GpuArch{});
}
