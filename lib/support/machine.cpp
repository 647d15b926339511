// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

#include <fmt/format.h>

#include <fstream>
#include <string_view>
#include <unistd.h>

namespace kiln {

std::string host_name() {
  char name[256] = "";
  if (::gethostname(name, sizeof name - 1) != 0 || name[0] == '\0') return "localhost";
  return name;
}

static std::string read_cpu_name() {
  constexpr std::string_view field = "model name";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(field)) continue;
    const size_t colon = line.find(':');
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    return colon == line.npos || begin == line.npos ? std::string() : line.substr(begin);
  }
  return {};
}

std::string cpu_name() {
  static const std::string name = read_cpu_name(); // cached, because worker processes use it for each job
  return name;
}

std::string process_label(long process) { return fmt::format("{}:{}", host_name(), process); }

} // namespace kiln
