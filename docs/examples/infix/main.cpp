// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   infix [--device cpu|cuda] [--ptx FILE] [--counters] FILE...
// Runs programs. --ptx writes the PTX of each kernel that ran, even without a GPU. --counters prints the
// numbers of compiles and cache hits.
#include "program.h"

#include <cstdio>
#include <fstream>

using namespace kiln;

namespace {

Result<void> run(const std::string &device, const std::string &ptx_file, bool shows_counters,
                 const std::vector<std::string> &files) {
  KILN_TRY(auto program, infix::Program::open(device));
  program->print = [](std::string_view line) { std::printf("%.*s\n", int(line.size()), line.data()); };
  std::ofstream ptx;
  if (!ptx_file.empty()) {
    ptx.open(ptx_file);
    program->on_ptx = [&](const std::string &text) { ptx << text; };
  }
  for (const std::string &file : files) {
    KILN_TRY(const std::string text, read_source_file(file));
    KILN_CHECK(program->run(file, text));
  }
  const Session::Counters counters = program->session().counters();
  if (shows_counters)
    std::printf("compiled %d, from the folder %d\n", int(counters.compiled), int(counters.disk_hits));
  return {};
}

} // namespace

int main(int count, char **values) {
  std::string device = "cpu", ptx_file;
  bool shows_counters = false;
  std::vector<std::string> files;
  for (int i = 1; i < count; i++) {
    const std::string option = values[i];
    if (option == "--device" && i + 1 < count)
      device = values[++i];
    else if (option == "--ptx" && i + 1 < count)
      ptx_file = values[++i];
    else if (option == "--counters")
      shows_counters = true;
    else
      files.push_back(option);
  }
  auto done = run(device, ptx_file, shows_counters, files);
  if (!done.ok()) std::fputs(done.error().what().c_str(), stderr);
  return done.ok() ? 0 : int(done.error().kind());
}
