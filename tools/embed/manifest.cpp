// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "manifest.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <queue>

namespace kiln::embed {
namespace {

constexpr std::string_view opening = "# module:", page = "docs/library.md explains the manifest line";
constexpr std::array modules = {"Base", "CUDA", "KernelAbstractions"};
constexpr std::string_view package_event = "[package]";

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == text.npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(trimmed(text.substr(at, end - at)));
    at = end + 1;
  }
  return parts;
}

bool is_name(std::string_view text) {
  auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || uint8_t(c) >= 0x80;
  };
  return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '!';
  });
}

/// Reads the manifest lines of all files, then checks their references to each other.
class Reader {
public:
  explicit Reader(std::span<const std::shared_ptr<const SourceFile>> files) : lines_(files.size()) {
    for (size_t i = 0; i < files.size(); ++i) {
      std::string_view path = files[i]->name();
      if (path.ends_with(".jl")) path.remove_suffix(3);
      lines_[i].path = path;
      lines_[i].entry.source = files[i];
      lines_[i].entry.is_for_programs = path.starts_with("program/");
      by_path_.emplace(path, i);
    }
  }

  Result<std::vector<ManifestEntry>> read() {
    for (Line &line : lines_) read(line);
    for (Line &line : lines_) connect(line);
    for (Line &line : lines_) check(line);
    if (!faults_.empty()) return Error(std::move(faults_));
    return ordered();
  }

private:
  struct Line {
    std::string_view path; ///< without .jl
    ManifestEntry entry;
    std::map<std::string_view, std::string_view> clauses; ///< from a clause's word to the text of its values
    std::vector<size_t> after;                            ///< files that load first, including that of `with`
    std::optional<size_t> with;
  };

  /// Adds a fault. `part`: the faulty text, a view into the file's text.
  void fail(const Line &line, std::string_view part, std::string message, std::string hint = {}) {
    const std::string_view text = line.entry.source->text();
    const auto begin = uint32_t(part.data() - text.data());
    faults_.push_back(Diagnostic{.code = ErrorCode::Input,
                                 .message = std::move(message),
                                 .at = {line.entry.source, begin, uint32_t(begin + part.size())},
                                 .hint = hint.empty() ? std::string(page) : std::move(hint)});
  }

  /// Finds the manifest line in the file's leading comment.
  std::string_view find_line(const Line &line) {
    std::string_view text = line.entry.source->text(), found;
    while (text.starts_with('#')) {
      const std::string_view one = text.substr(0, text.find('\n'));
      if (one.starts_with(opening)) {
        if (!found.empty()) fail(line, one, "a second manifest line", "delete one of the two");
        found = one;
      }
      text.remove_prefix(std::min(one.size() + 1, text.size()));
    }
    return found;
  }

  void read(Line &line) {
    const std::string_view text = find_line(line);
    if (text.empty()) {
      const std::string_view first = line.entry.source->text().substr(0, 1);
      fail(line, first, "the file has no manifest line",
           "write `# module: Base` under the licence line; docs/library.md has the other clauses");
      return;
    }
    for (std::string_view clause : split(text.substr(2), ';')) {
      const size_t colon = clause.find(':');
      const std::string_view word = clause.substr(0, colon);
      static constexpr std::array words = {"module", "after", "when", "with", "overlay"};
      if (colon == clause.npos || !std::ranges::count(words, word)) {
        fail(line, clause, fmt::format("unknown clause `{}`", clause),
             "clauses are `module:`, `after:`, `when:`, `with:` and `overlay:`, separated by `; `");
        continue;
      }
      const std::string_view value = trimmed(clause.substr(colon + 1));
      if (value.empty()) {
        fail(line, clause, fmt::format("`{}:` has no value", word));
        continue;
      }
      if (!line.clauses.emplace(word, value).second)
        fail(line, clause, fmt::format("`{}:` stands twice", word), "write its values in one list");
    }
    line.entry.module = text_of(line, "module");
    line.entry.overlay = text_of(line, "overlay");
    if (auto module = line.clauses.find("module");
        module != line.clauses.end() && !std::ranges::count(modules, module->second))
      fail(
          line, module->second, fmt::format("unknown module `{}`", module->second),
          "a library file belongs to Base, CUDA or KernelAbstractions; modules inside them are made in the file");
    if (auto overlay = line.clauses.find("overlay");
        overlay != line.clauses.end() && !is_name(overlay->second))
      fail(line, overlay->second, fmt::format("`{}` is no name of an overlay", overlay->second));
    if (auto when = line.clauses.find("when"); when != line.clauses.end()) triggers(line, when->second);
    line.entry.waits = line.clauses.contains("when") || line.clauses.contains("with");
  }

  static std::string text_of(const Line &line, std::string_view word) {
    auto found = line.clauses.find(word);
    return found == line.clauses.end() ? std::string() : std::string(found->second);
  }

  void triggers(Line &line, std::string_view list) {
    for (std::string_view trigger : split(list, ',')) {
      if (trigger == package_event) {
        line.entry.loads_with_packages = true;
      } else if (trigger.starts_with('[')) {
        fail(line, trigger, fmt::format("unknown event `{}`", trigger), "the only event is [package]");
      } else if (trigger.starts_with('@')) {
        fail(line, trigger, fmt::format("the trigger `{}` begins with @", trigger),
             fmt::format("write `{}`, which means the macro too", trigger.substr(1)));
      } else if (!is_name(trigger.ends_with('*') ? trigger.substr(0, trigger.size() - 1) : trigger)) {
        fail(line, trigger.empty() ? list : trigger, fmt::format("`{}` is no name", trigger),
             "a trigger is a name, a beginning of names such as rand*, or [package]");
      } else if (std::ranges::count(line.entry.names, trigger)) {
        fail(line, trigger, fmt::format("the trigger `{}` stands twice", trigger), "delete one of the two");
      } else {
        line.entry.names.emplace_back(trigger);
      }
    }
  }

