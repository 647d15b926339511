// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of a prompt: edited and remembered on a terminal (libedit), read as they are from a pipe.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::tool {

class Interrupts;

/// One at a time in a process, on one thread. While it waits for a line the terminal is libedit's; what runs
/// between two lines has it as it was.
class LineEditor {
public:
  /// The names that may stand where a text ends.
  using Completions = std::function<std::vector<std::string>(std::string_view)>;
  /// `history`: a file for the lines of earlier prompts, empty for none. One that cannot be read or written
  /// is no error: its lines are missing. `interrupts` outlives this.
  LineEditor(std::string history, const Interrupts &interrupts, Completions completions);
  ~LineEditor();
  LineEditor(const LineEditor &) = delete;
  LineEditor &operator=(const LineEditor &) = delete;

  bool is_terminal() const { return editor_ != nullptr; }
  /// The next line, without its end. No value: the input has ended, or a signal came (Interrupts::taken).
  std::optional<std::string> read(const char *prompt);

  struct Editor; ///< of libedit

private:
  std::unique_ptr<Editor> editor_;
};

/// The file of the prompt's history: KILN_HISTORY; else kiln/history in XDG_STATE_HOME, by default
/// ~/.local/state. Empty: KILN_HISTORY is, or there is no home.
std::string history_file();

} // namespace kiln::tool
