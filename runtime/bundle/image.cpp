// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "image.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kiln {

using namespace bundle;

namespace {

Error damaged(std::string_view what) {
  return make_error(ErrorCode::BundleError, fmt::format("the code is damaged: {}", what));
}

template <class T> T record_at(std::span<const std::byte> records, size_t index) {
  T record;
  std::memcpy(&record, records.data() + index * sizeof(T), sizeof(T));
  return record;
}

/// Executable mapping of a loaded image. The destructor unmaps it.
class ImageCode final : public HostCode {
public:
  ImageCode(std::byte *memory, uint64_t bytes, uint64_t entry, std::shared_ptr<HostFunctions> functions)
      : HostCode(memory + entry, bytes), memory_(memory), functions_(std::move(functions)) {}
  ~ImageCode() override { ::munmap(memory_, bytes()); }

private:
  std::byte *const memory_;
  /// Keeps the host functions' addresses alive, which the code reads.
  const std::shared_ptr<HostFunctions> functions_;
};

/// Finds the address of an imported function or variable. Errors: Machine; HostFunctionMissing.
Result<void *> address_of_import(const std::string &name, HostFunctions *functions) {
  if (name.starts_with(abi::HostFunctionPrefix)) {
    HostFunctions none;
    KILN_TRY(auto *cell, (functions ? *functions : none).cell(name.substr(abi::HostFunctionPrefix.size())));
    return static_cast<void *>(cell);
  }
  if (void *address = find_host_symbol(name)) return address;
  return machine_error(fmt::format("the kernel calls `{}`, which this process does not have", name),
                       "the bundle was made where there is a newer C library: make it on the oldest "
                       "system that the program is for");
}

} // namespace

std::string_view ImageView::name(uint32_t offset) const {
  return reinterpret_cast<const char *>(names.data()) + offset;
}

Result<ImageView> read_image(std::span<const std::byte> blob) {
  ImageView image;
  if (blob.size() < sizeof(ImageHeader)) return damaged("it is shorter than its header");
  std::memcpy(&image.header, blob.data(), sizeof(ImageHeader));
  const ImageHeader &h = image.header;
  size_t at = sizeof(ImageHeader);
  bool is_whole = true;
  auto take = [&](uint64_t bytes) {
    is_whole &= bytes <= blob.size() - at;
    if (!is_whole) return std::span<const std::byte>();
    auto part = blob.subspan(at, bytes);
    at += bytes;
    return part;
  };
  image.relocations = take(uint64_t(h.relocations) * sizeof(Relocation));
  image.imports = take(uint64_t(h.imports) * sizeof(Import));
  image.names = take(h.name_bytes);
  for (size_t i = 0; i < SegmentCount; i++) {
    const ImageHeader::Segment &segment = h.segments[i];
    if (segment.memory_bytes % image_page(h.machine) || segment.file_bytes > segment.memory_bytes)
      return damaged("a segment's size is impossible");
    image.segments[i] = take(segment.file_bytes);
    image.memory_bytes += segment.memory_bytes;
  }
  if (!is_whole) return damaged("it is cut off");
  if (image.memory_bytes > max_image_bytes) return damaged("it is larger than any image");
  if (h.entry >= h.segments[Text].file_bytes) return damaged("its entry lies outside");
  if (h.name_bytes && image.names.back() != std::byte(0)) return damaged("a name has no end");
  auto holds = [&](uint64_t place) { return place + 8 <= image.memory_bytes; };
  for (size_t i = 0; i < h.relocations; i++) {
    const auto r = record_at<Relocation>(image.relocations, i);
    if (!holds(r.place) || r.target > image.memory_bytes) return damaged("a relocation leads outside");
  }
  for (size_t i = 0; i < h.imports; i++) {
    const auto import = record_at<Import>(image.imports, i);
    if (!holds(import.place) || import.name >= h.name_bytes) return damaged("an import leads outside");
  }
  return image;
}

std::vector<std::string> imports_of(const ImageView &image) {
  std::vector<std::string> names;
  for (size_t i = 0; i < image.header.imports; i++)
    names.emplace_back(image.name(record_at<Import>(image.imports, i).name));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

Result<std::shared_ptr<const HostCode>> load_image(std::span<const std::byte> blob,
                                                   std::shared_ptr<HostFunctions> functions) {
  KILN_TRY(ImageView image, read_image(blob));
#if defined(__x86_64__)
  constexpr uint32_t machine = machine_x86_64;
#elif defined(__aarch64__)
  constexpr uint32_t machine = machine_aarch64;
#else
  constexpr uint32_t machine = 0;
#endif
  if (image.header.machine != machine || image_page(machine) % uint64_t(::sysconf(_SC_PAGESIZE)) != 0)
    return machine_error("the bundle's code is for another kind of CPU than this processor",
                         "bundles have code for GPUs as well, which runs on any host");
  void *pages =
      ::mmap(nullptr, image.memory_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED)
    return machine_error(fmt::format("out of memory: {} bytes for a kernel's code ({})", image.memory_bytes,
                                     std::strerror(errno)));
  auto *memory = static_cast<std::byte *>(pages);
  HostFunctions *const host_functions = functions.get();
  auto code =
      std::make_shared<ImageCode>(memory, image.memory_bytes, image.header.entry, std::move(functions));
  const auto base = uint64_t(reinterpret_cast<uintptr_t>(memory));
  std::array<uint64_t, SegmentCount> begins{};
  uint64_t at = 0;
  for (size_t i = 0; i < SegmentCount; i++) {
    begins[i] = at;
    if (!image.segments[i].empty())
      std::memcpy(memory + at, image.segments[i].data(), image.segments[i].size());
    at += image.header.segments[i].memory_bytes;
  }
  auto put = [&](uint32_t place, uint64_t value) { std::memcpy(memory + place, &value, sizeof value); };
  for (size_t i = 0; i < image.header.relocations; i++) {
    const auto r = record_at<Relocation>(image.relocations, i);
    put(r.place, base + r.target);
  }
  uint32_t last = UINT32_MAX; // imports are grouped by name
  uint64_t address = 0;
  for (size_t i = 0; i < image.header.imports; i++) {
    const auto import = record_at<Import>(image.imports, i);
    if (import.name != last) {
      KILN_TRY(void *found, address_of_import(std::string(image.name(import.name)), host_functions));
      address = uint64_t(reinterpret_cast<uintptr_t>(found));
      last = import.name;
    }
    put(import.place, address + uint64_t(import.addend));
  }
  constexpr std::array<int, SegmentCount> protection{PROT_READ | PROT_EXEC, PROT_READ,
                                                     PROT_READ | PROT_WRITE};
  for (size_t i = 0; i < SegmentCount; i++)
    if (uint64_t bytes = image.header.segments[i].memory_bytes;
        bytes && ::mprotect(memory + begins[i], bytes, protection[i]) != 0)
      return machine_error(
          fmt::format("the system does not let memory become code: {}", std::strerror(errno)));
  publish_code(memory + begins[Text], image.header.segments[Text].memory_bytes);
  return std::shared_ptr<const HostCode>(std::move(code));
}

} // namespace kiln
