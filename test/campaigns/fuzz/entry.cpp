// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes whatever are an entry or an error; a content that is an artifact is written back the same.
#include <cache/artifact_entry.h>
#include <cache/entry.h>

#include <cstdlib>

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view bytes(reinterpret_cast<const char *>(data), size);
  const Fingerprint key{1, 2};
  if (auto content = open_entry(key, bytes); content.ok() && seal_entry(key, *content) != bytes) {
    auto again = open_entry(key, seal_entry(key, *content)); // another packing of the same
    if (!again.ok() || *again != *content) std::abort();
  }
  if (auto artifact = read_artifact(bytes); artifact.ok())
    if (artifact_content(artifact->artifact, artifact->note) != bytes) std::abort();
  (void)read_text(bytes);
  if (auto member = read_member(bytes); member.ok() && member_content(*member) != bytes) std::abort();
  (void)is_for_launches_alone(bytes);
  return 0;
}
