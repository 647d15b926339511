// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what a folder holds is right: entries and cubins that are whole and wrong.
#include "precompiled.h"

using namespace kiln;
using namespace precompiled;
namespace fs = std::filesystem;

TEST_CASE("an entry with the right checksum and wrong code is found, and dropped") {
  Scratch scratch;
  std::vector<PrecompileJob> jobs = scratch.jobs(calls);
  CHECK(fill(scratch, jobs).made == calls.size());
  auto folder = folder_of(scratch);
  VerifyReport right = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(right.checked == calls.size());
  CHECK(right.wrong.empty());
  CHECK(right.unable.empty());
  CHECK(must(verify_jobs(*folder, jobs, scratch.session(), 2)).checked == 2);
  CHECK(must(verify_jobs(*folder, scratch.jobs({"scale(CuDeviceVector{Float32,1}, Val{5})"}),
                         scratch.session(), 9))
            .absent == 1);

  for (const auto &entry : folder->list()) { // one byte of one artifact, sealed anew
    std::string content = must(open_entry(entry.key, *get_blob(*folder, entry.key)));
    auto stored = read_artifact(content);
    if (!stored.ok()) continue;
    stored->artifact.bytes[stored->artifact.bytes.size() / 2] ^= 1;
    folder->put({Blob{entry.key, seal_entry(entry.key, artifact_content(stored->artifact, stored->note))}},
                StoreClock::now() + std::chrono::seconds(1));
    break;
  }
  VerifyReport planted = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(planted.checked == calls.size());
  REQUIRE(planted.wrong.size() == 1);
  CHECK(planted.wrong[0].find("Float") != std::string::npos);
  VerifyReport dropped = must(verify_jobs(*folder, jobs, scratch.session(), 100));
  CHECK(dropped.wrong.empty());
  CHECK(dropped.absent == 1);
}

TEST_CASE("a cubin that its text does not give is found without a list of jobs") {
  if (!has_assembler()) return;
  for (int debug_level : {0, 1}) {
    INFO(debug_level);
    Scratch scratch;
    CompilerConfig config = ptx();
    config.debug_level = debug_level;
    std::vector<PrecompileJob> jobs = scratch.jobs({calls[0], calls[1]}, config);
    PrecompileReport filled = fill(scratch, jobs);
    CHECK(filled.made == 4); // texts and cubins
    CHECK(filled.missing == 0);
    CHECK(fill(scratch, jobs).counts.hits == 2);
    auto folder = folder_of(scratch);
    VerifyReport right = must(verify_texts(*folder, scratch.session(), 100));
    CHECK(right.checked == 2);
    CHECK(right.wrong.empty());
    CHECK(must(verify_jobs(*folder, jobs, scratch.session(), 100)).checked == 4);

    std::string one; // kernel's code in the place of the other's
    for (const auto &entry : folder->list()) {
      auto stored = read_artifact(must(open_entry(entry.key, *get_blob(*folder, entry.key))));
      if (!stored.ok() || stored->artifact.kind != ArtifactKind::Cubin) continue;
      if (one.empty()) one = stored->artifact.bytes;
      stored->artifact.bytes = one;
      folder->put({Blob{entry.key, seal_entry(entry.key, artifact_content(stored->artifact, stored->note))}},
                  StoreClock::now() + std::chrono::seconds(1));
    }
    REQUIRE_FALSE(one.empty());
    CHECK(must(verify_texts(*folder, scratch.session(), 100)).wrong.size() == 1);
  }
}

TEST_CASE("a cubin of several kernels is made again from all its texts") {
  if (!has_assembler()) return;
  Scratch scratch;
  const std::vector<PrecompileJob> jobs =
      scratch.jobs({"scale(CuDeviceVector{Float32,1}, Val{1})", "scale(CuDeviceVector{Float32,1}, Val{2})",
                    "scale(CuDeviceVector{Float32,1}, Val{3})"},
                   ptx());
  fill(scratch, jobs, 1);
  auto folder = folder_of(scratch);
  auto merged = [&] { // the key of the cubin that holds all three
    std::vector<Fingerprint> keys;
    for (const auto &entry : folder->list()) {
      auto stored = read_artifact(must(open_entry(entry.key, *get_blob(*folder, entry.key))));
      if (stored.ok() && stored->artifact.kind == ArtifactKind::Cubin) keys.push_back(entry.key);
    }
    return keys;
  };
  REQUIRE(merged().size() == 1);
  const VerifyReport right = must(verify_texts(*folder, scratch.session(), 100));
  CHECK(right.checked == 1);
  CHECK(right.wrong.empty());
  CHECK(right.without_text == 0);

  // A text that is gone leaves it unchecked, and there.
  const std::string whole = *get_blob(*folder, merged()[0]);
  for (const auto &entry : folder->list()) {
    auto stored = read_artifact(must(open_entry(entry.key, *get_blob(*folder, entry.key))));
    if (!stored.ok() || stored->artifact.kind != ArtifactKind::Assembly) continue;
    const std::string text = *get_blob(*folder, entry.key);
    folder->put({Blob{entry.key, {}}}, StoreClock::now() + std::chrono::seconds(1));
    const VerifyReport lacking = must(verify_texts(*folder, scratch.session(), 100));
    CHECK(lacking.checked == 0);
    CHECK(lacking.without_text == 1);
    folder->put({Blob{entry.key, text}}, StoreClock::now() + std::chrono::seconds(1));
    break;
  }
  CHECK(get_blob(*folder, merged()[0]) == whole);

  const Fingerprint key = merged()[0];
  auto stored = must(read_artifact(must(open_entry(key, whole))));
  stored.artifact.bytes[stored.artifact.bytes.size() / 2] ^= 1;
  folder->put({Blob{key, seal_entry(key, artifact_content(stored.artifact, stored.note))}},
              StoreClock::now() + std::chrono::seconds(1));
  const VerifyReport planted = must(verify_texts(*folder, scratch.session(), 100));
  REQUIRE(planted.wrong.size() == 1);
  CHECK(planted.wrong[0].find("and 2 more") != std::string::npos);
  CHECK(merged().empty());
}
