// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <support/strong_digest.h>

#include <llvm/Support/SHA256.h>

namespace kiln {

/// LLVM's SHA-256 for enable_strong_digests: the core needs no other library.
inline std::unique_ptr<StrongHash> make_sha256() {
  struct Sha256 final : StrongHash {
    llvm::SHA256 hash;
    void update(const void *data, size_t size) override {
      hash.update({static_cast<const uint8_t *>(data), size});
    }
    std::array<std::byte, 32> finish() override {
      std::array<std::byte, 32> digest;
      const auto bytes = hash.result(); // does not change the state
      std::memcpy(digest.data(), bytes.data(), digest.size());
      return digest;
    }
  };
  return std::make_unique<Sha256>();
}

} // namespace kiln
