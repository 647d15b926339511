// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 100,000 entries that somebody altered, from a seed that a failure prints: none opens.
#include "trust_fixture.h"

#include <random>

using namespace kiln;
using namespace kiln::test;

namespace {

/// A store of genuine entries, and forgers of every kind.
class Forger {
public:
  explicit Forger(uint64_t seed) : random_(seed) {
    for (unsigned i = 0; i < num_entries; i++) {
      payloads_[i].resize(below(i % 4 == 0 ? 3000 : 200));
      for (char &each : payloads_[i]) each = char(below(256));
      entries_[i] = must(seal_envelope(name_number(i), build, payloads_[i], &writer_, december));
    }
  }

  static constexpr size_t num_kinds = 14;
  static constexpr std::string_view build = "build 1";
  struct Attempt {
    Digest name;
    std::string build, bytes;
    UtcSeconds now = december;
  };

  Attempt forge(size_t kind) {
    const unsigned i = below(num_entries), j = (i + 1 + below(num_entries - 1)) % num_entries;
    Attempt made{name_number(i), std::string(build), entries_[i]};
    std::string &bytes = made.bytes;
    const size_t signature_at = 112 + build.size(), payload_at = signature_at + sizeof(Signature);
    switch (kind) {
    case 0: flip_bits(bytes, 0, bytes.size()); break;
    case 1: flip_bits(bytes, 0, payload_at); break;
    case 2: bytes.resize(below(unsigned(bytes.size()))); break;
    case 3: bytes.append(1 + below(100), char(below(256))); break;
    case 4: made.name = name_number(j); break; // replayed as another
    case 5:
      made.build = below(2) ? "build 2" : std::string(build).substr(0, below(7));
      break;                                                               // of another build
    case 6: write_number(bytes, 8, below(2) ? 0 : 2 + below(1000)); break; // another version
    case 7: // a foreign key, which may claim to be the writer's
      bytes = must(seal_envelope(made.name, build, payloads_[i], &stranger_, december));
      if (below(2)) bytes.replace(96, 16, entries_[i], 96, 16);
      break;
    case 8: // a trusted key outside its dates
      if (below(2)) {
        bytes = must(seal_envelope(made.name, build, payloads_[i], &old_, december - 100 * day));
      } else {
        bytes =
            must(seal_envelope(made.name, build, payloads_[i], &writer_, december + day + below(1000000)));
      }
      break;
    case 9: // another entry's payload, signature or header
      if (below(2))
        bytes = entries_[i].substr(0, payload_at) + entries_[j].substr(payload_at);
      else
        bytes.replace(signature_at, 64, entries_[j], signature_at, 64);
      if (bytes == entries_[i]) bytes.pop_back(); // two empty payloads
      break;
    case 10: bytes.replace(signature_at, 64, 64, '\0'); break;
    case 11: bytes += entries_[j]; break; // one after another
    case 12:
      bytes = must(seal_envelope(made.name, build, payloads_[i], nullptr, december));
      break;   // unsigned
    default: { // a payload of the forger, with its own size and digest
      const std::string evil(1 + below(300), char(below(256)));
      const Digest digest = must(sha256(evil));
      std::memcpy(bytes.data() + 48, digest.data(), digest.size());
      write_number(bytes, 80, uint32_t(evil.size()));
      bytes.replace(payload_at, std::string::npos, evil);
      break;
    }
    }
    return made;
  }

  bool opens(const Attempt &attempt, RefusalCounts &counts) const {
    const auto opened = open_envelope(attempt.name, attempt.build, attempt.bytes, policy_, attempt.now);
    if (opened.ok()) return true;
    const auto refusal = refusal_of(opened.error());
    REQUIRE(refusal);
    counts[*refusal]++;
    return false;
  }
  bool genuine_ones_open() const {
    for (unsigned i = 0; i < num_entries; i++) {
      const auto opened = open_envelope(name_number(i), build, entries_[i], policy_, december);
      if (!opened.ok() || *opened != payloads_[i]) return false;
    }
    return true;
  }

private:
  static constexpr unsigned num_entries = 16;
  unsigned below(unsigned end) { return end ? unsigned(random_() % end) : 0; }
  void flip_bits(std::string &bytes, size_t begin, size_t end) {
    const size_t first = begin + random_() % (end - begin);
    bytes[first] ^= char(1 << below(8));
    for (unsigned more = below(4); more > 0; more--) {
      const size_t at = begin + random_() % (end - begin);
      if (at != first) bytes[at] ^= char(1 << below(8)); // never the first one back
    }
  }
  static void write_number(std::string &bytes, size_t at, uint32_t value) {
    std::memcpy(bytes.data() + at, &value, sizeof value);
  }

  std::mt19937_64 random_;
  SecretKey writer_ = must(SecretKey::generate()), old_ = must(SecretKey::generate()),
            stranger_ = must(SecretKey::generate());
  TrustPolicy policy_ =
      trusting(public_key_line(writer_.public_key(), "writer") + " from=2026-11-01 until=2027-01-01\n" +
               public_key_line(old_.public_key(), "old") + " until=2026-10-01\n");
  std::string payloads_[num_entries], entries_[num_entries];
};

} // namespace

TEST_CASE("forgeries: none of 100,000 opens", "[trust]") {
  const uint64_t seed = std::random_device()();
  INFO("seed " << seed);
  Forger forger(seed);
  REQUIRE(forger.genuine_ones_open());
  RefusalCounts counts;
  for (size_t i = 0; i < 100000; i++) {
    const Forger::Attempt attempt = forger.forge(i % Forger::num_kinds);
    if (!forger.opens(attempt, counts)) continue;
    FAIL("forgery " << i << " of kind " << i % Forger::num_kinds << " opens");
  }
  REQUIRE(forger.genuine_ones_open());
  CHECK(counts.total() == 100000);
  for (size_t i = 0; i < num_refusals; i++) { // every reason occurs
    INFO(text_of(Refusal(i)));
    CHECK(counts.counts[i] > 0);
  }
}
