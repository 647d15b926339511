// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reader.h"

#include <kiln/abi.h>
#include <kiln/extension/language/internal/hint.h>

#include <support/descriptor.h>
#include <support/support.h>

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

namespace kiln {

using namespace bundle;

// Layouts that code in a bundle relies on. A change of one of these must raise bundle::abi_version.
static_assert(abi_version == 1 && sizeof(abi::NativeThread) == 112 && sizeof(abi::Wait) == 24 &&
              sizeof(abi::WaitSite) == 16 && sizeof(abi::Unwinding) == 16 && sizeof(abi::AccessSite) == 32 &&
              sizeof(abi::ExceptionRecord) == 240 && sizeof(abi::PtxKernelState) == 8);

namespace {

uint64_t padded(uint64_t end) { return (end + blob_alignment - 1) / blob_alignment * blob_alignment; }

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

} // namespace

Error BundleReader::refused(const std::string &why, std::string hint) const {
  return make_error(ErrorCode::BundleError, fmt::format("{}: {}", name_, why), {}, std::move(hint));
}

Result<std::shared_ptr<const BundleReader>> BundleReader::open(const std::string &path) {
  std::shared_ptr<BundleReader> reader(new BundleReader());
  reader->name_ = path;
  auto failed = [&] { return reader->refused(fmt::format("cannot be read: {}", std::strerror(errno))); };
  const int file = open_descriptor(path.c_str(), O_RDONLY);
  if (file < 0) return failed();
  struct stat facts{};
  const bool is_known = ::fstat(file, &facts) == 0;
  if (is_known && !S_ISREG(facts.st_mode)) {
    ::close(file);
    return reader->refused("is no file that can be mapped");
  }
  const auto bytes = uint64_t(is_known ? facts.st_size : 0);
  void *mapped = bytes ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0) : nullptr;
  const int error = errno;
  ::close(file);
  errno = error;
  if (!is_known || mapped == MAP_FAILED) return failed();
  reader->bytes_ = {static_cast<const std::byte *>(mapped), bytes};
  reader->is_mapped_ = bytes != 0;
  KILN_CHECK(reader->read());
  return std::shared_ptr<const BundleReader>(std::move(reader));
}

Result<std::shared_ptr<const BundleReader>> BundleReader::of_memory(std::span<const std::byte> bytes,
                                                                    std::string name) {
  std::shared_ptr<BundleReader> reader(new BundleReader());
  reader->name_ = std::move(name);
  reader->bytes_ = bytes;
  if (!bytes.data() && !bytes.empty()) return usage_error(reader->name_ + ": a bundle at a null pointer");
  if (reinterpret_cast<uintptr_t>(bytes.data()) % alignof(FileHeader))
    return usage_error(reader->name_ + ": a bundle in memory begins at a multiple of 8 bytes: align it");
  KILN_CHECK(reader->read());
  return std::shared_ptr<const BundleReader>(std::move(reader));
}

BundleReader::~BundleReader() {
  if (is_mapped_) ::munmap(const_cast<std::byte *>(bytes_.data()), bytes_.size());
}

static std::string remake_hint() {
  return std::string(by_door("make it again: kiln bundle MANIFEST -o FILE",
                             "make it again: kiln::make_bundle", "make it again with the program kiln"));
}

Result<void> BundleReader::read() {
  const std::string remake = remake_hint();
  if (bytes_.size() < magic.size() || std::memcmp(bytes_.data(), magic.data(), magic.size()) != 0)
    return refused("is no bundle of Kiln's",
                   std::string(by_door("kiln bundle writes them", "kiln::make_bundle writes them",
                                       "kiln bundle writes them")));
  FileHeader header;
  if (bytes_.size() < sizeof header) return refused("the bundle is cut off within its header", remake);
  std::memcpy(&header, bytes_.data(), sizeof header);
  // Check the version first: another version may have another header.
  if (header.version > format_version)
    return refused(fmt::format("the bundle is of version {}, and this library reads version {}",
                               header.version, format_version),
                   "link a newer Kiln runtime, or make the bundle with the version of Kiln that the program "
                   "links");
  if (header.version < format_version)
    return refused(fmt::format("the bundle is of version {}, and this library reads version {}",
                               header.version, format_version),
                   remake);
  if (fingerprint_of(text_of(bytes_.first(offsetof(FileHeader, header_digest)))).low != header.header_digest)
    return refused("the bundle's header was altered: its checksum is another", remake);
  if (header.file_bytes != bytes_.size())
    return refused(fmt::format("the bundle has {} bytes and was written with {}: it {}", bytes_.size(),
                               header.file_bytes,
                               bytes_.size() < header.file_bytes ? "is cut off" : "was appended to"),
                   remake);
  if (header.abi != abi_version)
    return refused(
        fmt::format("the bundle's code is for version {} of Kiln's binary interface, and this library "
                    "has version {}",
                    header.abi, abi_version),
        remake);
  if (header.index_at % 8 || header.index_at > bytes_.size() ||
      header.index_bytes > bytes_.size() - header.index_at)
    return refused("the bundle's index lies outside of it", remake);
  if (header.index_at + header.index_bytes != bytes_.size())
    return refused("the bundle does not end with its index", remake);
  code_end_ = header.index_at;
  const auto index = bytes_.subspan(header.index_at, header.index_bytes);
  const Fingerprint digest = fingerprint_of(text_of(index));
  if (digest.high != header.index_digest[0] || digest.low != header.index_digest[1])
    return refused("the bundle's index was altered: its checksum is another", remake);
  return read_index(index);
}

