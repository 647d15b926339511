// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes whatever are a bundle or an error, and an image or an error. Checksums would stop the fuzzer at
// the door, so the bytes are signed before they are read, as whoever makes a bundle on purpose would. No code
// is loaded: a bundle's code is trusted.
#include <bundle/bundle.h>
#include <bundle/state.h>
#include <support/support.h>

#include <cstddef>
#include <cstring>
#include <vector>

using namespace kiln;
using namespace kiln::bundle;

static void sign(std::span<std::byte> bytes) {
  FileHeader header;
  if (bytes.size() < sizeof header) return;
  std::memcpy(&header, bytes.data(), sizeof header);
  header.magic = magic;
  header.version = format_version;
  header.abi = abi_version;
  header.file_bytes = bytes.size();
  header.index_at = header.index_at % bytes.size() / blob_alignment * blob_alignment;
  header.index_bytes = bytes.size() - header.index_at;
  auto text = [&](size_t at, size_t size) {
    return std::string_view(reinterpret_cast<const char *>(bytes.data()) + at, size);
  };
  const bool covers_header = header.index_at < sizeof header;
  std::memcpy(bytes.data(), &header, sizeof header);
  if (covers_header) return; // such an index cannot be signed
  const Fingerprint index = fingerprint_of(text(header.index_at, header.index_bytes));
  header.index_digest = {index.high, index.low};
  std::memcpy(bytes.data(), &header, sizeof header);
  header.header_digest = fingerprint_of(text(0, offsetof(FileHeader, header_digest))).low;
  std::memcpy(bytes.data(), &header, sizeof header);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  const bool is_signed = data[0] & 1;
  std::vector<uint64_t> words((size + 7) / 8);
  std::memcpy(words.data(), data + 1, size - 1);
  const std::span<std::byte> bytes(reinterpret_cast<std::byte *>(words.data()), size - 1);
  if (is_signed) sign(bytes);
  (void)read_image(bytes);
  auto bundle = Bundle::from_memory(bytes.data(), bytes.size());
  if (!bundle.ok()) return 0;
  (void)bundle->verify();
  (void)bundle->find("f", "Int64");
  for (size_t i = 0; i < bundle->size(); i++) {
    const BundleKernel kernel = bundle->kernel(i);
    for (const BundleParameter &p : kernel.parameters()) (void)std::string(p.type);
    for (const BundleCode &code : kernel.codes()) (void)code.architecture.size();
    (void)bundle->find(kernel.name());
    (void)bundle->find(kernel.name(), kernel.signature());
  }
  const auto reader = BundleReader::of_memory(bytes, "bundle");
  for (const KernelRecord &kernel : (*reader)->kernels())
    for (const CodeRecord &code : (*reader)->codes(kernel)) {
      if (auto image = read_image(std::as_bytes(bytes.subspan(code.at, code.bytes))); image.ok())
        (void)imports_of(*image);
    }
  return 0;
}
