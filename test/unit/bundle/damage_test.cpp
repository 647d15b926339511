// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundles that are not whole: each is refused in words, and nothing of it is followed.
#include "bundle_fixture.h"
#include "host_cpu.h"

#include <support/support.h>

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::test;
using namespace kiln::bundle;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string &small() {
  static const std::string made =
      write_bundle(compile("using CUDA\nfunction put(y, a)\n  y[threadIdx().x] = a\n  return\nend\n",
                           {"put(CuDeviceVector{Int64,1}, Int64)"})
                       .kernels);
  return made;
}

template <class T> T read(const std::string &bytes, size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}
template <class T> void put(std::string &bytes, size_t at, const T &value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// As a writer would have signed it: what is wrong behind the checksums.
std::string signed_again(std::string bytes) {
  auto header = read<FileHeader>(bytes, 0);
  const Fingerprint index =
      fingerprint_of(std::string_view(bytes).substr(header.index_at, header.index_bytes));
  header.index_digest = {index.high, index.low};
  put(bytes, 0, header);
  header.header_digest =
      fingerprint_of(std::string_view(bytes).substr(0, offsetof(FileHeader, header_digest))).low;
  put(bytes, 0, header);
  return bytes;
}

std::string opened(const std::string &bytes) { return fault(Aligned(bytes).open()); }

} // namespace

TEST_CASE("a bundle that is cut off anywhere is refused") {
  for (size_t size = 0; size < small().size(); size += size < 300 ? 1 : 97) {
    CAPTURE(size);
    CHECK_THAT(opened(small().substr(0, size)), StartsWith("1 BundleError: the bundle in memory: "));
  }
  CHECK_THAT(opened(small().substr(0, 40)), Contains("cut off within its header"));
  CHECK_THAT(opened(small().substr(0, small().size() - 1)), Contains("it is cut off"));
  CHECK_THAT(opened(small() + "x"), Contains("it was appended to"));
  CHECK_THAT(opened("not a bundle at all"), Contains("is no bundle of Kiln's"));
}

TEST_CASE(
    "a bit that was altered is found: in header and index at the opening, in code and padding at its use") {
  // Two kernels with pieces of code of lengths that the alignment does not divide.
  auto report = compile("using CUDA\nfunction put(y, a)\n  y[threadIdx().x] = a\n  return\nend\n",
                        {"put(CuDeviceVector{Int64,1}, Int64)", "put(CuDeviceVector{Float64,1}, Float64)"});
  size_t padding = 0;
  for (BundledKernel &kernel : report.kernels)
    for (BundledCode &code : kernel.codes) {
      code.blob.resize(code.blob.size() | 1);
      padding += blob_alignment - code.blob.size() % blob_alignment;
    }
  const std::string whole = write_bundle(report.kernels);
  REQUIRE(padding > 1);
  REQUIRE(must(Aligned(whole).open()).verify().ok());
  const auto header = read<FileHeader>(whole, 0);
  size_t altered_padding = 0;
  const auto reader = [&] {
    static const Aligned file(whole);
    return must(BundleReader::of_memory({static_cast<const std::byte *>(file.data()), file.size()}, "file"));
  }();
  for (size_t at = 0; at < whole.size(); at++) {
    bool is_code = false;
    for (const KernelRecord &kernel : reader->kernels())
      for (const CodeRecord &code : reader->codes(kernel))
        is_code |= at >= code.at && at < code.at + code.bytes;
    if (is_code && at % 53) continue;
    const bool is_padding = !is_code && at >= sizeof(FileHeader) && at < header.index_at;
    altered_padding += is_padding;
    for (int bit = 0; bit < 8; bit++) {
      CAPTURE(at, bit);
      std::string altered = whole;
      altered[at] = char(altered[at] ^ (1 << bit));
      const Aligned file(altered);
      auto bundle = file.open();
      REQUIRE(bundle.ok() == (is_code || is_padding));
      if (bundle.ok()) CHECK_FALSE(bundle->verify().ok());
    }
  }
  CHECK(altered_padding == padding);
}

TEST_CASE("bytes that belong to nothing are refused though every checksum is right") {
  std::string wide = small();
  auto header = read<FileHeader>(wide, 0);
  wide.insert(header.index_at, blob_alignment, '\0');
  header.index_at += blob_alignment;
  header.file_bytes += blob_alignment;
  put(wide, 0, header);
  CHECK_THAT(opened(signed_again(wide)), Contains("bytes belong to no piece of code"));
  std::string longer = small() + std::string(8, '\0');
  header = read<FileHeader>(longer, 0);
  header.file_bytes += 8;
  put(longer, 0, header);
  CHECK_THAT(opened(signed_again(longer)), Contains("does not end with its index"));
}

