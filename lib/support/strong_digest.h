// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 in addition to each Fingerprinter's XXH3 digest, for names that must resist forgery
// (docs/design/remote.md). It costs about 0.2 µs a digest, so it is off until a session uses a remote store.
#pragma once

#include <kiln/extension/language/fingerprint.h>

namespace kiln {

class StrongHash {
public:
  virtual ~StrongHash() = default;
  virtual void update(const void *data, size_t size) = 0;
  virtual std::array<std::byte, 32> finish() = 0; ///< digest of all bytes so far; more may follow
};
using MakeStrongHash = std::unique_ptr<StrongHash> (*)();

std::unique_ptr<StrongHash> make_sha256();
std::unique_ptr<StrongHash> make_portable_sha256(); ///< without the CPU's SHA instructions, for tests

/// Enables SHA-256 for all later Fingerprinters of the process. It cannot be disabled. Earlier digests stay
/// without one.
void enable_strong_digests(MakeStrongHash make);
bool strong_digests_enabled();

/// Compares digests. If SHA-256 is enabled, it must be equal too, or missing in both.
bool same_content(const Fingerprint &a, const Fingerprint &b);

} // namespace kiln
