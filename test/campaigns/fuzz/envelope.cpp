// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes are an envelope or a refusal. Of all bytes, only those that the writer sealed open for a reader
// who trusts it; the first byte of an input chooses what is done with the rest.
#include <trust/trust.h>

#include <cstdlib>
#include <cstring>

using namespace kiln;

namespace {

constexpr UtcSeconds now = 1796083200;
constexpr std::string_view build = "build 1";

struct Store {
  SecretKey key = SecretKey::generate().value();
  TrustPolicy required{
      .list =
          TrustList::parse("list", public_key_line(key.public_key(), "writer") + " from=2026-01-01").value()};
  TrustPolicy none{.mode = TrustMode::None};
  Digest name{};
  std::string genuine = seal_envelope(name, build, "the payload of an entry", &key, now).value();

  void open(std::string_view bytes) const {
    const auto opened = open_envelope(name, build, bytes, required, now);
    if (opened.ok() ? bytes != genuine : !refusal_of(opened.error())) std::abort();
    if (!open_envelope(name, build, bytes, none, now).ok() && opened.ok()) std::abort();
    (void)split_envelope(bytes);
  }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const Store store;
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char *>(data) + 1, size - 1);
  switch (data[0] & 3) {
  case 0: store.open(input); break;
  case 1: { // the genuine envelope, altered: place and difference, three bytes each
    std::string bytes = store.genuine;
    for (size_t i = 0; i + 3 <= input.size(); i += 3)
      bytes[(uint8_t(input[i]) | uint8_t(input[i + 1]) << 8) % bytes.size()] ^= input[i + 2];
    store.open(bytes);
    break;
  }
  case 2: { // cut off, and extended
    const size_t keep = input.empty() ? 0 : uint8_t(input[0]);
    store.open(store.genuine.substr(0, keep) + std::string(input.substr(input.empty() ? 0 : 1)));
    break;
  }
  default:
    if (const auto list = TrustList::parse("list", std::string(input)); list.ok())
      for (const TrustedKey &each : list->keys())
        if (each.from >= each.until || list->find(each.id) != &each) std::abort();
  }
  return 0;
}
