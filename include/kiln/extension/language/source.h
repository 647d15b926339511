// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files and places in them. IR carries the compact Span; a diagnostic carries a Location,
// which keeps its file alive.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// 12 bytes: file 0 means "no place". Offsets are bytes.
struct Span {
  uint32_t file = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  explicit operator bool() const { return file != 0; }
  bool operator==(const Span &) const = default;
};

struct LineColumn {
  uint32_t line = 0;   ///< 1-based
  uint32_t column = 0; ///< 1-based, in characters (UTF-8 code points)
};

/// An immutable text with a name. Its line table is made on first use (thread-safe). Made by SourceMap::add,
/// so that a Location can share it.
class KILN_API SourceFile : public std::enable_shared_from_this<SourceFile> {
public:
  SourceFile(uint32_t id, std::string name, std::string text, bool is_library = false, std::string base = {});
  uint32_t id() const { return id_; }
  /// Part of Kiln's own library: a diagnostic points at the user's file that called it, if there is one.
  bool is_library() const { return is_library_; }
  const std::string &name() const { return name_; }
  /// The folder in which a relative name is meant; empty: the process's own.
  const std::string &base() const { return base_; }
  std::string_view text() const { return text_; }
  LineColumn position(uint32_t offset) const;
  /// The text of a 1-based line without its line end; empty past the end.
  std::string_view line(uint32_t line) const;

private:
  uint32_t id_;
  std::string name_, text_, base_;
  bool is_library_;
  mutable std::once_flag lines_once_;
  mutable std::vector<uint32_t> line_starts_;
  /// Before each 64th byte, so that a column far into a line is found as fast as one at its start.
  mutable std::vector<uint32_t> characters_;
  void index_lines() const;
  uint32_t characters_before(uint32_t offset) const;
};

/// A source file's text, up to 256 MiB. Errors: Input (missing, a directory, unreadable, larger).
KILN_API Result<std::string> read_source_file(const std::string &path);

/// The files of one session by id; ids start at 1 and are never reused. Thread-safe. A file lives as long as
/// an owner: the syntax read from it, methods whose code names places in it, diagnostics. The map itself owns
/// the files of Kiln's library.
class KILN_API SourceMap {
public:
  std::shared_ptr<const SourceFile> add(std::string name, std::string text, bool is_library = false,
                                        std::string base = {});
  /// null for 0, an unknown id, a file that nobody holds
  std::shared_ptr<const SourceFile> file(uint32_t id) const;
  Location locate(Span span) const; ///< empty for the empty span
  /// A line of the newest file of that name, or the character at `column` (1-based) of it; empty if there is
  /// none.
  Location locate_line(std::string_view name, uint32_t line, uint32_t column = 0) const;
  /// "name:line" for stack traces and debug information; "none" for the empty span.
  std::string describe(Span span) const;

private:
  mutable std::mutex mutex_;
  uint32_t last_ = 0;
  std::vector<std::shared_ptr<const SourceFile>> library_;
  std::vector<std::pair<uint32_t, std::weak_ptr<const SourceFile>>> files_; ///< all, ids rising
  size_t sweep_at_ = 64; ///< at this size, expired entries of files_ are removed
  std::shared_ptr<const SourceFile> find(uint32_t id) const;
};

} // namespace kiln
