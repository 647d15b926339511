// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "line_editor.h"

#include "program_host.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>
#include <filesystem>
#include <histedit.h>
#include <langinfo.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

constexpr int history_lines = 10'000;
constexpr size_t listed_names = 100; // that a second TAB lists
constexpr char escape_mark = '\1';   // around terminal escapes in the prompt, which have no width

/// The common prefix of all texts.
std::string common_start(std::span<const std::string> texts) {
  std::string common = texts.front();
  for (const std::string &text : texts) {
    const auto end = std::mismatch(common.begin(), common.end(), text.begin(), text.end()).first;
    common.erase(end, common.end());
  }
  return common;
}

/// libedit counts characters by the locale's encoding. Without a UTF-8 locale, the bytes of an `α` are edited
/// separately.
void choose_utf8() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(::nl_langinfo(CODESET), "UTF-8") != 0) std::setlocale(LC_CTYPE, "C.UTF-8");
}

} // namespace

struct LineEditor::Editor {
  EditLine *edit = nullptr;
  History *history = nullptr;
  HistEvent event{};
  std::string file;
  Completions completions;
  const Interrupts *interrupts = nullptr;
  std::string prompt;
  std::string before_tab; ///< the line at the last TAB without a completion: a second TAB lists the names

  static Editor &of(EditLine *edit) {
    void *self = nullptr;
    el_get(edit, EL_CLIENTDATA, &self);
    return *static_cast<Editor *>(self);
  }

  /// Reads a character of the terminal into `to`. Returns 1, 0 at the end, -1 after Ctrl-C.
  /// libedit's reader misses a Ctrl-C that arrives just before its read, so this one unblocks the signal only
  /// during its wait.
  int read_character(wchar_t &to) const {
    sigset_t interrupt, others;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &interrupt, &others);
    int result = -1;
    std::mbstate_t state{};
    while (!interrupts->taken()) {
      pollfd terminal{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
      if (::ppoll(&terminal, 1, nullptr, &others) < 0 && errno == EINTR)
        continue; // also when the window is resized
      char byte = 0;
      const ssize_t count = ::read(STDIN_FILENO, &byte, 1);
      if (count < 0 && errno == EINTR) continue;
      result = int(count);
      if (count <= 0) break;
      const size_t length = std::mbrtowc(&to, &byte, 1, &state);
      if (length == size_t(-2)) continue; // incomplete character
      if (length != size_t(-1)) break;
      state = {}; // invalid UTF-8: skip the byte
    }
    if (interrupts->taken()) result = -1;
    ::pthread_sigmask(SIG_SETMASK, &others, nullptr);
    return result;
  }

  unsigned char complete() {
    const LineInfo *line = el_line(edit);
    const std::string_view before(line->buffer, size_t(line->cursor - line->buffer));
    if (before.find_first_not_of(" \t") == before.npos) { // at the start of a line, TAB indents
      el_insertstr(edit, "    ");
      return CC_REFRESH;
    }
    const std::vector<std::string> names = completions(before);
    if (names.empty()) return CC_REFRESH_BEEP;
    const std::string common = common_start(names);
    size_t typed = std::min(common.size(), before.size());
    while (!before.ends_with(std::string_view(common).substr(0, typed))) --typed;
    if (typed < common.size()) {
      el_insertstr(edit, common.c_str() + typed);
      return CC_REFRESH;
    }
    if (names.size() == 1) return CC_NORM;
    if (std::exchange(before_tab, std::string(before)) != before) return CC_REFRESH_BEEP;
    std::string list = "\n";
    for (size_t i = 0; i < std::min(names.size(), listed_names); ++i) list += names[i] + "  ";
    if (names.size() > listed_names) list += fmt::format("and {} more", names.size() - listed_names);
    write_output(list + "\n");
    return CC_REDISPLAY;
  }
};

