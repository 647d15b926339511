// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "entry.h"

#include <zstd.h>

namespace kiln {

namespace {

constexpr uint64_t magic = 0x626f6c426e6c694b; // "KilnBlob"
constexpr uint32_t compressed_flag = 1;
constexpr size_t checksum_at = 48, worth_compressing = size_t(16) << 10;

Fingerprint checksum_of(std::string_view header, std::string_view stored) {
  Fingerprinter sum(Fingerprinter::Use::Checksum);
  sum.bytes(header.data(), checksum_at).bytes(stored.data(), stored.size());
  return sum.finish();
}

std::string compressed(std::string_view content) {
  std::string packed(ZSTD_compressBound(content.size()), '\0');
  size_t size = ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), 1);
  if (ZSTD_isError(size)) return {};
  packed.resize(size);
  return packed;
}

Error damaged(std::string_view what) { return input_error(fmt::format("a damaged entry: {}", what)); }

} // namespace

std::string seal_entry(Fingerprint key, std::string_view content) {
  std::string packed;
  if (content.size() >= worth_compressing) packed = compressed(content);
  bool is_packed = !packed.empty() && packed.size() <= content.size() - content.size() / 4;
  std::string_view stored = is_packed ? std::string_view(packed) : content;
  ByteWriter header;
  header.add(magic)
      .add(entry_version)
      .add(is_packed ? compressed_flag : 0u)
      .add_short(key)
      .add(uint64_t(content.size()))
      .add(uint64_t(stored.size()));
  std::string entry = header.take();
  ByteWriter sum;
  sum.add_short(checksum_of(entry, stored));
  entry.reserve(entry_header_size + stored.size());
  entry += sum.take();
  entry += stored;
  return entry;
}

Result<std::string> open_entry(Fingerprint key, std::string_view entry) {
  if (entry.size() < entry_header_size) return damaged(fmt::format("{} bytes are no header", entry.size()));
  ByteReader header(entry.substr(0, entry_header_size));
  if (header.number<uint64_t>() != magic) return damaged("it does not begin as entries do");
  if (uint32_t version = header.number<uint32_t>(); version != entry_version)
    return damaged(fmt::format("version {} of the format, and this is version {}", version, entry_version));
  uint32_t flags = header.number<uint32_t>();
  Fingerprint own = header.short_fingerprint();
  uint64_t size = header.number<uint64_t>(), stored_size = header.number<uint64_t>();
  Fingerprint sum = header.short_fingerprint();
  std::string_view stored = entry.substr(entry_header_size);
  if (own != key) return damaged("it belongs to another key");
  if (stored_size != stored.size() || size > max_entry_size)
    return damaged(fmt::format("{} bytes of {}", stored.size(), stored_size));
  if (sum != checksum_of(entry, stored)) return damaged("its checksum is another");
  // The checksum matches, so that the checks below fail only for an entry that its writer made wrong.
  if (flags & ~compressed_flag) return damaged("flags that this version does not know");
  if (!(flags & compressed_flag)) {
    if (size != stored_size) return damaged("two sizes");
    return std::string(stored);
  }
  std::string content(size, '\0');
  size_t got = ZSTD_decompress(content.data(), content.size(), stored.data(), stored.size());
  if (ZSTD_isError(got) || got != size) return damaged("its content cannot be unpacked");
  return content;
}

} // namespace kiln
