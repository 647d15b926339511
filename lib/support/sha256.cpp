// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SHA-256 (FIPS 180-4), with the CPU's SHA instructions if it has them. A cache key needs hundreds of digests
// of about ten bytes each, for which LLVM's SHA-256 class would take 1 us each.
#include "strong_digest.h"

#include <bit>
#include <cstring>

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>
#endif

namespace kiln {

namespace {

constexpr size_t block_size = 64;
using Words = std::array<uint32_t, 8>;

/// First 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<uint32_t, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

uint32_t big_endian(const uint8_t *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

void add_blocks(Words &state, const uint8_t *data, size_t blocks) {
  using std::rotr;
  for (; blocks != 0; blocks--, data += block_size) {
    std::array<uint32_t, 64> w;
    for (size_t i = 0; i < 16; i++) w[i] = big_endian(data + 4 * i);
    for (size_t i = 16; i < 64; i++) {
      const uint32_t low = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const uint32_t high = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + low + w[i - 7] + high;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t i = 0; i < 64; i++) {
      const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);
      const uint32_t one = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + choice + constants[i] + w[i];
      const uint32_t two = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + majority;
      h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const Words end{a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; i++) state[i] += end[i];
  }
}

#ifdef __x86_64__
bool has_sha_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> 29 & 1) != 0; // each such CPU has SSE4.1
}

[[gnu::target("sha,sse4.1")]] void add_blocks_by_instructions(Words &state, const uint8_t *data,
                                                              size_t blocks) {
  auto load = [](const void *from) { return _mm_loadu_si128(static_cast<const __m128i *>(from)); };
  // The SHA instructions expect the state as two vectors with the words A B E F and C D G H, the highest word
  // first.
  const __m128i cdab = _mm_shuffle_epi32(load(&state[0]), 0xb1),
                efgh = _mm_shuffle_epi32(load(&state[4]), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  for (; blocks != 0; blocks--, data += block_size) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4]; // latest 16 words of the message schedule
    for (size_t i = 0; i < 4; i++) w[i] = _mm_shuffle_epi8(load(data + 16 * i), swap);
    for (size_t i = 0; i < 16; i++) { // four rounds each
      __m128i now = w[i % 4];
      if (i >= 4) {
        const __m128i &last = w[(i + 3) % 4];
        now = _mm_sha256msg1_epu32(now, w[(i + 1) % 4]);
        now = _mm_add_epi32(now, _mm_alignr_epi8(last, w[(i + 2) % 4], 4));
        now = w[i % 4] = _mm_sha256msg2_epu32(now, last);
      }
      const __m128i sum = _mm_add_epi32(now, load(&constants[4 * i]));
      // Each instruction does two rounds, after which the two vectors swap roles.
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[0]), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i *>(&state[4]), _mm_alignr_epi8(dchg, feba, 8));
}
#elif defined(__aarch64__)
bool has_sha_instructions() { return (::getauxval(AT_HWCAP) & HWCAP_SHA2) != 0; }

[[gnu::target("sha2")]] void add_blocks_by_instructions(Words &state, const uint8_t *data, size_t blocks) {
  uint32x4_t abcd = vld1q_u32(&state[0]), efgh = vld1q_u32(&state[4]);
  for (; blocks != 0; blocks--, data += block_size) {
    const uint32x4_t abcd_before = abcd, efgh_before = efgh;
    uint32x4_t w[4]; // latest 16 words of the message schedule
    for (size_t i = 0; i < 4; i++) w[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(data + 16 * i)));
    for (size_t i = 0; i < 16; i++) { // four rounds each
      uint32x4_t &now = w[i % 4];
      if (i >= 4) now = vsha256su1q_u32(vsha256su0q_u32(now, w[(i + 1) % 4]), w[(i + 2) % 4], w[(i + 3) % 4]);
      const uint32x4_t sum = vaddq_u32(now, vld1q_u32(&constants[4 * i])), abcd_of_round = abcd;
      abcd = vsha256hq_u32(abcd, efgh, sum);
      efgh = vsha256h2q_u32(efgh, abcd_of_round, sum);
    }
    abcd = vaddq_u32(abcd, abcd_before);
    efgh = vaddq_u32(efgh, efgh_before);
  }
  vst1q_u32(&state[0], abcd);
  vst1q_u32(&state[4], efgh);
}
#endif

using AddBlocks = void (*)(Words &, const uint8_t *, size_t);
AddBlocks choose(bool by_instructions) {
#if defined(__x86_64__) || defined(__aarch64__)
  if (by_instructions && has_sha_instructions()) return add_blocks_by_instructions;
#endif
  return add_blocks;
}

class Sha256 final : public StrongHash {
public:
  explicit Sha256(AddBlocks add) : add_(add) {}
  void update(const void *data, size_t size) override {
    const auto *from = static_cast<const uint8_t *>(data);
    total_ += size;
    if (used_ != 0) {
      const size_t part = std::min(size, block_size - used_);
      std::memcpy(&block_[used_], from, part);
      from += part, size -= part, used_ += part;
      if (used_ < block_size) return;
      add_(state_, block_.data(), 1);
      used_ = 0;
    }
    add_(state_, from, size / block_size);
    used_ = size % block_size;
    if (used_ != 0) std::memcpy(block_.data(), from + size - used_, used_);
  }
  std::array<std::byte, 32> finish() override {
    Words state = state_;
    std::array<uint8_t, 2 * block_size> end{};
    std::memcpy(end.data(), block_.data(), used_);
    end[used_] = 0x80;
    const size_t size = used_ + 9 <= block_size ? block_size : 2 * block_size;
    for (size_t i = 0; i < 8; i++) end[size - 1 - i] = uint8_t(total_ * 8 >> (8 * i));
    add_(state, end.data(), size / block_size);
    std::array<std::byte, 32> digest;
    for (size_t i = 0; i < 32; i++) digest[i] = std::byte(state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
  }

private:
  const AddBlocks add_;
  Words state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<uint8_t, block_size> block_; ///< the first used_ bytes hold an incomplete block
  size_t used_ = 0;
  uint64_t total_ = 0;
};

} // namespace

std::unique_ptr<StrongHash> make_sha256() {
  static const AddBlocks add = choose(true);
  return std::make_unique<Sha256>(add);
}

std::unique_ptr<StrongHash> make_portable_sha256() { return std::make_unique<Sha256>(choose(false)); }

} // namespace kiln
