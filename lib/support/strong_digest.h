// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 beside the XXH3 digest of every Fingerprinter, for names that a forger must not be able to hit
// (docs/design/remote.md). It costs about 0.2 µs a digest, so it is off until a session uses a remote store.
#pragma once

#include <kiln/extension/language/fingerprint.h>

namespace kiln {

class StrongHash {
public:
  virtual ~StrongHash() = default;
  virtual void update(const void *data, size_t size) = 0;
  virtual std::array<std::byte, 32> finish() = 0; ///< of all so far; more may follow
};
using MakeStrongHash = std::unique_ptr<StrongHash> (*)();

std::unique_ptr<StrongHash> make_sha256();
std::unique_ptr<StrongHash> make_portable_sha256(); ///< without the CPU's instructions for it, for tests

/// Switches SHA-256 on for all later Fingerprinters of the process, for good. Digests that were made before
/// stay without one.
void enable_strong_digests(MakeStrongHash make);
bool strong_digests_enabled();

/// Equality of digests; where SHA-256 is enabled, also of that, or of its absence.
bool same_content(const Fingerprint &a, const Fingerprint &b);

} // namespace kiln
