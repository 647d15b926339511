// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source files and places in them. Code holds the compact Span. Diagnostics hold a Location, which keeps its
// file alive.
#pragma once

#include <kiln/export.h>
#include <kiln/result.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// A source place in 12 bytes: file number and byte offsets. File 0 means "no place".
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

/// A source text with a name, immutable. SourceMap::add makes it. Its line table is made on first use.
/// Thread-safe.
class KILN_API SourceFile : public std::enable_shared_from_this<SourceFile> {
public:
  SourceFile(uint32_t id, std::string name, std::string text, bool is_library = false, std::string base = {});
  struct OfLibrary {};
  /// A file of Kiln's own library. Does not copy the text.
  SourceFile(uint32_t id, std::string name, std::string_view text, OfLibrary);
  uint32_t id() const { return id_; }
  /// Returns true for a file of Kiln's own library. Diagnostics in such a file point to the calling user's
  /// file, if there is one.
  bool is_library() const { return is_library_; }
  const std::string &name() const { return name_; }
  /// Returns the folder of a relative name; empty: the working folder.
  const std::string &base() const { return base_; }
  std::string_view text() const { return text_; }
  LineColumn position(uint32_t offset) const;
  /// Returns the text of a line (from 1) without its line end; empty past the last line.
  std::string_view line(uint32_t line) const;

private:
  uint32_t id_;
  std::string name_, owned_, base_;
  std::string_view text_; ///< in owned_, or of the library
  bool is_library_;
  mutable std::once_flag lines_once_;
  mutable std::vector<uint32_t> line_starts_;
  /// Number of characters before each 64th byte, so that columns in long lines are found fast.
  mutable std::vector<uint32_t> characters_;
  void index_lines() const;
  uint32_t characters_before(uint32_t offset) const;
};

/// Reads a source file of up to 256 MiB. Errors: Input (missing, a directory, unreadable, larger).
KILN_API Result<std::string> read_source_file(const std::string &path);

/// The source files of a session, by id. Ids start at 1 and are never reused. Thread-safe. A file lives as
/// long as syntax trees, methods or diagnostics refer to it. The map itself keeps only files of Kiln's own
/// library alive.
class KILN_API SourceMap {
public:
  std::shared_ptr<const SourceFile> add(std::string name, std::string text, bool is_library = false,
                                        std::string base = {});
  /// Adds a file of Kiln's own library without copying its text, which must outlive all users of the file.
  std::shared_ptr<const SourceFile> add_library(std::string name, std::string_view text);
  /// Returns the file with this id. Null for 0, an unknown id, or a file that is no longer in memory.
  std::shared_ptr<const SourceFile> file(uint32_t id) const;
  Location locate(Span span) const; ///< empty for the empty span
  /// Returns the place of a line in the newest file of that name; with `column` (from 1), of that character.
  /// Empty if there is no such place.
  Location locate_line(std::string_view name, uint32_t line, uint32_t column = 0) const;
  /// Returns "name:line" for stack traces and debug information; "none" for the empty span.
  std::string describe(Span span) const;

private:
  mutable std::mutex mutex_;
  uint32_t last_ = 0;
  std::vector<std::shared_ptr<const SourceFile>> library_;
  std::vector<std::pair<uint32_t, std::weak_ptr<const SourceFile>>> files_; ///< all files, sorted by id
  size_t sweep_at_ = 64; ///< size of files_ at which entries of dead files are removed next
  std::shared_ptr<const SourceFile> find(uint32_t id) const;
  std::shared_ptr<const SourceFile> keep(std::shared_ptr<const SourceFile> file); // with the lock held
};

} // namespace kiln