Result<void> BundleReader::read_index(std::span<const std::byte> index) {
  // A matching checksum does not make an index valid: check every offset.
  auto wrong = [&](std::string_view what) {
    return refused(fmt::format("the bundle's index is wrong: {}", what));
  };
  IndexHeader h;
  if (index.size() < sizeof h) return wrong("it is too short");
  std::memcpy(&h, index.data(), sizeof h);
  size_t at = sizeof h;
  bool is_whole = true;
  auto take = [&]<class T>(uint32_t count, std::span<const T> &records) {
    const uint64_t bytes = uint64_t(count) * sizeof(T);
    is_whole = is_whole && bytes <= index.size() - at;
    if (!is_whole) return;
    records = {reinterpret_cast<const T *>(index.data() + at), count};
    at += bytes;
  };
  take(h.kernels, kernels_);
  take(h.parameters, parameters_);
  take(h.parts, parts_);
  take(h.codes, codes_);
  std::span<const char> strings;
  take(h.string_bytes, strings);
  if (!is_whole) return wrong("it is too short");
  if (strings.empty() || strings.front() != 0 || strings.back() != 0) return wrong("a string has no end");
  strings_ = strings.data();
  auto is_string = [&](uint32_t string) { return string < strings.size(); };
  auto is_range = [](Range range, size_t of) { return range.first <= of && range.count <= of - range.first; };
  for (const KernelRecord &k : kernels_)
    if (!is_string(k.name) || !is_string(k.signature) || !is_string(k.call) || !is_string(k.language) ||
        !is_range(k.parameters, parameters_.size()) || !is_range(k.codes, codes_.size()))
      return wrong("a kernel leads outside");
  for (const ParameterRecord &p : parameters_) {
    if (!is_string(p.type) || !is_string(p.name) || !is_range(p.parts, parts_.size()))
      return wrong("a parameter leads outside");
    if (p.size == 0 || p.size > (uint64_t(1) << 20)) return wrong("a parameter's size is impossible");
    for (const PartRecord &part : parts(p)) {
      const uint64_t bytes = part.is_array ? 8 * (uint64_t(part.rank) + 3) : 8;
      if (part.offset > p.size || bytes > p.size - part.offset) return wrong("an address lies outside");
    }
  }
  for (const CodeRecord &c : codes_) {
    if (!is_string(c.entry) || c.at > bytes_.size() || c.bytes > bytes_.size() - c.at)
      return wrong("a piece of code lies outside");
    if (c.kind != CodeKind::CpuImage && c.kind != CodeKind::Cubin && c.kind != CodeKind::Ptx &&
        c.kind != CodeKind::Spirv)
      return wrong("code of an unknown kind");
  }
  if (!is_without_gaps()) return wrong("bytes belong to no piece of code");
  for (size_t i = 1; i < kernels_.size(); i++) {
    const KernelRecord &before = kernels_[i - 1], &k = kernels_[i];
    const int order = text(before.name).compare(text(k.name));
    if (order > 0 || (order == 0 && text(before.signature) >= text(k.signature)))
      return wrong("kernels are out of order");
  }
  return {};
}

/// True if every byte of the file is part of the header, a piece of code, its padding or the index.
bool BundleReader::is_without_gaps() const {
  std::vector<std::pair<uint64_t, uint64_t>> pieces; // kernels may share a piece
  for (const CodeRecord &c : codes_) pieces.emplace_back(c.at, c.bytes);
  std::sort(pieces.begin(), pieces.end());
  pieces.erase(std::unique(pieces.begin(), pieces.end()), pieces.end());
  uint64_t end = sizeof(FileHeader);
  for (const auto &[at, bytes] : pieces) {
    if (at != padded(end)) return false;
    end = at + bytes;
  }
  return code_end_ == padded(end);
}

Result<std::span<const std::byte>> BundleReader::blob(const CodeRecord &code) const {
  const auto blob = bytes_.subspan(code.at, code.bytes);
  const uint64_t end = code.at + code.bytes;
  // The reader checked that this end is at most the index's start.
  const auto padding = bytes_.subspan(end, padded(end) - end);
  const Fingerprint digest = fingerprint_of(text_of(blob));
  const bool is_padded = std::ranges::all_of(padding, [](std::byte b) { return b == std::byte(); });
  if (digest.high != code.digest[0] || digest.low != code.digest[1] || !is_padded)
    return refused(fmt::format("the code of {} was altered: its checksum is another", text(code.entry)),
                   remake_hint());
  return blob;
}

} // namespace kiln