LineEditor::LineEditor(std::string file, const Interrupts &interrupts, Completions completions) {
  if (!::isatty(STDIN_FILENO) || !::isatty(STDOUT_FILENO)) return;
  choose_utf8();
  auto editor = std::make_unique<Editor>();
  editor->edit = el_init("kiln", stdin, stdout, stderr);
  if (!editor->edit) return; // not a terminal
  EditLine *edit = editor->edit;
  editor->file = std::move(file);
  editor->completions = std::move(completions);
  editor->interrupts = &interrupts;
  el_set(edit, EL_CLIENTDATA, editor.get());
  el_set(edit, EL_SIGNAL, 0); // Interrupts handles Ctrl-C
  el_set(edit, EL_GETCFN, +[](EditLine *of, wchar_t *to) { return Editor::of(of).read_character(*to); });
  el_set(edit, EL_EDITOR, "emacs");
  el_set(edit, EL_PROMPT_ESC, +[](EditLine *of) { return Editor::of(of).prompt.data(); }, escape_mark);
  el_set(
      edit, EL_ADDFN, "kiln-complete", "Complete the name",
      +[](EditLine *of, int) { return Editor::of(of).complete(); });
  el_set(edit, EL_BIND, "^I", "kiln-complete", nullptr);
  el_set(edit, EL_BIND, "^R", "em-inc-search-prev", nullptr);
  el_set(edit, EL_BIND, "\\e[3~", "ed-delete-next-char", nullptr);
  editor->history = history_init();
  history(editor->history, &editor->event, H_SETSIZE, history_lines);
  history(editor->history, &editor->event, H_SETUNIQUE, 1);
  if (!editor->file.empty()) history(editor->history, &editor->event, H_LOAD, editor->file.c_str());
  el_set(edit, EL_HIST, history, editor->history);
  el_source(edit, nullptr); // ~/.editrc
  editor_ = std::move(editor);
}

LineEditor::~LineEditor() {
  if (!editor_) return;
  if (!editor_->file.empty()) {
    std::error_code ignored; // without a history on failure
    std::filesystem::create_directories(std::filesystem::path(editor_->file).parent_path(), ignored);
    const mode_t before = ::umask(0077); // the history may hold private text
    history(editor_->history, &editor_->event, H_SAVE, editor_->file.c_str());
    ::umask(before);
  }
  history_end(editor_->history);
  el_end(editor_->edit);
}

std::optional<std::string> LineEditor::read(const char *prompt) {
  if (!editor_) {
    if (::isatty(STDIN_FILENO)) write_output(prompt);
    std::string line;
    if (!read_line(line)) return std::nullopt;
    return line;
  }
  flush_output();
  editor_->prompt = prompt;
  const bool is_blank = editor_->prompt.find_first_not_of(' ') == std::string::npos;
  if (!is_blank && wants_colour(STDOUT_FILENO))
    editor_->prompt = fmt::format("{0}\033[1;32m{0}{1}{0}\033[0m{0}", escape_mark, prompt);
  editor_->before_tab.clear();
  // libedit would configure the terminal only after it prints the prompt, and lose a Ctrl-D typed in between.
  el_set(editor_->edit, EL_PREP_TERM, 1);
  int length = 0;
  const char *text = el_gets(editor_->edit, &length);
  if (!text || length <= 0) return std::nullopt;
  std::string line(text, size_t(length));
  while (line.ends_with('\n') || line.ends_with('\r')) line.pop_back();
  if (line.find_first_not_of(" \t") != line.npos)
    history(editor_->history, &editor_->event, H_ENTER, line.c_str());
  return line;
}

std::string history_file() {
  if (const char *named = std::getenv("KILN_HISTORY")) return named;
  if (const char *state = std::getenv("XDG_STATE_HOME"); state && *state == '/')
    return std::string(state) + "/kiln/history";
  const char *home = std::getenv("HOME");
  return home && *home ? std::string(home) + "/.local/state/kiln/history" : std::string();
}

} // namespace kiln::tool
