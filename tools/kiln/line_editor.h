// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads lines of a prompt. On a terminal, lines have editing and a history (libedit); lines of a pipe are
// read as they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

class Interrupts;

/// Editor of a prompt. At most one in a process, used by one thread. libedit controls the terminal only while
/// a line is read.
class LineEditor {
public:
  /// Returns completions of the name at the end of a text.
  using Completions = std::function<std::vector<std::string>(std::string_view)>;
  /// `history`: file for the lines of earlier prompts; empty: none. Lines of an unreadable or unwritable file
  /// are silently lost.
  /// `interrupts` must outlive the editor.
  LineEditor(std::string history, const Interrupts &interrupts, Completions completions);
  ~LineEditor();
  LineEditor(const LineEditor &) = delete;
  LineEditor &operator=(const LineEditor &) = delete;

  bool is_terminal() const { return editor_ != nullptr; }
  /// Reads the next line, without its end. Empty at the end of the input and after a signal
  /// (Interrupts::taken). The prompt is green where output is coloured.
  std::optional<std::string> read(const char *prompt);

  struct Editor; ///< libedit's state

private:
  std::unique_ptr<Editor> editor_;
};

/// The file of the prompt's history: KILN_HISTORY, else kiln/history in XDG_STATE_HOME (default:
/// ~/.local/state).
/// Empty if KILN_HISTORY is empty or there is no home folder.
std::string history_file();

} // namespace kiln::tool
