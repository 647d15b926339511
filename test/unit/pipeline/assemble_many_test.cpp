// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Merged cubins: what lies under a kernel's own key never depends on which others it was assembled with, and
// what was merged is loaded by later processes without a compile. The assembler is one of the test's, whose
// products name what they were made of.
#include "must.h"
#include "scratch.h"
#include "signing_target.h"
#include "toy.h"

#include <algorithm>
#include <random>

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr int kernel_count = 20;

std::string name_of(int kernel) { return fmt::format("kernel{}", kernel); }

struct Process : Toy {
  std::shared_ptr<FolderStore> folder;
  std::unique_ptr<PersistentCache> persistent;
  std::unique_ptr<EdgeCache> edges;
  StoreFrontend frontend;

  explicit Process(const std::string &path, bool check = false) {
    if (!path.empty()) {
      folder = std::make_shared<FolderStore>(FolderOptions{.path = path});
      persistent = std::make_unique<PersistentCache>(folder, folder, nullptr, check);
      edges = std::make_unique<EdgeCache>(*persistent);
      objects.set_persistent(persistent.get());
      compiler.persistent = persistent.get();
      compiler.edges = edges.get();
    }
    std::string text = "refuse: p v\n";
    for (int i = 0; i < kernel_count; i++) text += name_of(i) + ": p v\n";
    must(frontend.load(world, *world.main(), sources.add("toy.store", text)));
  }
  CompilerJob job_named(const std::string &name) { return must(job(name, types.builtins().Float32, 1)); }
  std::vector<CompilerJob> jobs(std::span<const int> kernels) {
    std::vector<CompilerJob> all;
    for (int kernel : kernels) all.push_back(job_named(name_of(kernel)));
    return all;
  }
  std::string cubin(const Target &target, int kernel) {
    return must(compiler.compile(job_named(name_of(kernel)), target, ArtifactKind::Cubin))->bytes;
  }
};

/// What the assembler of the test makes of one kernel alone.
std::string alone(const SigningTarget &target) { return "assembled by " + target.signature(); }

/// Whether a device could run `kernel` from it.
bool holds(const Artifact &artifact, int kernel, const SigningTarget &target) {
  if (artifact.entry.find(name_of(kernel)) == std::string::npos) return false;
  if (!artifact.merged) return artifact.bytes == alone(target);
  return artifact.bytes.empty() &&
         artifact.merged->bytes.find(fmt::format("[{} by {}]", artifact.entry, target.signature())) !=
             std::string::npos;
}

} // namespace

TEST_CASE("kernels of one batch are assembled in one call, each under its own name") {
  SigningTarget target("one", "1", "");
  target.merges = true;
  Process process("");
  const int kernels[] = {3, 1, 2, 1};
  auto made = process.compiler.assemble_many(process.jobs(kernels), target);
  REQUIRE(made.size() == 4);
  for (size_t i = 0; i < 4; i++) {
    const Compiled compiled = must(std::move(made[i]));
    CHECK(holds(*compiled.artifact, kernels[i], target));
    REQUIRE(compiled.artifact->merged);
    const Artifact text = *must(
        process.compiler.compile(process.job_named(name_of(kernels[i])), target, ArtifactKind::Assembly));
    CHECK(compiled.artifact->resources.registers == text.bytes.size()); // its own, not another's
    CHECK(compiled.artifact->parameters.size() == text.parameters.size());
  }
  CHECK(process.compiler.assembler_calls == 1);
  CHECK(process.compiler.kernels_merged == 3); // equal ones once
  // Who asks for the cubin gets the one of this kernel alone, which is made now.
  CHECK(process.cubin(target, 1) == alone(target));
  CHECK(process.compiler.assembler_calls == 2);
}

TEST_CASE("a kernel that the assembler refuses fails alone, and the others of its batch do not") {
  SigningTarget target("one", "1", "");
  target.merges = true;
  Process process("");
  std::vector<CompilerJob> jobs = process.jobs(std::vector<int>{0, 1, 2});
  jobs.insert(jobs.begin() + 1, process.job_named("refuse"));
  auto made = process.compiler.assemble_many(jobs, target);
  REQUIRE(made.size() == 4);
  for (auto &each : made) CHECK(must(std::move(each)).artifact->bytes == alone(target));
}

