// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tar_layer.h"

#include <support/bytes.h>

#include <array>
#include <cassert>
#include <cstring>
#include <new>

namespace kiln {

namespace {

constexpr size_t block_size = 512;
constexpr int gzip_window = 15 + 16; ///< zlib: the largest window, with gzip's header and trailer

/// A field of a ustar header, by its offset and size in bytes.
struct Field {
  size_t at, size;
};
constexpr Field name_field{0, 100}, mode_field{100, 8}, owner_field{108, 8}, group_field{116, 8},
    size_field{124, 12}, time_field{136, 12}, checksum_field{148, 8}, kind_field{156, 1}, magic_field{257, 8};

using Header = std::array<char, block_size>;

void set(Header &header, Field field, std::string_view text) {
  assert(text.size() <= field.size);
  std::memcpy(header.data() + field.at, text.data(), text.size());
}

/// Writes a number as octal digits that fill the field, followed by a zero byte.
void set_number(Header &header, Field field, uint64_t number) {
  set(header, field, fmt::format("{:0{}o}", number, field.size - 1));
}

} // namespace

OciDigest::OciDigest() : hash_(make_sha256()) {}

std::string OciDigest::text() const { return "sha256:" + hex_text(hash_->finish()); }

TarLayer::TarLayer() {
  if (::deflateInit2(&stream_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_window, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc();
}

TarLayer::~TarLayer() { ::deflateEnd(&stream_); }

void TarLayer::add_folder(const std::string &name) { add_header(name + "/", Kind::Folder, 0755, 0); }

void TarLayer::add_file(const std::string &name, std::string_view content) {
  add_header(name, Kind::File, 0644, content.size());
  write(content);
  const Header zeros{};
  write({zeros.data(), (block_size - content.size() % block_size) % block_size});
}

void TarLayer::add_header(const std::string &name, Kind kind, unsigned mode, uint64_t size) {
  Header header{};
  set(header, name_field, name);
  set_number(header, mode_field, mode);
  for (const Field field : {owner_field, group_field, time_field}) set_number(header, field, 0);
  set_number(header, size_field, size);
  const char type = char(kind);
  set(header, kind_field, {&type, 1});
  set(header, magic_field,
      {"ustar\0"
       "00",
       8});
  set(header, checksum_field, "        "); // the checksum is computed with blanks in its own field
  unsigned sum = 0;
  for (const char c : header) sum += uint8_t(c);
  set(header, checksum_field, {fmt::format("{:06o}", sum).append(1, '\0')});
  write({header.data(), header.size()});
}

void TarLayer::write(std::string_view bytes, int flush) {
  digest_.update(bytes);
  stream_.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(bytes.data()));
  stream_.avail_in = uInt(bytes.size()); // fits, since an entry is smaller than 1.5 GiB
  std::array<char, 1 << 16> out;
  do {
    stream_.next_out = reinterpret_cast<Bytef *>(out.data());
    stream_.avail_out = uInt(out.size());
    ::deflate(&stream_, flush); // fails only if the stream is invalid
    bytes_.append(out.data(), out.size() - stream_.avail_out);
  } while (stream_.avail_out == 0);
}

TarLayer::Finished TarLayer::finish() {
  const std::array<char, 2 * block_size> end{};
  write({end.data(), end.size()}, Z_FINISH);
  return {std::move(bytes_), digest_.text()};
}

} // namespace kiln
