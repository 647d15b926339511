// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source.h"

#include <algorithm>
#include <fmt/format.h>

namespace kiln {

SourceFile::SourceFile(uint32_t id, std::string name, std::string text, bool is_library)
    : id_(id), name_(std::move(name)), text_(std::move(text)), is_library_(is_library) {}

void SourceFile::index_lines() const {
  std::call_once(lines_once_, [this] {
    line_starts_.push_back(0);
    for (size_t i = 0; i < text_.size(); ++i)
      if (text_[i] == '\n') line_starts_.push_back(uint32_t(i + 1));
  });
}

LineColumn SourceFile::position(uint32_t offset) const {
  index_lines();
  offset = std::min<uint32_t>(offset, uint32_t(text_.size()));
  auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  uint32_t start = *(after - 1);
  uint32_t column = 1;
  for (uint32_t i = start; i < offset; ++i)
    if ((uint8_t(text_[i]) & 0xc0) != 0x80) ++column; // UTF-8 continuation bytes are part of a character
  return {uint32_t(after - line_starts_.begin()), column};
}

std::string_view SourceFile::line(uint32_t line) const {
  index_lines();
  if (line == 0 || line > line_starts_.size()) return {};
  size_t begin = line_starts_[line - 1];
  size_t end = line < line_starts_.size() ? line_starts_[line] - 1 : text_.size();
  if (end > begin && text_[end - 1] == '\r') --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::shared_ptr<const SourceFile> SourceMap::add(std::string name, std::string text, bool is_library) {
  std::lock_guard lock(mutex_);
  auto file = std::make_shared<const SourceFile>(uint32_t(files_.size() + 1), std::move(name), std::move(text), is_library);
  files_.push_back(file);
  return file;
}

std::shared_ptr<const SourceFile> SourceMap::file(uint32_t id) const {
  std::lock_guard lock(mutex_);
  return id == 0 || id > files_.size() ? nullptr : files_[id - 1];
}

Location SourceMap::locate(Span span) const { return {file(span.file), span.begin, span.end}; }

std::string SourceMap::describe(Span span) const {
  auto source = file(span.file);
  return source ? fmt::format("{}:{}", source->name(), source->position(span.begin).line) : "none";
}

Location SourceMap::locate_line(std::string_view name, uint32_t line) const {
  std::lock_guard lock(mutex_);
  for (size_t i = files_.size(); i-- > 0;) {
    if (files_[i]->name() != name)
      continue;
    std::string_view text = files_[i]->line(line);
    if (!text.data())
      return {};
    auto begin = static_cast<uint32_t>(text.data() - files_[i]->text().data());
    auto indent = static_cast<uint32_t>(std::min(text.find_first_not_of(" \t"), text.size()));
    return Location{files_[i], begin + indent, static_cast<uint32_t>(begin + text.size())};
  }
  return {};
}

} // namespace kiln
