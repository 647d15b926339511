// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/fingerprint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

namespace kiln {

struct Fingerprinter::State {
  XXH3_state_t xxh;
};

Fingerprinter::Fingerprinter() : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh);
  XXH3_128bits_reset(&state_->xxh);
}
Fingerprinter::~Fingerprinter() = default;

Fingerprinter &Fingerprinter::bytes(const void *data, size_t size) {
  if (size != 0) XXH3_128bits_update(&state_->xxh, data, size);
  return *this;
}

Fingerprinter &Fingerprinter::add(std::string_view text) {
  uint64_t size = text.size();
  return bytes(&size, sizeof size).bytes(text.data(), text.size());
}

Fingerprint Fingerprinter::finish() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return {hash.high64, hash.low64};
}

std::string Fingerprint::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Fingerprint fingerprint_of(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

} // namespace kiln
