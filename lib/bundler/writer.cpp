// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "writer.h"

#include <support/support.h>

#include <cstddef>
#include <map>

namespace kiln {

using namespace bundle;

namespace {

template <class T> std::string_view bytes_of(const std::vector<T> &records) {
  return {reinterpret_cast<const char *>(records.data()), records.size() * sizeof(T)};
}
template <class T> std::string_view bytes_of(const T &value) {
  return {reinterpret_cast<const char *>(&value), sizeof value};
}

class Writer {
public:
  Writer() { string(""); }

  void add(const BundledKernel &kernel) {
    KernelRecord record{};
    record.name = string(kernel.name);
    record.signature = string(kernel.signature);
    record.call = string(kernel.call);
    record.language = string(kernel.language);
    record.parameters = {uint32_t(parameters_.size()), uint32_t(kernel.parameters.size())};
    for (const BundledParameter &p : kernel.parameters) {
      parameters_.push_back({.argument = p.argument,
                             .align = p.align,
                             .size = p.size,
                             .type = string(p.type),
                             .name = string(p.name),
                             .parts = {uint32_t(parts_.size()), uint32_t(p.parts.size())}});
      for (const MemoryPart &part : p.parts)
        parts_.push_back({.is_array = part.is_array,
                          .rank = part.rank,
                          .offset = part.offset,
                          .element_bytes = part.element_bytes});
    }
    record.codes = {uint32_t(codes_.size()), uint32_t(kernel.codes.size())};
    for (const BundledCode &code : kernel.codes) {
      const Fingerprint digest = fingerprint_of(code.blob);
      codes_.push_back({.kind = code.kind,
                        .level = code.level,
                        .flags = code.flags,
                        .entry = string(code.entry),
                        .isa = code.isa,
                        .reserved = 0,
                        .shared_bytes = code.shared_bytes,
                        .at = blob(code.blob, digest),
                        .bytes = code.blob.size(),
                        .digest = {digest.high, digest.low}});
    }
    kernels_.push_back(record);
  }

  std::string finish() {
    IndexHeader counts{.kernels = uint32_t(kernels_.size()),
                       .parameters = uint32_t(parameters_.size()),
                       .parts = uint32_t(parts_.size()),
                       .codes = uint32_t(codes_.size()),
                       .string_bytes = uint32_t(strings_.size()),
                       .reserved = 0};
    std::string index(bytes_of(counts));
    index += bytes_of(kernels_);
    index += bytes_of(parameters_);
    index += bytes_of(parts_);
    index += bytes_of(codes_);
    index += strings_;
    align();
    FileHeader header{.magic = magic,
                      .version = format_version,
                      .abi = abi_version,
                      .file_bytes = out_.size() + index.size(),
                      .index_at = out_.size(),
                      .index_bytes = index.size(),
                      .index_digest = {},
                      .header_digest = 0};
    const Fingerprint digest = fingerprint_of(index);
    header.index_digest = {digest.high, digest.low};
    header.header_digest =
        fingerprint_of(bytes_of(header).substr(0, offsetof(FileHeader, header_digest))).low;
    out_.replace(0, sizeof header, bytes_of(header));
    return std::move(out_) + index;
  }

private:
  uint32_t string(const std::string &text) {
    auto [at, is_new] = string_at_.emplace(text, uint32_t(strings_.size()));
    if (is_new) strings_ += text + '\0';
    return at->second;
  }
  uint64_t blob(const std::string &bytes, Fingerprint digest) {
    auto [at, is_new] = blob_at_.try_emplace(digest);
    if (is_new) {
      align();
      at->second = out_.size();
      out_ += bytes;
    }
    return at->second;
  }
  void align() { out_.resize((out_.size() + blob_alignment - 1) / blob_alignment * blob_alignment); }

  std::string out_ = std::string(sizeof(FileHeader), '\0'), strings_;
  std::map<std::string, uint32_t> string_at_;
  std::map<Fingerprint, uint64_t> blob_at_;
  std::vector<KernelRecord> kernels_;
  std::vector<ParameterRecord> parameters_;
  std::vector<PartRecord> parts_;
  std::vector<CodeRecord> codes_;
};

} // namespace

std::string write_bundle(std::span<const BundledKernel> kernels) {
  Writer writer;
  for (const BundledKernel &kernel : kernels) writer.add(kernel);
  return writer.finish();
}

} // namespace kiln
