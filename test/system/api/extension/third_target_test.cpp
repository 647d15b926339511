// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The seam for targets, with one that lies outside Kiln's tree.
#include "dialect_target.h"
#include "must.h"
#include "scratch.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>
#include <precompile/precompile.h>
#include <session/session.h>

#include <fstream>

namespace third_target_test {

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::DialectOptions;
using kiln::test::DialectTarget;
using kiln::test::must;

namespace {

/// The dialect without a place for an exception's record: kernels get no state, and a function of the target
/// reports exceptions, or nothing does.
class StatelessTarget final : public DialectTarget {
public:
  explicit StatelessTarget(bool can_throw)
      : DialectTarget(can_throw ? "throws" : "traps"), can_throw_(can_throw) {}
  TargetCapabilities capabilities(const TargetSpec &spec) const override {
    TargetCapabilities all = DialectTarget::capabilities(spec);
    all.kernel_state = KernelStateType::None;
    all.can_throw = can_throw_;
    return all;
  }
  std::string runtime_module(const CompilerConfig &) const override {
    return R"(
@mailbox = internal addrspace(1) global i32 4242
define void @kiln_report_exception(i32 %kind, ptr %name, ptr %location) noreturn {
  store volatile i32 %kind, ptr addrspace(1) @mailbox
  %first = load volatile i8, ptr %name
  call void @llvm.trap()
  unreachable
}
define i32 @not_called() {
  ret i32 987654
}
declare void @llvm.trap()
)";
  }

private:
  bool can_throw_;
};

std::unique_ptr<Session> open(const DialectTarget &target, const std::string &folder = {}) {
  SessionOptions options;
  options.cache_dir = folder;
  options.verbosity = LogLevel::Error;
  options.targets = {&target};
  auto session = must(Session::open(options));
  must(session->load(
      "kernel.jl",
      "using CUDA\nfunction kernel(y)\n  @inbounds y[threadIdx().x + 1] = CUDA.laneid() + Int32(CUDA.clock(UInt32))\n  return\nend\n"));
  return session;
}

CompilerConfig config_of(TargetSpec target) {
  CompilerConfig config;
  config.target = std::move(target);
  return config;
}

constexpr const char *call = "kernel(CuDeviceVector{Int32,1})";

std::string assembly(Session &session, const TargetSpec &target) {
  return must(session.compile(call, config_of(target), ArtifactKind::Assembly))->bytes;
}

} // namespace

TEST_CASE("a third target compiles with its own triple, overlay and rewrite") {
  DialectTarget target;
  auto session = open(target);
  const std::string text = assembly(*session, DialectOptions());
  CHECK_THAT(text, Catch::StartsWith("// dialect 1\n") && Contains(".target sm_80") && Contains("%tid.x"));
  CHECK_THAT(text, Contains("4788") && !Contains("%clock")); // 77 + 4711
  CHECK_THAT(must(session->compile(call, config_of(DialectOptions()), ArtifactKind::Llvm))->bytes,
             Contains("nvptx64-nvidia-nvcl"));
  CHECK_THAT(assembly(*session, DialectOptions{90}), Contains(".target sm_90"));
  CHECK_THAT(assembly(*session, PtxOptions()), Contains("%clock") && !Contains("dialect"));
}

TEST_CASE("what a third target refuses is a Usage error, and so is a name that is taken") {
  DialectTarget target, twin("2");
  auto session = open(target);
  auto bad = session->compile(call, config_of(DialectOptions{70}), ArtifactKind::Assembly);
  REQUIRE(!bad.ok());
  CHECK(bad.error().kind() == ErrorKind::Usage);
  auto object = session->compile(call, config_of(DialectOptions()), ArtifactKind::Object);
  REQUIRE(!object.ok());
  CHECK_THAT(object.error().what(), Contains("the dialect target has no object files"));
  auto launched = session->prepare(call, config_of(DialectOptions()));
  REQUIRE(!launched.ok());
  CHECK(launched.error().kind() == ErrorKind::Usage);
  SessionOptions twice;
  twice.targets = {&target, &twin};
  auto two = Session::open(twice);
  REQUIRE(!two.ok());
  CHECK(two.error().kind() == ErrorKind::Usage);
}

