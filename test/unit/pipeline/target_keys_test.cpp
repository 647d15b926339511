// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Targets of one kind, and versions of one target, keep what they make apart: artifacts, what is assembled
// from them, and what is known of their assemblers; in memory and through a folder.
#include "signing_target.h"
#include "toy.h"

#include "scratch.h"

#include <fstream>

namespace target_keys_test {

using namespace kiln;
using namespace kiln::test;

namespace {

/// A process that uses a folder, or none.
struct Process : Toy {
  std::shared_ptr<FolderStore> folder;
  std::unique_ptr<PersistentCache> persistent;
  std::unique_ptr<EdgeCache> edges;
  StoreFrontend frontend;

  explicit Process(const std::string &path) {
    if (!path.empty()) {
      folder = std::make_shared<FolderStore>(FolderOptions{.path = path});
      persistent = std::make_unique<PersistentCache>(folder, folder, nullptr, false);
      edges = std::make_unique<EdgeCache>(*persistent);
      objects.set_persistent(persistent.get());
      compiler.persistent = persistent.get();
      compiler.edges = edges.get();
    }
    auto loaded = frontend.load(world, *world.main(), sources.add("toy.store", "put: p v\n"));
    if (!loaded.ok()) FAIL(loaded.error().what());
  }
  std::string compile(const Target &target, ArtifactKind kind) {
    auto made = job("put", types.builtins().Float32, 1);
    if (!made.ok()) FAIL(made.error().what());
    auto artifact = compiler.compile(*made, target, kind);
    if (!artifact.ok()) FAIL(artifact.error().what());
    return (*artifact)->bytes;
  }
};

bool is_by(const std::string &bytes, const SigningTarget &target) {
  return bytes.ends_with("by " + target.signature() + "\n");
}

} // namespace

TEST_CASE("targets of one kind share nothing", "[keys]") {
  Scratch scratch;
  const std::string tool = (scratch.path / "tool").string();
  std::ofstream(tool) << "an assembler";
  SigningTarget one("one", "1", tool), other("other", "1", tool), newer("one", "2", tool);
  const SigningTarget *all[] = {&one, &other, &newer};
  const std::string path = GENERATE(std::string(), std::string("cache"));
  const std::string folder = path.empty() ? path : (scratch.path / path).string();

  SECTION("of one session") {
    Process process(folder);
    for (int round = 0; round < 2; round++)
      for (const SigningTarget *target : all) {
        CHECK(is_by(process.compile(*target, ArtifactKind::Assembly), *target));
        CHECK(process.compile(*target, ArtifactKind::Cubin) == "assembled by " + target->signature());
        CHECK(process.assemblers.device_library(*target) == "library of " + target->signature());
      }
    CHECK(process.objects.counters().misses == 6); // the second round was found
  }
  SECTION("of one session, though their text is the same") {
    for (SigningTarget *target : {&one, &other, &newer}) target->is_silent = true;
    Process process(folder);
    for (const SigningTarget *target : all)
      CHECK(process.compile(*target, ArtifactKind::Cubin) == "assembled by " + target->signature());
  }
  if (folder.empty()) return;
  SECTION("of processes that share a folder") {
    for (int round = 0; round < 2; round++)
      for (const SigningTarget *target : all) {
        Process process(folder);
        CHECK(is_by(process.compile(*target, ArtifactKind::Assembly), *target));
        CHECK(process.compile(*target, ArtifactKind::Cubin) == "assembled by " + target->signature());
        CHECK(process.objects.counters().misses == (round == 0 ? 2u : 0u));
        process.persistent->flush();
      }
  }
}

} // namespace target_keys_test
