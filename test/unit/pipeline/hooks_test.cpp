// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a target's hooks a job meets, by its config; and what an observer sees of one that a store held.
#include "toy.h"

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::test;

namespace {

class CountingTarget final : public Target {
public:
  std::string_view name() const override { return "counting"; }
  std::string_view version() const override { return "1"; }
  Result<TargetSpec> check(TargetSpec spec) const override { return spec; }
  TargetCapabilities capabilities(const TargetSpec &spec) const override { return ptx().capabilities(spec); }
  std::string triple(const TargetSpec &spec) const override { return ptx().triple(spec); }
  std::string cpu(const TargetSpec &spec) const override { return ptx().cpu(spec); }
  std::string features(const TargetSpec &spec) const override { return ptx().features(spec); }
  std::string data_layout(const TargetSpec &spec) const override { return ptx().data_layout(spec); }
  Result<void> finish_module(const CompilerConfig &config, llvm::Module &module,
                             llvm::Function &entry) const override {
    return ptx().finish_module(config, module, entry);
  }
  bool is_intrinsic(std::string_view function) const override { return ptx().is_intrinsic(function); }
  Result<void> optimize_module(const CompilerConfig &, llvm::Module &, llvm::TargetMachine &) const override {
    return optimized++, Result<void>();
  }
  Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &) const override {
    return linked++, Result<void>();
  }
  Result<void> finish_ir(const CompilerConfig &, llvm::Module &) const override {
    return finished++, Result<void>();
  }
  mutable int optimized = 0, linked = 0, finished = 0;

private:
  static const Target &ptx() { return find_target(PtxOptions()); }
};

struct Noting final : Observer {
  bool wants(const CompilerJob &, ArtifactKind) override { return true; }
  Result<void> product(const CompilerJob &, ArtifactKind kind, std::string_view) override {
    seen.push_back(kind);
    return {};
  }
  std::vector<ArtifactKind> seen;
};

} // namespace

TEST_CASE("optimize_module is the middle-end's: without optimize it does not run, and the other hooks do") {
  Toy toy;
  StoreFrontend frontend;
  REQUIRE(frontend.load(toy.world, *toy.world.main(), toy.sources.add("toy.store", "put: p v\n")).ok());
  CountingTarget target;
  auto job = toy.job("put", toy.types.builtins().Float32, 1);
  REQUIRE(job.ok());
  REQUIRE(toy.compiler.compile(*job, target, ArtifactKind::Assembly).ok());
  CHECK(target.optimized == 1);
  job->config.optimize = false;
  REQUIRE(toy.compiler.compile(*job, target, ArtifactKind::Assembly).ok());
  CHECK(target.optimized == 1);
  CHECK(target.linked == 2);
  CHECK(target.finished == 2);
}

TEST_CASE("an observer leaves the store in use, and sees what the store held") {
  auto store = std::make_shared<MemoryStore>();
  using Kinds = std::vector<ArtifactKind>;
  const Kinds all{ArtifactKind::Lowered, ArtifactKind::Typed, ArtifactKind::Llvm, ArtifactKind::LlvmOpt,
                  ArtifactKind::Assembly};
  for (int round = 0; round < 2; round++) {
    Toy toy;
    StoreFrontend frontend;
    REQUIRE(frontend.load(toy.world, *toy.world.main(), toy.sources.add("toy.store", "put: p v\n")).ok());
    PersistentCache persistent(store, nullptr, nullptr, false);
    EdgeCache edges(persistent);
    Noting noting;
    toy.objects.set_persistent(&persistent);
    toy.compiler.persistent = &persistent;
    toy.compiler.edges = &edges;
    toy.compiler.observer = &noting;
    auto job = toy.job("put", toy.types.builtins().Float32, 1);
    REQUIRE(job.ok());
    for (int again = 0; again < 2; again++)
      REQUIRE(toy.compiler.compile(*job, find_target(PtxOptions()), ArtifactKind::Assembly).ok());
    persistent.flush();
    CHECK(toy.objects.counters().misses == (round == 0 ? 1 : 0));
    CHECK(noting.seen == (round == 0 ? all : Kinds{ArtifactKind::Assembly}));
  }
}
