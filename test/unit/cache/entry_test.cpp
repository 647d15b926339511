// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Entries: what is written is read; what is damaged anywhere is no entry.
#include <catch2/catch.hpp>

#include <cache/artifact_entry.h>
#include <cache/entry.h>

using namespace kiln;

namespace {

constexpr Fingerprint key{0x0123456789abcdef, 0xfedcba9876543210};

Artifact some_artifact() {
  Artifact a;
  a.kind = ArtifactKind::Cubin;
  a.bytes = std::string("\x7f"
                        "ELF\0with a zero",
                        17);
  a.entry = "_Z6kernel5Int64";
  a.parameters = {{0, 8, 8}, {2, 16, 4}};
  a.has_kernel_state = true;
  a.return_size = 24;
  a.return_type = "some bytes";
  a.shared_bytes = 4096;
  a.resources = {40, 8, 16, 24, 4096, 400, 1};
  a.assembler = "ptxas 13.0";
  a.device_library = "00ff";
  return a;
}

} // namespace

TEST_CASE("an artifact comes back with every field") {
  Artifact a = some_artifact();
  EntryNote note{{{"function", "kernel"}, {"sm", "90"}}, 12.5};
  auto content = open_entry(key, seal_entry(key, artifact_content(a, note)));
  REQUIRE(content.ok());
  auto read = read_artifact(*content);
  REQUIRE(read.ok());
  CHECK(artifact_content(read->artifact, read->note) == artifact_content(a, note));
  CHECK(read->artifact.kind == a.kind);
  CHECK(read->artifact.bytes == a.bytes);
  CHECK(read->artifact.entry == a.entry);
  REQUIRE(read->artifact.parameters.size() == 2);
  CHECK(read->artifact.parameters[1].argument == 2);
  CHECK(read->artifact.parameters[1].size == 16);
  CHECK(read->artifact.parameters[1].align == 4);
  CHECK(read->artifact.has_kernel_state);
  CHECK(read->artifact.return_size == 24);
  CHECK(read->artifact.return_type == "some bytes");
  CHECK(read->artifact.shared_bytes == 4096);
  CHECK(read->artifact.resources.spill_load_bytes == 24);
  CHECK(read->artifact.resources.barriers == 1);
  CHECK(read->artifact.assembler == "ptxas 13.0");
  CHECK(read->artifact.device_library == "00ff");
  CHECK(read->note.fields == note.fields);
  CHECK(read->note.compile_ms == 12.5);
}

TEST_CASE("every flipped bit of an entry is found") {
  std::string entry = seal_entry(key, artifact_content(some_artifact(), {}));
  for (size_t bit = 0; bit < entry.size() * 8; bit++) {
    std::string damaged = entry;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << (bit % 8)));
    if (open_entry(key, damaged).ok()) FAIL("bit " << bit << " is not noticed");
  }
}

TEST_CASE("an entry of any other length is found") {
  std::string entry = seal_entry(key, artifact_content(some_artifact(), {}));
  for (size_t size = 0; size < entry.size(); size++)
    if (open_entry(key, std::string_view(entry).substr(0, size)).ok())
      FAIL("a cut at " << size << " is not noticed");
  CHECK_FALSE(open_entry(key, entry + "x").ok());
  CHECK(open_entry(key, entry).ok());
}

TEST_CASE("an entry serves its own key alone") {
  std::string entry = seal_entry(key, text_content("text"));
  CHECK_FALSE(open_entry(Fingerprint{key.high, key.low + 1}, entry).ok());
  CHECK_FALSE(open_entry(Fingerprint{key.low, key.high}, entry).ok());
}

TEST_CASE("large contents are packed where it pays, and come back") {
  std::string even(100'000, 'a'), wild;
  uint64_t state = 1;
  for (int i = 0; i < 100'000; i++)
    wild += char((state = state * 6364136223846793005u + 1442695040888963407u) >> 56);
  CHECK(seal_entry(key, even).size() < 1000);
  CHECK(seal_entry(key, wild).size() == wild.size() + entry_header_size);
  for (const std::string &content : {even, wild, std::string()}) {
    auto read = open_entry(key, seal_entry(key, content));
    REQUIRE(read.ok());
    CHECK(*read == content);
  }
  std::string packed = seal_entry(key, even);
  for (size_t bit = 0; bit < packed.size() * 8; bit++) {
    std::string damaged = packed;
    damaged[bit / 8] = char(damaged[bit / 8] ^ (1 << (bit % 8)));
    if (open_entry(key, damaged).ok()) FAIL("bit " << bit << " is not noticed");
  }
}

TEST_CASE("a content that is cut anywhere, or is another kind's, is no artifact") {
  std::string content = artifact_content(some_artifact(), {{{"a", "b"}}, 1});
  for (size_t size = 0; size < content.size(); size++)
    if (read_artifact(std::string_view(content).substr(0, size)).ok())
      FAIL("a cut at " << size << " is not noticed");
  CHECK_FALSE(read_artifact(content + "x").ok());
  CHECK_FALSE(read_artifact(text_content("text")).ok());
  CHECK_FALSE(read_text(content).ok());
  CHECK(*read_text(text_content("nvJitLink 13.0")) == "nvJitLink 13.0");
}

TEST_CASE("the record of a kernel in a merged cubin comes back as it was, and nothing else does") {
  const MergedMember member{
      Fingerprint{1, 2}, {.registers = 24, .stack_bytes = 8, .barriers = 1}, "nvJitLink 13.0"};
  const std::string content = member_content(member);
  const MergedMember back = *read_member(content);
  CHECK(back.object == member.object);
  CHECK(back.assembler == member.assembler);
  CHECK(back.resources.registers == 24);
  CHECK(back.resources.stack_bytes == 8);
  CHECK(back.resources.barriers == 1);
  for (size_t size = 0; size < content.size(); size++)
    if (read_member(std::string_view(content).substr(0, size)).ok())
      FAIL("a cut at " << size << " is not noticed");
  CHECK_FALSE(read_member(content + "x").ok());
  CHECK_FALSE(read_member(text_content("text")).ok());
  CHECK_FALSE(read_artifact(content).ok());
  CHECK(is_for_launches_alone(content));
  CHECK_FALSE(is_for_launches_alone(text_content("text")));
  CHECK_FALSE(is_for_launches_alone(""));
  CHECK_FALSE(is_for_launches_alone(artifact_content(some_artifact(), {{{"kind", "cubin"}}, 1})));
  CHECK(is_for_launches_alone(artifact_content(some_artifact(), {{{"kind", "merged cubin"}}, 1})));
}