TEST_CASE("an assembler that does not merge makes one cubin after the other") {
  SigningTarget target("one", "1", "");
  Process process("");
  const int kernels[] = {0, 1, 2};
  for (auto &each : process.compiler.assemble_many(process.jobs(kernels), target))
    CHECK(must(std::move(each)).artifact->bytes == alone(target));
  CHECK(process.compiler.assembler_calls == 3);
}

TEST_CASE("after a batch another process assembles nothing, and one that checks the folder compiles") {
  SigningTarget target("one", "1", "");
  target.merges = true;
  Scratch scratch;
  const std::string path = scratch.path.string();
  const int kernels[] = {0, 1, 2, 3};
  {
    Process process(path);
    for (auto &each : process.compiler.assemble_many(process.jobs(kernels), target)) must(std::move(each));
    process.persistent->flush();
  }
  {
    Process process(path);
    for (int kernel : kernels) {
      const Compiled found = must(process.compiler.loadable(process.job_named(name_of(kernel)), target));
      CHECK(holds(*found.artifact, kernel, target));
      CHECK(found.made == 0);
    }
    CHECK(process.objects.counters().misses == 0);
    for (auto &each : process.compiler.assemble_many(process.jobs(kernels), target))
      CHECK(must(std::move(each)).made == 0);
    CHECK(process.compiler.assembler_calls == 0);
  }
  {
    Process process(path, true);
    const Compiled made = must(process.compiler.loadable(process.job_named(name_of(0)), target));
    CHECK(made.artifact->bytes == alone(target));
    CHECK(process.compiler.assembler_calls == 1);
  }
}

TEST_CASE("a merged cubin that the folder has lost is no more than a miss") {
  SigningTarget target("one", "1", "");
  target.merges = true;
  Scratch scratch;
  const std::string path = scratch.path.string();
  Fingerprint object;
  {
    Process process(path);
    const int kernels[] = {0, 1};
    for (auto &each : process.compiler.assemble_many(process.jobs(kernels), target))
      object = must(std::move(each)).keys.back();
    process.persistent->flush();
    process.folder->put({Blob{object, {}}}, StoreClock::now() + std::chrono::seconds(10));
  }
  Process process(path);
  CHECK(must(process.compiler.loadable(process.job_named(name_of(0)), target)).artifact->bytes ==
        alone(target));
}

TEST_CASE("over random batches nothing under a kernel's own key depends on the batch", "[property]") {
  SigningTarget target("one", "1", "");
  target.merges = true;
  const unsigned seed = 20261122;
  INFO("seed " << seed);
  std::mt19937 random(seed);
  for (int folder = 0; folder < 50; folder++) {
    Scratch scratch;
    const std::string path = scratch.path.string();
    std::vector<bool> kept(kernel_count); // what the folder has: as a cubin or in one
    for (int round = 0; round < 20; round++) {
      std::vector<int> kernels(kernel_count);
      for (int i = 0; i < kernel_count; i++) kernels[size_t(i)] = i;
      std::shuffle(kernels.begin(), kernels.end(), random);
      kernels.resize(1 + random() % kernel_count);
      if (random() % 4 == 0) kernels.push_back(kernels[0]);
      Process process(path);
      if (random() % 3 == 0) {
        const int single = int(random() % kernel_count);
        REQUIRE(process.cubin(target, single) == alone(target));
        kept[size_t(single)] = true;
      }
      const uint64_t before = process.compiler.assembler_calls;
      const bool all_kept =
          std::all_of(kernels.begin(), kernels.end(), [&](int kernel) { return kept[size_t(kernel)]; });
      auto made = process.compiler.assemble_many(process.jobs(kernels), target);
      for (size_t i = 0; i < kernels.size(); i++) {
        REQUIRE(holds(*must(std::move(made[i])).artifact, kernels[i], target));
        kept[size_t(kernels[i])] = true;
      }
      if (all_kept) REQUIRE(process.compiler.assembler_calls == before);
      process.persistent->flush();

      Process later(path);
      for (int kernel : kernels)
        REQUIRE(holds(*must(later.compiler.loadable(later.job_named(name_of(kernel)), target)).artifact,
                      kernel, target));
      REQUIRE(later.compiler.assembler_calls == 0);
      const int asked = kernels[random() % kernels.size()];
      const auto cubin =
          must(later.compiler.compile(later.job_named(name_of(asked)), target, ArtifactKind::Cubin));
      REQUIRE(cubin->bytes == alone(target));
      REQUIRE_FALSE(cubin->merged);
      later.persistent->flush();
    }
  }
}
