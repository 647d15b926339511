// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of an embedder's target throw is an error of the call that needed them; it names the
// target, and the session compiles the same job once they no longer throw.
#include "dialect_target.h"
#include "must.h"

#include <catch2/catch.hpp>
#include <kiln/kiln.h>

#include <set>
#include <stdexcept>

using namespace kiln;
using Catch::Matchers::Contains;
using kiln::test::DialectOptions;
using kiln::test::DialectTarget;
using kiln::test::must;

namespace {

struct PoorAssembler final : Assembler {
  explicit PoorAssembler(const std::string &thrower) : thrower(thrower) {}
  const std::string &identity() const override {
    static const std::string name = "poor 1";
    if (thrower == "identity") throw std::runtime_error("not identity today");
    return name;
  }
  const std::string &path() const override { return identity(); }
  Result<AssembledObject> assemble(const CompilerConfig &, const std::string &, std::string_view text,
                                   const SourceMap &) const override {
    if (thrower == "assemble") throw std::runtime_error("not assemble today");
    return AssembledObject{"object of " + std::to_string(text.size()), {}};
  }
  const std::string &thrower;
};

/// Throws in the function whose name is in `thrower`, once it was called `patience` times, and notes which
/// were called.
class Thrower final : public DialectTarget {
public:
  std::string thrower;
  mutable int patience = 0;
  mutable std::set<std::string> called;

#define CHECKED(NAME, ...)                                                                                   \
  check_thrower(#NAME);                                                                                      \
  return DialectTarget::NAME(__VA_ARGS__)

  std::string_view name() const override { CHECKED(name); }
  std::string_view version() const override { CHECKED(version); }
  Result<TargetSpec> check(TargetSpec spec) const override { CHECKED(check, spec); }
  Result<TargetSpec> read_spec(const TargetOptionReader &read) const override { CHECKED(read_spec, read); }
  std::string triple(const TargetSpec &spec) const override { CHECKED(triple, spec); }
  std::string cpu(const TargetSpec &spec) const override { CHECKED(cpu, spec); }
  std::string features(const TargetSpec &spec) const override { CHECKED(features, spec); }
  std::string data_layout(const TargetSpec &spec) const override { CHECKED(data_layout, spec); }
  unsigned dwarf_version() const override { CHECKED(dwarf_version); }
  TargetCapabilities capabilities(const TargetSpec &spec) const override {
    check_thrower("capabilities");
    TargetCapabilities all = DialectTarget::capabilities(spec);
    all.makes_cubins = true;
    return all;
  }
  std::string_view overlay() const override { CHECKED(overlay); }
  std::vector<EmbeddedSource> overlay_sources() const override { CHECKED(overlay_sources); }
  void initialize_llvm() const override { CHECKED(initialize_llvm); }
  Result<void> prepare_job(const CompilerConfig &c) const override { CHECKED(prepare_job, c); }
  Result<void> finish_module(const CompilerConfig &c, llvm::Module &m, llvm::Function &entry) const override {
    CHECKED(finish_module, c, m, entry);
  }
  std::vector<Rewrite> rewrites(RewritePhase phase) const override { CHECKED(rewrites, phase); }
  std::string runtime_module(const CompilerConfig &c) const override { CHECKED(runtime_module, c); }
  Result<void> link_libraries(const CompilerConfig &c, llvm::Module &m, Worker &w) const override {
    CHECKED(link_libraries, c, m, w);
  }
  bool calls_library(const llvm::Module &m) const override {
    check_thrower("calls_library");
    return true;
  }
  std::string library_digest() const override { CHECKED(library_digest); }
  Result<void> finish_linked_module(const CompilerConfig &c, llvm::Module &m) const override {
    CHECKED(finish_linked_module, c, m);
  }
  Result<void> optimize_module(const CompilerConfig &c, llvm::Module &m,
                               llvm::TargetMachine &t) const override {
    CHECKED(optimize_module, c, m, t);
  }
  Result<void> finish_ir(const CompilerConfig &c, llvm::Module &m) const override {
    CHECKED(finish_ir, c, m);
  }
  Result<Coarsening> coarsen(const CompilerConfig &c, llvm::Module &m, std::string &why_not) const override {
    CHECKED(coarsen, c, m, why_not);
  }
  bool is_intrinsic(std::string_view function) const override { CHECKED(is_intrinsic, function); }
  bool needs_cooperative_launch(const llvm::Module &m) const override {
    CHECKED(needs_cooperative_launch, m);
  }
  Result<void> validate_ir(const CompilerConfig &c, const llvm::Module &m) const override {
    CHECKED(validate_ir, c, m);
  }
  Result<std::unique_ptr<Assembler>> make_assembler() const override {
    check_thrower("make_assembler");
    return std::unique_ptr<Assembler>(std::make_unique<PoorAssembler>(thrower));
  }
  std::vector<std::string> assembler_files() const override { CHECKED(assembler_files); }
  Result<std::string> finish_assembly(const CompilerConfig &c, std::string text) const override {
    CHECKED(finish_assembly, c, text);
  }

private:
  void check_thrower(const char *function) const {
    called.insert(function);
    if (thrower == function && patience-- <= 0)
      throw std::runtime_error("not " + std::string(function) + " today");
  }
};

Result<std::unique_ptr<Session>> open(const Thrower &target) {
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.targets = {&target};
  auto session = Session::open(options);
  if (session.ok())
    must((*session)->load("kernel.jl", "using CUDA\n"
                                       "kernel(y) = (@inbounds y[threadIdx().x] = CUDA.laneid(); return)\n"));
  return session;
}

Result<std::shared_ptr<const Artifact>> compile(Session &session, ArtifactKind kind) {
  CompilerConfig config;
  config.target = DialectOptions();
  return session.compile("kernel(CuDeviceVector{Int32,1})", config, kind);
}

} // namespace

TEST_CASE("what a target throws while a session opens is the error of opening it") {
  for (const char *function : {"name", "overlay", "overlay_sources"}) {
    Thrower target;
    target.thrower = function;
    auto opened = open(target);
    INFO(function);
    REQUIRE_FALSE(opened.ok());
    CHECK(opened.error().kind() == ErrorKind::Usage);
    CHECK_THAT(opened.error().what(), Contains("threw an exception: not " + target.thrower + " today"));
  }
}

TEST_CASE("what a target throws is the error of the compile that asked it, and the next one works") {
  const char *of_text[] = {"version",         "check",
                           "triple",          "cpu",
                           "features",        "data_layout",
                           "dwarf_version",   "capabilities",
                           "overlay",         "initialize_llvm",
                           "prepare_job",     "finish_module",
                           "rewrites",        "runtime_module",
                           "link_libraries",  "calls_library",
                           "library_digest",  "finish_linked_module",
                           "optimize_module", "finish_ir",
                           "is_intrinsic",    "needs_cooperative_launch",
                           "validate_ir",     "finish_assembly",
                           "coarsen"};
  const char *of_cubins[] = {"assembler_files", "make_assembler", "identity", "assemble"};
  auto fails_once = [](const char *function, ArtifactKind kind) {
    Thrower target;
    auto session = must(open(target));
    target.called.clear();
    target.thrower = function;
    auto failed = compile(*session, kind);
    INFO(function);
    REQUIRE_FALSE(failed.ok());
    CHECK(failed.error().kind() == ErrorKind::Usage);
    CHECK_THAT(failed.error().what(),
               Contains("the target dialect threw an exception: not " + target.thrower + " today"));
    target.thrower.clear();
    CHECK(must(compile(*session, kind))->bytes.size() > 10);
  };
  for (const char *function : of_text) fails_once(function, ArtifactKind::Assembly);
  for (const char *function : of_cubins) fails_once(function, ArtifactKind::Cubin);
}

TEST_CASE("what a target throws while a worker is warmed up is left for the first job to tell") {
  Thrower target;
  target.thrower = "capabilities";
  SessionOptions options;
  options.cache_dir = "";
  options.verbosity = LogLevel::Error;
  options.targets = {&target};
  options.warm_up.emplace();
  options.warm_up->target = DialectOptions();
  CHECK_THAT(Session::open(options).error().what(),
             Contains("not capabilities today")); // the options are checked
  target.thrower = "triple";
  auto session = must(Session::open(options));
  must(session->load("kernel.jl", "kernel(y) = nothing\n"));
  CHECK_THAT(compile(*session, ArtifactKind::Assembly).error().what(), Contains("not triple today"));
}

TEST_CASE("what a target throws late is the error of the held job that asked it") {
  Thrower target;
  auto session = must(open(target));
  CompilerConfig config;
  config.target = DialectOptions();
  constexpr const char *call = "kernel(CuDeviceVector{Int32,1})";
  // Each time one call later, until nothing is asked any more.
  auto throws_at_each = [&](auto &&act) {
    int thrown = 0;
    for (;; thrown++) {
      target.thrower = "overlay";
      target.patience = thrown;
      auto done = act();
      target.thrower.clear();
      if (done.ok()) return thrown;
      INFO(thrown);
      CHECK(done.error().kind() == ErrorKind::Usage);
      CHECK_THAT(done.error().what(), Contains("the target dialect threw an exception: not overlay today"));
      REQUIRE(thrown < 100);
    }
  };
  CHECK(throws_at_each([&] { return session->job(call, config); }) >= 2); // resolved, then held
  Job job = must(session->job(call, config));
  CHECK(throws_at_each([&] { return job.return_type(); }) >= 1);
  CHECK(throws_at_each([&] { return job.compile(ArtifactKind::Typed); }) >= 1);
  must(session->load("kernel.jl", "kernel(y) = (@inbounds y[1] = 1; return)\n"));
  CHECK(throws_at_each([&] { return job.renew(); }) >= 2);
  job = must(job.renew());
  // Where a definition asks whether a job still holds, one whose target throws does not.
  target.thrower = "overlay";
  must(session->load("kernel.jl", "kernel(y) = (@inbounds y[1] = 2; return)\n"));
  target.thrower.clear();
  CHECK_FALSE(job.is_current());
  {
    const JobScope scope = session->collect_jobs();
    throws_at_each([&] { return session->compile(call, config, ArtifactKind::Typed); });
    CHECK(scope.jobs().size() == 1);
  }
}
