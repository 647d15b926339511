// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "package_index.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>

namespace kiln::julia {

namespace {

/// Changed with the layout of the bytes. The key already contains Kiln's build.
constexpr std::string_view magic = "kiln package index 4";

class Writer {
public:
  Writer &add(uint64_t number) {
    bytes_.append(reinterpret_cast<const char *>(&number), sizeof number);
    return *this;
  }
  Writer &add(std::string_view text) {
    add(text.size());
    bytes_ += text;
    return *this;
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

/// Reads numbers and texts, and checks bounds. Once data are missing or too large, it has failed, and returns
/// zeros and empty texts.
class Reader {
public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}
  uint64_t number(uint64_t max = UINT64_MAX) {
    uint64_t value = 0;
    if (bytes_.size() < sizeof value) return fail();
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value <= max ? value : fail();
  }
  uint32_t offset() { return uint32_t(number(UINT32_MAX)); }
  /// Reads the length of a list. Each element takes at least `min_numbers` numbers, which bounds the length.
  uint64_t count(size_t min_numbers) { return number(bytes_.size() / (min_numbers * sizeof(uint64_t))); }
  std::string_view text() {
    const size_t size = number(bytes_.size());
    if (size > bytes_.size()) return fail(), std::string_view();
    std::string_view read = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return read;
  }
  bool is_done() const { return !failed_ && bytes_.empty(); }

private:
  uint64_t fail() {
    failed_ = true;
    bytes_ = {};
    return 0;
  }
  std::string_view bytes_;
  bool failed_ = false;
};

} // namespace

uint32_t PackageIndex::owner(Owner wanted) {
  const std::string key = fmt::format("{}.{} {}", wanted.module, wanted.name, wanted.is_function);
  auto [found, is_new] = places_.emplace(key, uint32_t(owners.size()));
  if (is_new) owners.push_back(std::move(wanted));
  return found->second;
}

PackageIndex::File *PackageIndex::find(std::string_view path) {
  auto found = std::ranges::find(files, path, &File::path);
  return found == files.end() ? nullptr : &*found;
}

std::string IndexedPackage::relative(const std::string &path) const {
  return std::filesystem::path(path).lexically_normal().lexically_relative(folder).string();
}

Fingerprint IndexedPackage::content() const {
  Fingerprinter all;
  for (const PackageIndex::File &file : index.files) all.add(file.path).add(file.text);
  return all.finish();
}

std::string PackageIndex::write() const {
  Writer out;
  std::vector<Symbol> names;
  std::unordered_map<Symbol, uint64_t> places;
  auto place_of = [&](Symbol name) -> uint64_t { // 0: no name
    if (!name) return 0;
    auto [found, is_new] = places.emplace(name, names.size() + 1);
    if (is_new) names.push_back(name);
    return found->second;
  };
  for (const File &file : files)
    for (const Statement &each : file.later)
      for (const std::vector<CallShape> &shapes : each.shapes)
        for (const CallShape &shape : shapes)
          for (const CallShape::Head &head : shape.heads) place_of(head.name), place_of(head.inner);
  out.add(magic).add(names.size());
  for (Symbol name : names) out.add(name.text());
  out.add(owners.size());
  for (const Owner &owner : owners) out.add(owner.module).add(owner.name).add(owner.is_function);
  out.add(files.size());
  for (const File &file : files) {
    out.add(file.path).add(file.text.high).add(file.text.low);
    out.add(file.triggers.size());
    for (const std::string &trigger : file.triggers) out.add(trigger);
    const bool waits = !file.is_included_twice;
    out.add(waits ? file.later.size() : 0);
    if (!waits) continue;
    for (const Statement &each : file.later) {
      out.add(each.begin).add(each.end).add(each.methods).add(each.owners.size());
      for (size_t i = 0; i < each.owners.size(); ++i) {
        out.add(each.owners[i]).add(each.shapes[i].size());
        for (const CallShape &shape : each.shapes[i]) {
          out.add(shape.parameters).add(shape.is_vararg).add(shape.heads.size());
          for (const CallShape::Head &head : shape.heads)
            out.add(head.parameter).add(place_of(head.name)).add(place_of(head.inner));
        }
      }
      out.add(each.skipped.size());
      for (const Statement::Skipped &skipped : each.skipped)
        out.add(skipped.what).add(skipped.begin).add(skipped.end);
    }
  }
  return out.take();
}

/// Reads a shape. Returns false if its heads are not those that call_shape() makes.
static bool read_shape(Reader &in, std::span<const Symbol> names, CallShape &shape) {
  shape.parameters = in.offset();
  shape.is_vararg = in.number(1) != 0;
  uint32_t parameter = 0;
  uint64_t heads = in.count(3);
  for (shape.heads.reserve(heads); heads > 0; --heads) {
    CallShape::Head &head = shape.heads.emplace_back();
    head.parameter = in.offset();
    head.name = names[in.number(names.size() - 1)];
    head.inner = names[in.number(names.size() - 1)];
    if (!head.name || head.parameter < parameter || head.parameter >= shape.parameters) return false;
    parameter = head.parameter;
  }
  return true;
}

Result<PackageIndex> PackageIndex::read(TypeContext &types, std::string_view bytes) {
  const Error damaged = input_error("it is no index of a package's definitions");
  Reader in(bytes);
  if (in.text() != magic) return damaged;
  PackageIndex index;
  std::vector<Symbol> names{Symbol()};
  for (uint64_t n = in.count(1); n > 0; --n) names.push_back(types.symbol(in.text()));
  for (uint64_t n = in.count(3); n > 0; --n) {
    Owner &owner = index.owners.emplace_back();
    owner.module = in.text();
    owner.name = in.text();
    owner.is_function = in.number(1) != 0;
  }
  for (uint64_t n = in.count(5); n > 0; --n) {
    File &file = index.files.emplace_back();
    file.path = in.text();
    file.text.high = in.number();
    file.text.low = in.number();
    for (uint64_t triggers = in.count(1); triggers > 0; --triggers) file.triggers.emplace_back(in.text());
    uint32_t end = 0;
    for (uint64_t statements = in.count(5); statements > 0; --statements) {
      Statement &each = file.later.emplace_back();
      each.begin = in.offset();
      each.end = in.offset();
      each.methods = in.offset();
      if (each.begin < end || each.end <= each.begin) return damaged;
      end = each.end;
      uint64_t owners = in.count(2);
      each.owners.reserve(owners);
      for (each.shapes.reserve(owners); owners > 0; --owners) {
        each.owners.push_back(in.offset());
        if (each.owners.back() >= index.owners.size()) return damaged;
        std::vector<CallShape> &shapes = each.shapes.emplace_back();
        uint64_t left = in.count(3);
        for (shapes.reserve(left); left > 0; --left)
          if (!read_shape(in, names, shapes.emplace_back())) return damaged;
      }
      if (each.owners.empty()) return damaged;
      for (uint64_t skipped = in.count(3); skipped > 0; --skipped) {
        Statement::Skipped &note = each.skipped.emplace_back();
        note.what = in.text();
        note.begin = in.offset();
        note.end = in.offset();
      }
    }
  }
  if (!in.is_done()) return damaged;
  return index;
}

} // namespace kiln::julia
