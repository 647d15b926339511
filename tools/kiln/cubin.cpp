// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cubin.h"

#include <ptx/ptx.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace kiln::tool {

std::string resources_text(const Artifact &cubin, const CompilerConfig &config) {
  const KernelResources &r = cubin.resources;
  std::string text = fmt::format("kernel: {}\narchitecture: sm_{}{}\nassembler: {}\n", cubin.entry, config.target.sm, config.target.arch_specific ? "a" : "", cubin.assembler);
  text += fmt::format("registers: {} a thread\nstack: {} bytes a thread\nspills: {} bytes stored, {} loaded a thread\n", r.registers, r.stack_bytes, r.spill_store_bytes, r.spill_load_bytes);
  text += fmt::format("shared memory: {} bytes a block, static\nconstant bank 0: {} bytes\nbarriers: {} a block\ncubin: {} bytes\n", r.shared_bytes, r.constant_bytes, r.barriers, cubin.bytes.size());
  uint64_t chosen = uint64_t(config.target.max_threads[0]) * config.target.max_threads[1] * config.target.max_threads[2];
  std::vector<uint32_t> sizes{64, 128, 256, 512, 1024};
  if (chosen) sizes = {uint32_t(std::min<uint64_t>(chosen, 1024))};
  for (uint32_t threads : sizes) {
    Occupancy o = occupancy(config.target.sm, r, threads);
    text += fmt::format("occupancy at {} threads a block: {:.0f} %, {} blocks of a multiprocessor, limited by {}\n", threads, 100.0 * o.warps / o.max_warps, o.blocks, o.limit);
  }
  return text;
}

Result<std::string> disassemble(const Artifact &cubin) {
  Found tool = find_disassembler();
  if (tool.path.empty())
    return machine_error(fmt::format("--emit sass: neither nvdisasm nor cuobjdump was found in {}", tool.looked_in), "install NVIDIA's CUDA toolkit, or name its folder in KILN_CUDA_HOME");
  std::string path = (std::filesystem::temp_directory_path() / "kiln-sass-XXXXXX").string();
  int file = ::mkstemp(path.data());
  if (file < 0) return machine_error(fmt::format("cannot make a temporary file {}: {}", path, std::strerror(errno)));
  ::close(file);
  struct Remove {
    const std::string &path;
    ~Remove() { ::unlink(path.c_str()); }
  } remove{path};
  KILN_CHECK(write_file_atomically(path, cubin.bytes));
  auto quoted = [](const std::string &word) {
    std::string out = "'";
    for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
  };
  bool is_nvdisasm = tool.path.ends_with("nvdisasm");
  std::string command = quoted(tool.path) + (is_nvdisasm ? " -c " : " -sass ") + quoted(path) + " 2>&1";
  std::FILE *pipe = ::popen(command.c_str(), "r");
  if (!pipe) return machine_error(fmt::format("{} cannot run: {}", tool.path, std::strerror(errno)));
  std::string text;
  char buffer[4096];
  while (size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) text.append(buffer, n);
  if (::pclose(pipe) != 0) return machine_error(fmt::format("{} failed: {}", tool.path, text));
  return text;
}

void warn_of_spills(const Artifact &cubin, Log &log) {
  const KernelResources &r = cubin.resources;
  if (r.spill_store_bytes || r.spill_load_bytes)
    log.warn("{} spills registers: {} bytes stored and {} loaded a thread, with {} registers", cubin.entry, r.spill_store_bytes, r.spill_load_bytes, r.registers);
}

} // namespace kiln::tool
