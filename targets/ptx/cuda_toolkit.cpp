// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_toolkit.h"

#include <kiln/cuda_toolkit.h>
#include <support/support.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <elf.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <mutex>
#include <span>
#include <utility>

namespace kiln {
namespace {

namespace fs = std::filesystem;

struct Place {
  fs::path folder; ///< in a toolkit's layout: bin, nvvm/libdevice, lib64
  std::string source;
};

/// Toolkit folders that the embedder added. They stay until the process ends.
struct Added {
  std::mutex mutex;
  std::vector<Place> places;
};
Added &added() {
  static auto *held = new Added;
  return *held;
}

using Visit = std::function<bool(const Place &)>; ///< returns true to end the search

bool is_file(const fs::path &path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

std::vector<fs::path> folders_in(const fs::path &folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    found.push_back(it->path());
  std::sort(found.begin(), found.end()); // directory iteration has no order
  return found;
}

bool visit_added(const Visit &visit) {
  std::lock_guard lock(added().mutex);
  return std::ranges::any_of(added().places, visit);
}

bool visit_path(const Visit &visit) {
  std::string path = environment_text("PATH");
  for (size_t at = 0; at <= path.size();) {
    size_t end = std::min(path.find(':', at), path.size());
    fs::path folder = path.substr(at, end - at);
    at = end + 1;
    for (const char *program : {"nvcc", "ptxas"}) {
      if (folder.empty() || !is_file(folder / program)) continue;
      std::error_code error;
      fs::path real = fs::canonical(folder / program, error); // resolve links to the toolkit
      if (!error && visit({real.parent_path().parent_path(), "PATH"})) return true;
    }
  }
  return false;
}

/// Python packages such as nvidia-cuda-nvcc install into site-packages/nvidia/<part>.
bool visit_python_packages(const Visit &visit) {
  std::vector<fs::path> roots;
  for (const char *name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (std::string prefix = environment_text(name); !prefix.empty())
      roots.push_back(fs::path(prefix) / "lib");
  if (std::string home = environment_text("HOME"); !home.empty())
    roots.push_back(fs::path(home) / ".local/lib");
  roots.insert(roots.end(), {"/usr/local/lib", "/usr/lib"});
  for (const fs::path &root : roots)
    for (const fs::path &python : folders_in(root)) {
      if (!python.filename().string().starts_with("python3")) continue;
      for (const char *packages : {"site-packages", "dist-packages"})
        for (const fs::path &part : folders_in(python / packages / "nvidia"))
          if (visit({part, "PyPI package nvidia/" + part.filename().string()})) return true;
    }
  return false;
}

/// Visits the places that may have a toolkit, until `visit` returns true. Reads a folder only when all places
/// before it were visited: a warm process finds its assembler without listing folders.
void visit_places(const Visit &visit) {
  if (std::string home = environment_text("KILN_CUDA_HOME"); !home.empty()) {
    if (!visit({home, "KILN_CUDA_HOME"})) visit_added(visit); // an explicit choice excludes other toolkits
    return;
  }
  for (const char *name : {"CUDA_HOME", "CUDA_PATH"})
    if (std::string home = environment_text(name); !home.empty() && visit({home, name})) return;
  if (visit_added(visit) || visit_path(visit)) return;
  for (const char *folder : {"/usr/local/cuda", "/opt/cuda"})
    if (visit({folder, folder})) return;
  visit_python_packages(visit);
}

Found find_file(std::span<const std::string> relative) {
  Found found;
  visit_places([&](const Place &place) {
    for (const std::string &name : relative)
      if (fs::path path = place.folder / name; is_file(path)) {
        found.path = path.string();
        found.source = place.source;
        return true;
      }
    if (const std::string folder = place.folder.string();
        (", " + found.looked_in + ", ").find(", " + folder + ", ") == std::string::npos)
      found.looked_in += (found.looked_in.empty() ? "" : ", ") + folder;
    return false;
  });
  return found;
}
Found find_file(std::initializer_list<std::string> relative) {
  return find_file(std::span(relative.begin(), relative.size()));
}

/// Finds a library of the toolkit for this host. `names`: the preferred one first.
Found find_library(std::initializer_list<std::string_view> names) {
#if defined(__aarch64__)
  // Arm servers; Jetson before CUDA 13.
  constexpr std::array folders{"lib64", "lib", "targets/sbsa-linux/lib", "targets/aarch64-linux/lib"};
#else
  constexpr std::array folders{"lib64", "lib", "targets/x86_64-linux/lib"};
#endif
  std::vector<std::string> relative;
  for (std::string_view name : names)
    for (const char *folder : folders) relative.push_back(fmt::format("{}/{}", folder, name));
  return find_file(relative);
}

} // namespace

void KILN_API_VERSION::add_cuda_folder(std::string folder, std::string source) {
  std::lock_guard lock(added().mutex);
  auto &places = added().places;
  auto is_same = [&](const Place &each) { return each.folder == fs::path(folder); };
  if (std::none_of(places.begin(), places.end(), is_same)) places.push_back({folder, std::move(source)});
}

Found find_libdevice() {
  return find_file({"nvvm/libdevice/libdevice.10.bc", "libdevice/libdevice.10.bc", "libdevice.10.bc"});
}
Found find_ptxas() { return find_file({"bin/ptxas"}); }
Found find_disassembler() { return find_file({"bin/nvdisasm", "bin/cuobjdump"}); }
Found find_nvjitlink() { return find_library({"libnvJitLink.so.13", "libnvJitLink.so.12"}); }
Found find_cudadevrt() { return find_library({"libcudadevrt.a"}); }
Found find_cublas() { return find_library({"libcublas.so.13", "libcublas.so.12"}); }

Result<std::string> libdevice_digest() {
  Found libdevice = find_libdevice();
  if (libdevice.path.empty()) return std::string();
  KILN_TRY(std::string bytes, read_file(libdevice.path));
  return fingerprint_of(bytes).hex();
}

/// Returns true if the file is an ELF file for another kind of CPU than this process.
static bool is_foreign_library(const std::string &path) {
#if defined(__aarch64__)
  constexpr uint16_t host = EM_AARCH64;
#else
  constexpr uint16_t host = EM_X86_64;
#endif
  Elf64_Ehdr header{};
  std::ifstream file(path, std::ios::binary);
  return file.read(reinterpret_cast<char *>(&header), sizeof header) &&
         std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_machine != host;
}

std::vector<ToolkitPart> describe_cuda_toolkit() {
  std::vector<ToolkitPart> parts{{"libdevice", find_libdevice()}, {"ptxas", find_ptxas()}};
  for (auto &[name, found] : {std::pair("nvJitLink", find_nvjitlink()), std::pair("cuBLAS", find_cublas())})
    parts.push_back({name, found, is_foreign_library(found.path)});
  return parts;
}

} // namespace kiln
