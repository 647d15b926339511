// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs LLVM's linker as a process: a code object is an ELF shared library.
#include "amdgpu_target.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

extern char **environ;

namespace {

std::string read(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The linker's exit status, or -1.
int run_linker(const std::filesystem::path &object, const std::filesystem::path &out,
               const std::filesystem::path &said) {
  std::string words[] = {LLD, "-shared", object.string(), "-o", out.string()};
  char *arguments[std::size(words) + 1] = {};
  for (size_t i = 0; i < std::size(words); ++i) arguments[i] = words[i].data();
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_addopen(&streams, 2, said.c_str(), 01 | 0100 | 01000,
                                   0600); // O_WRONLY | O_CREAT | O_TRUNC
  pid_t process = 0;
  const bool started = posix_spawn(&process, LLD, &streams, nullptr, arguments, environ) == 0;
  posix_spawn_file_actions_destroy(&streams);
  int status = 0;
  if (!started || waitpid(process, &status, 0) < 0 || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

} // namespace

kiln::Result<std::string> link_code_object(std::string_view object) {
  std::string name = (std::filesystem::temp_directory_path() / "amdgpu-XXXXXX").string();
  if (!mkdtemp(name.data())) return kiln::machine_error("no folder for temporary files: " + name);
  const std::filesystem::path folder = name;
  std::ofstream(folder / "in.o", std::ios::binary) << object;
  const int status = run_linker(folder / "in.o", folder / "out.hsaco", folder / "said");
  const std::string code = read(folder / "out.hsaco"), said = read(folder / "said");
  std::filesystem::remove_all(folder);
  if (status < 0 || status == 127)
    return kiln::machine_error("the linker " LLD " cannot be run", "install lld-22");
  if (status != 0) return kiln::input_error("the linker refuses the object: " + said);
  return code;
}
