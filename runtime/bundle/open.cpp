// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens a bundle and lists its kernels. Implements a part of kiln/bundle.h.
#include "images.h"
#include "state.h"

#include <algorithm>

namespace kiln {

using namespace bundle;

namespace {

Error empty_bundle() { return usage_error("an empty handle of a bundle: Bundle::open makes them"); }

/// Removes blanks: "A{B, 1}" and "A{B,1}" are the same type.
std::string compact(std::string_view text) {
  std::string without;
  for (char c : text)
    if (c != ' ' && c != '\t' && c != '\n') without += c;
  return without;
}

/// Finds the index range [first, last) of the kernels with this name.
std::pair<uint32_t, uint32_t> named(const BundleReader &reader, std::string_view name) {
  const auto kernels = reader.kernels();
  auto first =
      std::lower_bound(kernels.begin(), kernels.end(), name,
                       [&](const KernelRecord &k, std::string_view n) { return reader.text(k.name) < n; });
  auto last = first;
  while (last != kernels.end() && reader.text(last->name) == name) ++last;
  return {uint32_t(first - kernels.begin()), uint32_t(last - kernels.begin())};
}

Error no_kernel(const BundleReader &reader, std::string_view name) {
  std::string list;
  uint32_t left = 8;
  std::string_view before;
  for (const KernelRecord &k : reader.kernels()) {
    if (reader.text(k.name) == before) continue;
    before = reader.text(k.name);
    if (left == 0) {
      list += ", ...";
      break;
    }
    left--;
    list += fmt::format("{}{}", list.empty() ? "" : ", ", before);
  }
  return usage_error(fmt::format("{} has no kernel {}; it has {}", reader.name(), name,
                                 list.empty() ? "none at all" : list));
}

/// Lists the kernels of an index range, one line "f(A, B)" each.
std::string list_of(const BundleReader &reader, std::pair<uint32_t, uint32_t> range) {
  std::string list;
  for (uint32_t i = range.first; i < range.second; i++) {
    const KernelRecord &k = reader.kernels()[i];
    list += fmt::format("\n  {}({})", reader.text(k.name), reader.text(k.signature));
  }
  return list;
}

} // namespace

std::string architecture_of(const CodeRecord &code) {
  if (code.kind == CodeKind::CpuImage) return cpu_level_name(code.level);
  if (code.kind == CodeKind::Spirv) return spirv_name(code.level);
  return arch_name(image_of(code).arch);
}

Result<Bundle> Bundle::open(const std::string &path, const BundleOptions &options,
                            const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::bundle_structures()));
  KILN_TRY(auto reader, BundleReader::open(path));
  return Bundle(std::make_shared<State>(std::move(reader), options));
}

Result<Bundle> Bundle::from_memory(const void *data, size_t bytes, const BundleOptions &options,
                                   const ProgramHeaders &headers) {
  KILN_CHECK(check_headers(headers, detail::bundle_structures()));
  KILN_TRY(auto reader,
           BundleReader::of_memory({static_cast<const std::byte *>(data), bytes}, "the bundle in memory"));
  return Bundle(std::make_shared<State>(std::move(reader), options));
}

size_t Bundle::size() const { return state_ ? state_->reader->kernels().size() : 0; }

BundleKernel Bundle::kernel(size_t index) const {
  return index < size() ? BundleKernel(state_, uint32_t(index)) : BundleKernel();
}

Result<BundleKernel> Bundle::find(std::string_view name) const {
  if (!state_) return empty_bundle();
  const BundleReader &reader = *state_->reader;
  const auto range = named(reader, name);
  if (range.first == range.second) return no_kernel(reader, name);
  if (range.second - range.first > 1)
    return usage_error(fmt::format("{} has several kernels {}, so its argument types must be said:{}",
                                   reader.name(), name, list_of(reader, range)));
  return BundleKernel(state_, range.first);
}

Result<BundleKernel> Bundle::find(std::string_view name, std::string_view signature) const {
  if (!state_) return empty_bundle();
  const BundleReader &reader = *state_->reader;
  const auto range = named(reader, name);
  if (range.first == range.second) return no_kernel(reader, name);
  const std::string wanted = compact(signature);
  for (uint32_t i = range.first; i < range.second; i++) {
    const KernelRecord &k = reader.kernels()[i];
    if (compact(reader.text(k.signature)) == wanted || compact(reader.text(k.call)) == wanted)
      return BundleKernel(state_, i);
  }
  return usage_error(
      fmt::format("{} has no {}({}); it has{}", reader.name(), name, signature, list_of(reader, range)));
}

Result<void> Bundle::verify() const {
  if (!state_) return empty_bundle();
  for (const KernelRecord &kernel : state_->reader->kernels())
    for (const CodeRecord &code : state_->reader->codes(kernel)) KILN_CHECK(state_->reader->blob(code));
  return {};
}

std::string_view BundleKernel::name() const {
  return bundle_ ? bundle_->reader->text(bundle_->reader->kernels()[index_].name) : std::string_view();
}
std::string_view BundleKernel::signature() const {
  return bundle_ ? bundle_->reader->text(bundle_->reader->kernels()[index_].signature) : std::string_view();
}

std::string_view BundleKernel::language() const {
  if (!bundle_) return {};
  const std::string_view language = bundle_->reader->text(bundle_->reader->kernels()[index_].language);
  return language.empty() ? "julia" : language;
}

std::vector<BundleParameter> BundleKernel::parameters() const {
  std::vector<BundleParameter> all;
  if (!bundle_) return all;
  const BundleReader &reader = *bundle_->reader;
  for (const ParameterRecord &p : reader.parameters(reader.kernels()[index_]))
    all.push_back({.name = reader.text(p.name),
                   .type = reader.text(p.type),
                   .argument = p.argument,
                   .size = p.size,
                   .align = p.align});
  return all;
}

std::vector<BundleCode> BundleKernel::codes() const {
  std::vector<BundleCode> all;
  if (!bundle_) return all;
  for (const CodeRecord &c : bundle_->reader->codes(bundle_->reader->kernels()[index_]))
    all.push_back({.kind = c.kind == CodeKind::CpuImage ? BundleCode::Kind::Cpu
                           : c.kind == CodeKind::Cubin  ? BundleCode::Kind::Cubin
                           : c.kind == CodeKind::Spirv  ? BundleCode::Kind::Spirv
                                                        : BundleCode::Kind::Ptx,
                   .architecture = architecture_of(c),
                   .bytes = c.bytes,
                   .ptx_isa = int(c.isa)});
  return all;
}

} // namespace kiln
