// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Encodes and decodes the content of cache entries: artifacts with their notes.
#pragma once

#include <support/bytes.h>

#include <job/job.h>

namespace kiln {

/// Facts about an artifact, stored in its cache entry.
struct EntryNote {
  std::vector<KeyField> fields; ///< compared by `kiln cache explain`
  double compile_ms = 0;        ///< cost of making the artifact
};

struct StoredArtifact {
  Artifact artifact;
  EntryNote note;
};

/// Version of the layout of entry contents. Keys that do not contain Kiln's build contain this version, so
/// that different builds share only contents that each of them can read.
inline constexpr uint32_t content_version = 5;

/// Kind of an entry's content, which is the content's first word.
enum class ContentKind : uint32_t { Artifact = 1, Edges = 2, Text = 3, Member = 4 };
/// Returns the content's kind as a number. 0: the first word is no known kind.
uint32_t content_kind(std::string_view content);

std::string artifact_content(const Artifact &artifact, const EntryNote &note);
/// Decodes an artifact and its note. Error (Input): the content is no artifact.
Result<StoredArtifact> read_artifact(std::string_view content);

/// The field "kind" of an EntryNote has this value if the entry holds a cubin of several kernels.
inline constexpr std::string_view merged_cubin_kind = "merged cubin";
/// Returns true if only launches read the entry: it holds a merged cubin, or the record of a kernel in one.
bool is_for_launches_alone(std::string_view content);

/// Record of a kernel that was assembled together with others into one cubin.
struct MergedMember {
  Fingerprint object;        ///< key of the merged cubin
  KernelResources resources; ///< of this kernel
  std::string assembler;
};
std::string member_content(const MergedMember &member);
Result<MergedMember> read_member(std::string_view content);

/// Encodes a short text as the content of an entry, such as the name and version of this machine's assembler.
std::string text_content(std::string_view text);
Result<std::string> read_text(std::string_view content);

} // namespace kiln