TEST_CASE("targets never get each other's code, in memory or from the folder") {
  test::Scratch scratch;
  DialectTarget first("1"), second("2");
  std::string texts[3];
  for (int turn = 0; turn < 2; turn++) {
    const DialectTarget *versions[] = {&first, &second};
    for (int version = 0; version < 2; version++) {
      auto session = open(*versions[version], scratch.path.string());
      const std::string own = assembly(*session, DialectOptions()), ptx = assembly(*session, PtxOptions());
      CHECK_THAT(own, Catch::StartsWith(version ? "// dialect 2\n" : "// dialect 1\n"));
      CHECK_THAT(ptx, !Contains("dialect"));
      if (turn == 0) {
        texts[version] = own;
        if (version == 0) texts[2] = ptx;
      }
      CHECK(own == texts[version]);
      CHECK(ptx == texts[2]);
      CHECK(session->counters().compiled == (turn      ? 0u
                                             : version ? 1u
                                                       : 2u)); // ptx's is shared by both sessions
      session->flush_cache();
    }
  }
}

TEST_CASE("a trace with a third target's jobs is read, precompiled and verified") {
  test::Scratch scratch;
  DialectTarget target;
  const std::string source = (scratch.path / "kernel.jl").string(), trace = (scratch.path / "trace").string();
  std::ofstream(source) << "using CUDA\nfunction kernel(y)\n  @inbounds y[1] = 7\n  return\nend\n";
  auto compiled = [&](const std::string &trace_jobs) { // by a program that loads the file and wants two jobs
    SessionOptions options;
    options.cache_dir = (scratch.path / "cache").string();
    options.trace_jobs = trace_jobs;
    options.targets = {&target};
    auto session = must(Session::open(options));
    must(session->load_file(source));
    for (const TargetSpec &spec : {TargetSpec(DialectOptions{90}), TargetSpec(PtxOptions{.sm = 80})})
      must(session->compile(call, config_of(spec), ArtifactKind::Assembly));
    return session->counters().compiled;
  };
  CHECK(compiled(trace) == 2);
  std::filesystem::remove_all(scratch.path / "cache");

  // Who does not name the target is told what is missing, and gets the others' jobs.
  PrecompileList without = must(read_job_trace(trace));
  CHECK(without.jobs.size() == 1);
  REQUIRE(without.warnings.size() == 1);
  CHECK_THAT(without.warnings[0], Contains("there is no target dialect"));

  const Target *targets[] = {&target};
  PrecompileList list = must(read_job_trace(trace, targets));
  CHECK(list.warnings.empty());
  REQUIRE(list.jobs.size() == 2);
  CHECK(list.jobs[0].config.target == TargetSpec(DialectOptions{90}));
  CHECK(list.jobs[0].product == ArtifactKind::Assembly);

  PrecompileOptions options;
  options.session.cache_dir = (scratch.path / "cache").string();
  options.session.targets = {&target};
  options.threads = 1;
  PrecompileReport report = must(precompile(std::span(list.jobs).first(1), options));
  CHECK(report.failures.empty());
  CHECK(report.made == 1);
  CHECK(compiled("") == 1); // ptx's alone

  auto folder = open_folder(options.session, [](const std::string &warning) { FAIL(warning); });
  VerifyReport right = must(verify_jobs(*folder, std::span(list.jobs).first(1), options.session, 10));
  CHECK(right.checked == 1);
  CHECK(right.wrong.empty());
  const Target *twice[] = {&target, &target};
  CHECK(read_job_trace(trace, twice).error().kind() == ErrorKind::Usage);
}

TEST_CASE("a target without a kernel state reports exceptions by its own runtime, or traps") {
  for (bool can_throw : {true, false}) {
    StatelessTarget target(can_throw);
    auto session = open(target);
    must(session->load("checked.jl", "function checked(y, i)\n  y[i] = 1\n  return\nend\n"));
    const std::string text = must(session->compile("checked(CuDeviceVector{Int32,1}, Int64)",
                                                   config_of(DialectOptions()), ArtifactKind::Assembly))
                                 ->bytes;
    CHECK_THAT(text, Contains("_param_1") && !Contains("_param_2")); // the arguments alone
    CHECK_THAT(text, Contains("trap;") && !Contains("987654"));
    if (can_throw)
      CHECK_THAT(text, Contains("mailbox") && Contains("4242") &&
                           Contains("66, 111, 117, 110, 100, 115")); // "Bounds"
    else
      CHECK_THAT(text, !Contains("mailbox") && !Contains("66, 111, 117, 110, 100, 115"));
  }
}

} // namespace third_target_test