TEST_CASE("a bundle of another version says which, whatever else it holds") {
  std::string newer = small();
  put(newer, offsetof(FileHeader, version), format_version + 1);
  CHECK_THAT(opened(newer), Contains("the bundle is of version 3, and this library reads version 2"));
  std::string older = small();
  put(older, offsetof(FileHeader, version), uint32_t(0));
  CHECK_THAT(opened(older), Contains("is of version 0"));
  std::string abi = small();
  put(abi, offsetof(FileHeader, abi), abi_version + 1);
  CHECK_THAT(opened(abi), Contains("header was altered"));
  CHECK_THAT(opened(signed_again(abi)), Contains("version 2 of Kiln's binary interface"));
}

TEST_CASE("an index that leads outside is refused though its checksum is right") {
  const auto header = read<FileHeader>(small(), 0);
  for (size_t at = header.index_at; at + 4 <= header.index_at + header.index_bytes; at += 4)
    for (uint32_t value : {uint32_t(0xffffffff), uint32_t(0x7fffffff), uint32_t(4096)}) {
      CAPTURE(at, value);
      std::string wrong = small();
      put(wrong, at, value);
      const Aligned file(signed_again(wrong));
      if (auto bundle = file.open(); bundle.ok()) { // a number that means nothing to the reader, or a text
        (void)bundle->verify();
        for (size_t i = 0; i < bundle->size(); i++) {
          (void)bundle->kernel(i).parameters();
          (void)bundle->kernel(i).codes();
          (void)bundle->find(bundle->kernel(i).name());
        }
      }
    }
}

TEST_CASE("an image whose parts lead outside is refused") {
  const auto report = compile("using CUDA\nfunction put(y, a)\n  y[threadIdx().x] = exp(a)\n  return\nend\n",
                              {"put(CuDeviceVector{Float64,1}, Float64)"});
  const std::string image = report.kernels[0].codes[0].blob;
  auto read_as_image = [](const std::string &bytes) {
    return read_image({reinterpret_cast<const std::byte *>(bytes.data()), bytes.size()});
  };
  const auto view = must(read_as_image(image));
  CHECK(view.header.imports > 0); // what throws, at least
  for (size_t size = 0; size < image.size(); size += 7)
    CHECK_FALSE(read_as_image(image.substr(0, size)).ok());
  for (size_t at = 0; at + 4 <= sizeof(ImageHeader) + view.relocations.size() + view.imports.size();
       at += 4) {
    CAPTURE(at);
    std::string wrong = image;
    put(wrong, at, uint32_t(0xfffffff0));
    (void)read_as_image(
        wrong); // an addend may be anything: all else is in bounds or refused, as the sanitizers see
  }
  std::string far = image;
  put(far, offsetof(ImageHeader, entry), uint32_t(0xfffffff0));
  CHECK_THAT(fault(read_as_image(far)), Contains("the code is damaged: its entry lies outside"));
  std::string foreign = image;
  const uint32_t other = host_elf_machine == machine_x86_64 ? machine_aarch64 : machine_x86_64;
  put(foreign, offsetof(ImageHeader, machine), other);
  for (size_t i = 0; i < SegmentCount; i++) { // sizes that suit both architectures
    const size_t at = offsetof(ImageHeader, segments) + i * sizeof(ImageHeader::Segment);
    put(foreign, at + offsetof(ImageHeader::Segment, memory_bytes), uint32_t(1 << 20));
  }
  CHECK_THAT(fault(load_image({reinterpret_cast<const std::byte *>(foreign.data()), foreign.size()})),
             Contains("for another kind of CPU than this processor"));
}

TEST_CASE("files that are none") {
  Scratch folder;
  CHECK_THAT(fault(Bundle::open((folder.path / "none.kiln").string())),
             Contains("cannot be read: No such file"));
  CHECK_THAT(fault(Bundle::open(folder.path.string())), Contains("is no file that can be mapped"));
  std::ofstream(folder.path / "empty.kiln").flush();
  CHECK_THAT(fault(Bundle::open((folder.path / "empty.kiln").string())), Contains("is no bundle of Kiln's"));
  const std::string path = (folder.path / "small.kiln").string();
  std::ofstream(path, std::ios::binary) << small();
  CHECK(must(Bundle::open(path)).size() == 1);
  CHECK_THAT(fault(Bundle::from_memory(nullptr, 8)), Contains("null pointer"));
  Aligned file(" " + small());
  CHECK_THAT(fault(Bundle::from_memory(static_cast<const char *>(file.data()) + 1, small().size())),
             Contains("begins at a multiple of 8 bytes"));
}
