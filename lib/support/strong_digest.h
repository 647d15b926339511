// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strong digests: a SHA-256 in addition to each Fingerprinter's XXH3 digest, for keys of remote stores, which
// must resist forgery (docs/design/remote.md). They cost about 0.2 µs each, so they are off until a session
// uses a remote store.
#pragma once

#include <kiln/extension/language/fingerprint.h>

namespace kiln {

class StrongHash {
public:
  virtual ~StrongHash() = default;
  virtual void update(const void *data, size_t size) = 0;
  /// Returns the digest of all bytes so far; more bytes may be added afterwards.
  virtual std::array<std::byte, 32> finish() = 0;
};
using MakeStrongHash = std::unique_ptr<StrongHash> (*)();

std::unique_ptr<StrongHash> make_sha256();
std::unique_ptr<StrongHash> make_portable_sha256(); ///< without the CPU's SHA instructions, for tests

/// Enables SHA-256 for all later Fingerprinters of the process. It cannot be disabled again. Digests made
/// before have no SHA-256.
void enable_strong_digests(MakeStrongHash make);
bool strong_digests_enabled();

/// Returns true if two digests are equal. If SHA-256 is enabled, the SHA-256 must be equal too, or missing in
/// both.
bool same_content(const Fingerprint &a, const Fingerprint &b);

} // namespace kiln
