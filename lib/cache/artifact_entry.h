// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents of entries: artifacts and their notes.
#pragma once

#include <support/bytes.h>

#include <job/job.h>

namespace kiln {

/// Facts about an artifact, stored beside it.
struct EntryNote {
  std::vector<KeyField> fields; ///< compared by `kiln cache explain`
  double compile_ms = 0;        ///< cost of making the artifact
};

struct StoredArtifact {
  Artifact artifact;
  EntryNote note;
};

/// Version of the contents' layout. It is part of the keys that do not contain the build of Kiln. Builds
/// therefore share only contents that each of them can read.
inline constexpr uint32_t content_version = 5;

/// Kind of a content, its first word.
enum class ContentKind : uint32_t { Artifact = 1, Edges = 2, Text = 3, Member = 4 };
/// Kind of a content. 0: no known content.
uint32_t content_kind(std::string_view content);

std::string artifact_content(const Artifact &artifact, const EntryNote &note);
/// Errors (Input): the content is no artifact.
Result<StoredArtifact> read_artifact(std::string_view content);

/// Value of the field "kind" in an entry with a cubin of several kernels.
inline constexpr std::string_view merged_cubin_kind = "merged cubin";
/// Returns true if only launches use the entry: a merged cubin, or the record of one of its kernels.
bool is_for_launches_alone(std::string_view content);

/// Place of a kernel that was assembled together with others.
struct MergedMember {
  Fingerprint object;        ///< key of the merged cubin
  KernelResources resources; ///< of this kernel
  std::string assembler;
};
std::string member_content(const MergedMember &member);
Result<MergedMember> read_member(std::string_view content);

/// Content of a short text: a fact about a file of this machine.
std::string text_content(std::string_view text);
Result<std::string> read_text(std::string_view content);

} // namespace kiln