  std::optional<size_t> file(const Line &line, std::string_view path) {
    auto found = by_path_.find(path);
    if (found == by_path_.end()) {
      fail(line, path, fmt::format("there is no file `{}`", path),
           "files are named by their paths in runtime/library without .jl: base/range");
      return {};
    }
    if (&lines_[found->second] == &line) {
      fail(line, path, "the file names itself", "name a file that loads before it");
      return {};
    }
    return found->second;
  }

  void connect(Line &line) {
    if (auto after = line.clauses.find("after"); after != line.clauses.end())
      for (std::string_view path : split(after->second, ','))
        if (auto found = file(line, path)) line.after.push_back(*found);
    if (auto with = line.clauses.find("with"); with != line.clauses.end())
      if ((line.with = file(line, with->second))) line.after.push_back(*line.with);
  }

  void check(Line &line) {
    auto clause = [&](std::string_view word) {
      auto found = line.clauses.find(word);
      return found == line.clauses.end() ? std::string_view() : found->second;
    };
    const ManifestEntry &entry = line.entry;
    if (!clause("when").empty() && !clause("with").empty())
      fail(line, clause("with"), "the file has both `when:` and `with:`",
           "keep `when:`, and write the file of `with:` into `after:`");
    if (!entry.overlay.empty() && entry.waits)
      fail(line, clause("overlay"), "a file of an overlay cannot wait",
           "it loads with its target; delete `when:` and `with:`");
    if (line.with && !lines_[*line.with].entry.waits)
      fail(line, clause("with"), fmt::format("`{}` does not wait", lines_[*line.with].path),
           "write `after:` in place of `with:`");
    for (size_t i : line.after) {
      const Line &first = lines_[i];
      const std::string_view at = clause("after").empty() ? clause("with") : clause("after");
      if (first.entry.waits && !entry.waits)
        fail(line, at, fmt::format("`{}` waits, and this file does not", first.path),
             "a file that loads when a session opens can only follow files that do");
      if (first.entry.is_for_programs && !entry.is_for_programs)
        fail(line, at, fmt::format("`{}` is for programs, and this file is for all sessions", first.path),
             "move the file to runtime/library/program, or what it needs out of there");
      if (!first.entry.overlay.empty() && first.entry.overlay != entry.overlay)
        fail(line, at, fmt::format("`{}` loads with the overlay {}", first.path, first.entry.overlay),
             "only files of that overlay can follow it");
    }
  }

  /// Returns a file's rank in the load order: session, overlays of targets, waiting files, then the same for
  /// programs.
  int kind(size_t i) const {
    const ManifestEntry &entry = lines_[i].entry;
    return (entry.waits ? 2 : entry.overlay.empty() ? 0 : 1) + (entry.is_for_programs ? 3 : 0);
  }

  Result<std::vector<ManifestEntry>> ordered() {
    std::vector<size_t> order, left(lines_.size());
    std::vector<std::vector<size_t>> followers(lines_.size());
    auto later = [&](size_t a, size_t b) {
      return std::pair(kind(a), lines_[a].path) > std::pair(kind(b), lines_[b].path);
    };
    std::priority_queue<size_t, std::vector<size_t>, decltype(later)> ready(later);
    for (size_t i = 0; i < lines_.size(); ++i) {
      left[i] = lines_[i].after.size();
      for (size_t first : lines_[i].after) followers[first].push_back(i);
      if (left[i] == 0) ready.push(i);
    }
    while (!ready.empty()) {
      const size_t next = ready.top();
      ready.pop();
      order.push_back(next);
      for (size_t follower : followers[next])
        if (--left[follower] == 0) ready.push(follower);
    }
    if (order.size() < lines_.size()) return circle(left);
    std::vector<size_t> place(lines_.size());
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<ManifestEntry> entries;
    for (size_t i : order) {
      ManifestEntry &entry = entries.emplace_back(std::move(lines_[i].entry));
      for (size_t first : lines_[i].after)
        if (entries[place[first]].waits) entry.needs.push_back(place[first]);
      if (lines_[i].with) entries[place[*lines_[i].with]].brings.push_back(entries.size() - 1);
    }
    return entries;
  }

  /// Error for files that follow each other in a circle. `left`: for each file, the number of files before it
  /// that have no place yet.
  Error circle(const std::vector<size_t> &left) {
    size_t at = size_t(std::ranges::find_if(left, [](size_t n) { return n > 0; }) - left.begin());
    std::vector<size_t> way;
    while (!std::ranges::count(way, at)) {
      way.push_back(at);
      at = *std::ranges::find_if(lines_[at].after, [&](size_t first) { return left[first] > 0; });
    }
    std::string text(lines_[at].path);
    for (auto each = std::ranges::find(way, at) + 1; each != way.end(); ++each)
      text += fmt::format(" after {}", lines_[*each].path);
    fail(lines_[at], find_line(lines_[at]),
         fmt::format("files follow each other in a circle: {} after {}", text, lines_[at].path),
         "delete one `after:` of the circle");
    return Error(std::move(faults_));
  }

  std::vector<Line> lines_;
  std::map<std::string_view, size_t> by_path_;
  std::vector<Diagnostic> faults_;
};

} // namespace

Result<std::vector<ManifestEntry>> read_manifest(std::span<const std::shared_ptr<const SourceFile>> files) {
  return Reader(files).read();
}

} // namespace kiln::embed
