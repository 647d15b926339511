// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   lisp [--device cpu|cuda[:N]] [--emit STAGE CALL [--target ptx]] [FILE...]
// Runs files. Without files it is a REPL: reads forms from standard input and prints their values. --emit
// prints Kiln's product for a call such as "(saxpy (Array f32) (Array f32) f32)", at a stage: lowered, typed,
// llvm, asm.
#include "program.h"

#include <cstdio>
#include <iostream>
#include <unistd.h>

using namespace kiln;

namespace {

int fail(const Error &error) {
  std::fputs(error.what().c_str(), stderr);
  return int(error.kind());
}

/// True if all lists of the text are closed. Ignores strings and comments.
bool is_whole(std::string_view text) {
  int depth = 0;
  bool in_string = false, in_comment = false;
  for (char c : text) {
    if (in_comment || in_string)
      (in_comment ? in_comment : in_string) = c != (in_comment ? '\n' : '"');
    else if (c == '"')
      in_string = true;
    else if (c == ';')
      in_comment = true;
    else
      depth += (c == '(') - (c == ')');
  }
  return depth <= 0 && !in_string;
}

void repl(lisp::Program &program) {
  const bool is_terminal = isatty(STDIN_FILENO);
  program.language().on_value = [&](const Value &value) {
    if (value.type() != program.language().names.types.builtins().Nothing)
      std::cout << program.language().names.text(value) << '\n';
  };
  std::string text, line;
  int number = 1;
  auto prompt = [&] {
    if (is_terminal) std::cout << (text.empty() ? "lisp> " : "    > ") << std::flush;
  };
  for (prompt(); std::getline(std::cin, line); prompt()) {
    text += line + "\n";
    if (!is_whole(text)) continue;
    auto loaded = program.session().load("repl:" + std::to_string(number++) + ".lisp", text);
    if (!loaded.ok()) std::cout << loaded.error().what() << '\n';
    text.clear();
  }
}

} // namespace

int main(int argc, char **argv) {
  std::string device = "cpu", stage, call, target;
  std::vector<std::string> files;
  for (int i = 1; i < argc; i++) {
    const std::string option = argv[i];
    if (option == "--device" && i + 1 < argc)
      device = argv[++i];
    else if (option == "--target" && i + 1 < argc)
      target = argv[++i];
    else if (option == "--emit" && i + 2 < argc)
      stage = argv[++i], call = argv[++i];
    else
      files.push_back(option);
  }
  auto opened = lisp::Program::open(device);
  if (!opened.ok()) return fail(opened.error());
  lisp::Program &program = **opened;
  program.out = [](std::string_view text) { std::cout << text << std::flush; };
  for (const std::string &file : files)
    if (auto loaded = program.session().load_file(file); !loaded.ok()) return fail(loaded.error());
  if (!stage.empty()) {
    CompilerConfig config;
    if (target == "ptx") config.target = PtxOptions{};
    auto kind = read_stage(stage);
    if (!kind.ok()) return fail(kind.error());
    auto artifact = program.session().compile(call, config, *kind);
    if (!artifact.ok()) return fail(artifact.error());
    std::cout << (*artifact)->bytes;
  } else if (files.empty()) {
    repl(program);
  }
  return 0;
}
