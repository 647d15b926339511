// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/source.h>

#include "file.h"
#include "shorten.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

SourceFile::SourceFile(uint32_t id, std::string name, std::string text, bool is_library, std::string base)
    : id_(id), name_(std::move(name)), owned_(std::move(text)), base_(std::move(base)), text_(owned_),
      is_library_(is_library) {}

SourceFile::SourceFile(uint32_t id, std::string name, std::string_view text, OfLibrary)
    : id_(id), name_(std::move(name)), text_(text), is_library_(true) {}

namespace {

constexpr uint32_t bytes_per_count = 64;

} // namespace

void SourceFile::index_lines() const {
  std::call_once(lines_once_, [this] {
    line_starts_ = {0};
    for (size_t at = text_.find('\n'); at != text_.npos; at = text_.find('\n', at + 1))
      line_starts_.push_back(uint32_t(at + 1));
    uint32_t characters = 0;
    for (size_t at = 0; at < text_.size(); at += bytes_per_count) {
      characters_.push_back(characters);
      uint8_t here = 0; // a sum of bytes, which the compiler vectorises
      for (char c : text_.substr(at, bytes_per_count)) here += is_character_start(c);
      characters += here;
    }
    characters_.push_back(characters);
  });
}

uint32_t SourceFile::characters_before(uint32_t offset) const {
  const uint32_t counted = offset / bytes_per_count;
  uint32_t total = characters_[counted];
  for (uint32_t i = counted * bytes_per_count; i < offset; ++i) total += is_character_start(text_[i]);
  return total;
}

/// Reads a source file. Files above 256 MiB are an error.
Result<std::string> read_source_file(const std::string &path) { return read_file(path, uint64_t(1) << 28); }

std::string_view Location::file_name() const {
  return file ? std::string_view(file->name()) : std::string_view();
}

uint32_t Location::line() const { return file ? file->position(begin).line : 0; }

uint32_t Location::column() const { return file ? file->position(begin).column : 0; }

LineColumn SourceFile::position(uint32_t offset) const {
  index_lines();
  offset = std::min<uint32_t>(offset, uint32_t(text_.size()));
  const auto line = uint32_t(std::ranges::upper_bound(line_starts_, offset) - line_starts_.begin());
  return {line, characters_before(offset) - characters_before(line_starts_[line - 1]) + 1};
}

std::string_view SourceFile::line(uint32_t line) const {
  index_lines();
  const std::vector<uint32_t> &starts = line_starts_;
  if (line == 0 || line > starts.size()) return {};
  size_t begin = starts[line - 1];
  size_t end = line < starts.size() ? starts[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return text_.substr(begin, end - begin);
}

std::shared_ptr<const SourceFile> SourceMap::add(std::string name, std::string text, bool is_library,
                                                 std::string base) {
  std::lock_guard lock(mutex_);
  return keep(std::make_shared<const SourceFile>(++last_, std::move(name), std::move(text), is_library,
                                                 std::move(base)));
}

std::shared_ptr<const SourceFile> SourceMap::add_library(std::string name, std::string_view text) {
  std::lock_guard lock(mutex_);
  return keep(std::make_shared<const SourceFile>(++last_, std::move(name), text, SourceFile::OfLibrary()));
}

std::shared_ptr<const SourceFile> SourceMap::keep(std::shared_ptr<const SourceFile> file) {
  if (file->is_library()) library_.push_back(file);
  if (files_.size() >= sweep_at_) {
    std::erase_if(files_, [](const auto &each) { return each.second.expired(); });
    sweep_at_ = std::max<size_t>(64, 2 * files_.size());
  }
  files_.emplace_back(file->id(), file);
  return file;
}

std::shared_ptr<const SourceFile> SourceMap::find(uint32_t id) const {
  auto found = std::lower_bound(files_.begin(), files_.end(), id,
                                [](const auto &each, uint32_t wanted) { return each.first < wanted; });
  return found == files_.end() || found->first != id ? nullptr : found->second.lock();
}

std::shared_ptr<const SourceFile> SourceMap::file(uint32_t id) const {
  std::lock_guard lock(mutex_);
  return find(id);
}

Location SourceMap::locate(Span span) const { return {file(span.file), span.begin, span.end}; }

std::string SourceMap::describe(Span span) const {
  auto source = file(span.file);
  return source ? fmt::format("{}:{}", source->name(), source->position(span.begin).line) : "none";
}

Location SourceMap::locate_line(std::string_view name, uint32_t line, uint32_t column) const {
  std::lock_guard lock(mutex_);
  for (size_t i = files_.size(); i-- > 0;) {
    auto file = files_[i].second.lock();
    if (!file || file->name() != name) continue;
    std::string_view text = file->line(line);
    if (!text.data()) return {};
    auto begin = static_cast<uint32_t>(text.data() - file->text().data());
    if (column) { // in characters
      uint32_t offset = 0;
      for (uint32_t at = 1; offset < text.size() && at < column;)
        if (++offset == text.size() || is_character_start(text[offset])) ++at;
      return Location{file, begin + offset, begin + offset + 1};
    }
    auto indent = static_cast<uint32_t>(std::min(text.find_first_not_of(" \t"), text.size()));
    return Location{file, begin + indent, static_cast<uint32_t>(begin + text.size())};
  }
  return {};
}

} // namespace kiln
