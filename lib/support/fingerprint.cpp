// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "strong_digest.h"

#include <kiln/extension/language/fingerprint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <atomic>
#include <cstring>

namespace kiln {

static std::atomic<MakeStrongHash> make_strong_hash{nullptr};

void enable_strong_digests(MakeStrongHash make) { make_strong_hash.store(make, std::memory_order_release); }
// Relaxed: a caller that goes on to make a digest loads the pointer again, with acquire.
bool strong_digests_enabled() { return make_strong_hash.load(std::memory_order_relaxed) != nullptr; }

bool same_content(const Fingerprint &a, const Fingerprint &b) {
  // Both digests lack SHA-256 if their session was opened before SHA-256 was enabled.
  return a == b && (!strong_digests_enabled() || a.strong == b.strong);
}

struct Fingerprinter::State {
  XXH3_state_t xxh;
  std::unique_ptr<StrongHash> strong; ///< null: SHA-256 is disabled, or an added digest had none
};

Fingerprinter::Fingerprinter(Use use) : state_(std::make_unique<State>()) {
  XXH3_INITSTATE(&state_->xxh);
  XXH3_128bits_reset(&state_->xxh);
  const MakeStrongHash make = make_strong_hash.load(std::memory_order_acquire);
  if (make && use == Use::Key) state_->strong = make();
}
Fingerprinter::~Fingerprinter() = default;

Fingerprinter &Fingerprinter::bytes(const void *data, size_t size) {
  if (size == 0) return *this;
  XXH3_128bits_update(&state_->xxh, data, size);
  if (state_->strong) state_->strong->update(data, size);
  return *this;
}

Fingerprinter &Fingerprinter::add(const Fingerprint &f) {
  const uint64_t words[] = {f.high, f.low};
  XXH3_128bits_update(&state_->xxh, words, sizeof words);
  if (!f.is_strong())
    state_->strong.reset();
  else if (state_->strong)
    state_->strong->update(f.strong.data(), f.strong.size());
  return *this;
}

Fingerprinter &Fingerprinter::add_strong(std::string_view text) {
  if (!state_->strong) return *this;
  const uint64_t size = text.size();
  state_->strong->update(&size, sizeof size);
  state_->strong->update(text.data(), text.size());
  return *this;
}

Fingerprinter &Fingerprinter::add(std::string_view text) {
  const uint64_t size = text.size();
  char both[64]; // one update for size and text of a name: updates cost more than bytes
  if (size > sizeof both - sizeof size) return bytes(&size, sizeof size).bytes(text.data(), text.size());
  std::memcpy(both, &size, sizeof size);
  if (size) std::memcpy(both + sizeof size, text.data(), text.size());
  return bytes(both, sizeof size + text.size());
}

Fingerprint Fingerprinter::finish() const {
  XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  Fingerprint made{hash.high64, hash.low64};
  if (state_->strong) made.strong = state_->strong->finish();
  return made;
}

std::string Fingerprint::hex() const { return fmt::format("{:016x}{:016x}", high, low); }

Fingerprint fingerprint_of(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.high64, hash.low64};
}

} // namespace kiln
