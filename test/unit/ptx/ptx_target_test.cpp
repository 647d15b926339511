// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the ptx target knows of GPUs: limits and values of the PTX ISA 9.0 manual and of nvcc's.
#include "ptx_fixture.h"
#include "scratch.h"

#include <fstream>

namespace {

const TargetSpec &spec(int sm, int isa = 0, bool specific = false, bool family = false) {
  static std::vector<std::unique_ptr<TargetSpec>> kept;
  auto checked = ptx_target().check(
      PtxOptions{.sm = sm, .arch_specific = specific, .family_specific = family, .ptx_isa = isa});
  if (!checked.ok()) FAIL(checked.error().what());
  return *kept.emplace_back(std::make_unique<TargetSpec>(std::move(*checked)));
}
CompilerConfig config_of(int sm, int isa = 0, bool specific = false, bool family = false) {
  CompilerConfig config;
  config.target = spec(sm, isa, specific, family);
  return config;
}

/// The error's text; "" where the text compiles.
std::string fault(const CompilerConfig &config, const std::string &text) {
  WorkerPool pool;
  auto worker = pool.acquire();
  auto made = flow::compile(*worker, config, text, ArtifactKind::Assembly);
  return made.ok() ? std::string() : made.error().what();
}

std::string kernel_of_bytes(int bytes) {
  return "define void @k(ptr byval([" + std::to_string(bytes) +
         " x i8]) align 4 %p) \"kiln.entry\" \"kiln.kernel\" {\n  ret void\n}\n";
}
std::string kernel_of_shared_bytes(int bytes) {
  return "@s = internal addrspace(3) global [" + std::to_string(bytes) +
         " x i8] undef, align 4\ndefine void @k(i32 %i) \"kiln.entry\" \"kiln.kernel\" {\n"
         "  %p = getelementptr i8, ptr addrspace(3) @s, i32 %i\n  store volatile i8 1, ptr addrspace(3) %p\n  ret void\n}\n";
}

/// What __nvvm_reflect answers.
int64_t reflected(const CompilerConfig &config, const std::string &question) {
  const std::string text = ptx(
      ("@q = private addrspace(1) constant [" + std::to_string(question.size() + 1) + " x i8] c\"" +
       question + "\\00\"\n" +
       "declare i32 @__nvvm_reflect(ptr)\ndefine void @k(ptr addrspace(1) %p) \"kiln.entry\" \"kiln.kernel\" {\n"
       "  %v = call i32 @__nvvm_reflect(ptr addrspacecast (ptr addrspace(1) @q to ptr))\n"
       "  store i32 %v, ptr addrspace(1) %p\n  ret void\n}\n")
          .c_str(),
      config);
  const size_t at = text.find("st.global.b32");
  REQUIRE(at != std::string::npos);
  const size_t comma = text.find(',', at);
  INFO(text.substr(at, 60));
  return std::strtoll(text.c_str() + comma + 1, nullptr, 10);
}

struct Variable {
  Variable(const char *name, const std::string &value) : name_(name) {
    if (const char *had = std::getenv(name)) before_ = had;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  const char *name_;
  std::optional<std::string> before_;
};

} // namespace

TEST_CASE("a kernel's parameters have 4352 bytes, and 32764 on sm_70 from PTX ISA 8.1 on") {
  constexpr int state = 8; // of Kiln, the first parameter
  CHECK(fault(config_of(61), kernel_of_bytes(4352 - state)) == "");
  CHECK_THAT(fault(config_of(61), kernel_of_bytes(4352 - state + 1)),
             Contains("parameters of the kernel take 4353 bytes") && Contains("sm_61") &&
                 Contains("space for 4352"));
  CHECK_THAT(fault(config_of(70, 80), kernel_of_bytes(4352)), Contains("PTX ISA 8.0"));
  CHECK(fault(config_of(70, 81), kernel_of_bytes(32764 - state)) == "");
  CHECK_THAT(fault(config_of(90), kernel_of_bytes(32764)), Contains("space for 32764"));
}

TEST_CASE("a block's static shared memory has 48 KiB") {
  CHECK(fault(config_of(90), kernel_of_shared_bytes(48 * 1024)) == "");
  CHECK_THAT(fault(config_of(90), kernel_of_shared_bytes(48 * 1024 + 1)),
             Contains("49153 bytes") && Contains("dynamic shared memory"));
}

TEST_CASE("the macros of nvcc are answered for each architecture") {
  CHECK(reflected(config_of(70), "__CUDA_ARCH") == 700);
  CHECK(reflected(config_of(103), "__CUDA_ARCH") == 1030);
  CHECK(reflected(config_of(90, 0, true), "__CUDA_ARCH") == 900);
  CHECK(reflected(config_of(90), "__CUDA_ARCH_SPECIFIC__") == 0);
  CHECK(reflected(config_of(90, 0, true), "__CUDA_ARCH_SPECIFIC__") == 900);
  CHECK(reflected(config_of(90, 0, true), "__CUDA_ARCH_FEAT_SM90_ALL") == 1);
  CHECK(reflected(config_of(90), "__CUDA_ARCH_FEAT_SM90_ALL") == 0);
  CHECK(reflected(config_of(100, 0, true), "__CUDA_ARCH_FEAT_SM90_ALL") == 0);
  CHECK(reflected(config_of(100, 0, false, true), "__CUDA_ARCH_FAMILY_SPECIFIC__") == 1000);
  CHECK(reflected(config_of(100, 0, false, true), "__CUDA_ARCH_SPECIFIC__") == 0);
  CHECK(reflected(config_of(100, 0, true), "__CUDA_ARCH_FAMILY_SPECIFIC__") == 1000);
  CHECK(reflected(config_of(90), "__CUDA_PREC_SQRT") == 1);
  CHECK(reflected(config_of(90), "__CUDA_FTZ") == 0);
  CompilerConfig fast = config_of(90);
  fast.target.fast_math = true;
  CHECK(reflected(fast, "__CUDA_PREC_DIV") == 0);
  CHECK(reflected(fast, "__CUDA_FTZ") == 1);
  CHECK(reflected(config_of(90), "__NO_SUCH_QUESTION") == 0);
}

TEST_CASE("functions that every CUDA program has, and intrinsics with an instruction") {
  for (const char *name : {"vprintf", "malloc", "free", "__assertfail", "llvm.nvvm.read.ptx.sreg.tid.x",
                           "llvm.sqrt.f32", "llvm.fma.f64", "llvm.memcpy.p0.p0.i64"}) {
    INFO(name);
    CHECK(ptx_target().is_intrinsic(name));
  }
  for (const char *name : {"", "printf", "sin", "memcpy", "__nv_sinf", "llvm.sin.f32", "llvm.pow.f64",
                           "llvm.x86.sse2.pause", "llvm.lround.i64.f32", "kiln_native_throw"}) {
    INFO(name);
    CHECK(!ptx_target().is_intrinsic(name));
  }
}

TEST_CASE("operations that no GPU has are errors with their names") {
  const auto body = [](const std::string &lines) {
    return "define void @k(ptr addrspace(1) %p, i128 %w, double %d) \"kiln.entry\" \"kiln.kernel\" {\n" +
           lines + "  ret void\n}\n";
  };
  CHECK_THAT(
      fault(config_of(90), body("  %f = sitofp i128 %w to double\n  store double %f, ptr addrspace(1) %p\n")),
      Contains("sitofp from 128 to 64 bits"));
  CHECK_THAT(
      fault(config_of(90), body("  %i = fptoui double %d to i128\n  store i128 %i, ptr addrspace(1) %p\n")),
      Contains("fptoui from 64 to 128 bits"));
  CHECK_THAT(fault(config_of(90), body("  %o = atomicrmw add ptr addrspace(1) %p, i128 %w seq_cst\n")),
             Contains("atomicrmw of 128 bits"));
  CHECK_THAT(
      fault(
          config_of(90),
          body(
              "  %x = fpext double %d to fp128\n  %y = fadd fp128 %x, %x\n  %z = fptrunc fp128 %y to double\n  store double %z, ptr addrspace(1) %p\n")),
      Contains("floats of 128 bits"));
  CHECK(fault(config_of(90), body("  %m = mul i128 %w, %w\n  store i128 %m, ptr addrspace(1) %p\n")) ==
        ""); // by instructions of 64 bits
}

TEST_CASE("minima that keep NaN came with sm_80") { // PTX ISA, min: .NaN: PTX ISA 7.0, sm_80
  CHECK(!ptx_target().capabilities(spec(75)).nan_minmax);
  CHECK(ptx_target().capabilities(spec(80, 70)).nan_minmax);
  CHECK(ptx_target().capabilities(spec(120)).nan_minmax);
  CHECK(!ptx_target().capabilities(spec(90)).runs_on_host);
  CHECK(ptx_target().capabilities(spec(90)).makes_cubins);
}

TEST_CASE("names of source files keep the assembler from reading these files") {
  // PTX ISA, .file: index, name in quotation marks, and then timestamp and size.
  const auto finished = [](std::string text) {
    auto done = ptx_target().finish_assembly({}, std::move(text));
    REQUIRE(done.ok());
    return *done;
  };
  CHECK(finished("\t.file\t1 \"/tmp/a.jl\"\n\t.file\t2 \"b.jl\"") ==
        "\t.file\t1 \"/tmp/a.jl\", 1, 0\n\t.file\t2 \"b.jl\", 1, 0");
  CHECK(finished("\t.file\t1 \"a.jl\", 5, 6\n") == "\t.file\t1 \"a.jl\", 5, 6\n"); // has both
  CHECK(finished("\t.file\t1 \"say \\\"a\\\".jl\"\n") == "\t.file\t1 \"say ''a''.jl\", 1, 0\n");
  CHECK(finished("ret;\n") == "ret;\n");
}

TEST_CASE("what an assembler says of a kernel, where others are in the same text") {
  const std::string log =
      "ptxas info    : 12 bytes gmem\n"
      "ptxas info    : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info    : Function properties for k\n"
      "    32 bytes stack frame, 4 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 24 registers, used 1 barriers, 256 bytes smem, 400 bytes cmem[0]\n"
      "ptxas info    : Function properties for helper\n"
      "    16 bytes stack frame, 2 bytes spill stores, 6 bytes spill loads\n"
      "ptxas info    : Compiling entry function 'k2' for 'sm_90'\n"
      "ptxas info    : Function properties for k2\n"
      "    64 bytes stack frame, 8 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 255 registers, used 3 barriers, 64 bytes cumulative stack size, 1024 bytes smem, 528 bytes cmem[0]\n";
  const std::vector<std::string> own{"k", "helper"};
  const KernelResources k = kernel_resources_from(log, "k", own);
  CHECK(k.registers == 24);
  CHECK(k.barriers == 1);
  CHECK(k.shared_bytes == 256);
  CHECK(k.stack_bytes == 32);
  CHECK(k.spill_store_bytes == 4 + 2);
  CHECK(k.spill_load_bytes == 0 + 6);
  const KernelResources k2 = kernel_resources_from(log, "k2", std::vector<std::string>{"k2"});
  CHECK(k2.registers == 255);
  CHECK(k2.barriers == 3);
  CHECK(k2.shared_bytes == 1024);
  CHECK(k2.spill_load_bytes == 16);
  CHECK(kernel_resources_from(log, "k", {}).spill_store_bytes == 4 + 2 + 8); // all that the text holds
  CHECK(kernel_resources_from(log, "none", own).registers == 0);
  CHECK(kernel_resources_from("", "k", {}).registers == 0);
  CHECK(kernel_resources_from("ptxas info : Used 30 registers", "k", {}).registers == 0); // of nobody's
}

TEST_CASE("an assembler's complaints have the source lines of their PTX lines") {
  SourceMap sources;
  const auto file = sources.add("dü.jl", "one\ntwo\nthree\n");
  const std::string ptx =
      ".visible .entry k()\n{\n\t.loc\t1 2 5\n\tmvo.u32 %r1, 1;\n\tret;\n}\n\tbad;\n\t.file\t1 \"d\\303\\274.jl\"\n";
  const Error two =
      assembler_error("ptxas k.ptx, line 4; error   : Not a name of any known instruction: 'mvo'\n"
                      "ptxas k.ptx, line 7; error   : Parsing error near 'bad': syntax error\n"
                      "ptxas fatal   : Ptx assembly aborted due to errors\n",
                      ptx, "ptxas", sources);
  REQUIRE(two.diagnostics().size() == 2);
  CHECK(two.diagnostics()[0].code == ErrorCode::AssemblerError);
  CHECK_THAT(two.diagnostics()[0].message,
             Contains("Not a name of any known instruction: 'mvo' (ptxas, line 4 of the PTX)"));
  CHECK(two.diagnostics()[0].at.line() == 2);
  CHECK(two.diagnostics()[0].at.file_name() == "dü.jl");
  CHECK(!two.diagnostics()[1].at); // behind the function's end
  const Error fatal = assembler_error("ptxas fatal   : Value 'sm_999' is not defined for option 'gpu-name'\n",
                                      ptx, "ptxas", sources);
  REQUIRE(fatal.diagnostics().size() == 1);
  CHECK_THAT(fatal.diagnostics()[0].message, Contains("sm_999"));
  CHECK_THAT(assembler_error("", "", "nvJitLink", sources).what(), Contains("nvJitLink"));
}

TEST_CASE("KILN_CUDA_HOME is looked in, and nothing of the machine's") {
  const kiln::test::Scratch scratch;
  const std::filesystem::path &folder = scratch.path;
  std::filesystem::create_directories(folder / "nvvm/libdevice");
  std::filesystem::create_directories(folder / "bin");
  Variable home("KILN_CUDA_HOME", folder.string());
  CHECK(find_ptxas().path.empty());
  CHECK_THAT(find_ptxas().looked_in, Contains(folder.string()));
  CHECK(find_libdevice().path.empty());
  const auto write = [&](const char *name, const char *text) { std::ofstream(folder / name) << text; };
  write("nvvm/libdevice/libdevice.10.bc", "first");
  write("bin/ptxas", "");
  CHECK(find_ptxas().path == (folder / "bin/ptxas").string());
  CHECK(find_ptxas().source == "KILN_CUDA_HOME");
  CHECK(find_libdevice().path == (folder / "nvvm/libdevice/libdevice.10.bc").string());
  const auto first = libdevice_digest();
  write("nvvm/libdevice/libdevice.10.bc", "other");
  const auto second = libdevice_digest();
  REQUIRE((first.ok() && second.ok()));
  CHECK(!first->empty());
  CHECK(*first != *second);
  auto sass = disassemble_cubin("no cubin");
  REQUIRE(!sass.ok());
  CHECK(sass.error().kind() == ErrorKind::Machine);
  CHECK(constant_bank_bytes("no cubin", "k") == 0);
}
