// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contents of entries: artifacts, and what is remembered beside them.
#pragma once

#include <support/bytes.h>

#include <job/job.h>

namespace kiln {

/// What an entry tells of itself besides its artifact.
struct EntryNote {
  std::vector<KeyField> fields; ///< for `kiln cache explain`, which compares them
  double compile_ms = 0;        ///< what it cost to make
};

struct StoredArtifact {
  Artifact artifact;
  EntryNote note;
};

/// How contents are laid out. Enters those keys that the build of Kiln does not: builds then share no content
/// that one of them could not read.
inline constexpr uint32_t content_version = 5;

/// What an entry holds. The first word of a content.
enum class ContentKind : uint32_t { Artifact = 1, Edges = 2, Text = 3, Member = 4 };
/// Of no content at all: 0.
uint32_t content_kind(std::string_view content);

std::string artifact_content(const Artifact &artifact, const EntryNote &note);
/// Errors (Input): whatever is no artifact's content.
Result<StoredArtifact> read_artifact(std::string_view content);

/// The field "kind" of an entry that holds a cubin of several kernels.
inline constexpr std::string_view merged_cubin_kind = "merged cubin";
/// Whether an entry serves launches alone: such a cubin, or the record of one of its kernels.
bool is_for_launches_alone(std::string_view content);

/// Where a kernel lies that was assembled together with others.
struct MergedMember {
  Fingerprint object;        ///< the key of the cubin that holds them
  KernelResources resources; ///< of this kernel
  std::string assembler;
};
std::string member_content(const MergedMember &member);
Result<MergedMember> read_member(std::string_view content);

/// A short text: what was found out about a file of this machine.
std::string text_content(std::string_view text);
Result<std::string> read_text(std::string_view content);

} // namespace kiln
