// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/header_check.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {

Result<void> KILN_API_VERSION::check_headers(const ProgramHeaders &program,
                                             std::span<const StructureSize> library) {
  std::string differences;
  for (const StructureSize &own : library) {
    const auto same_name = [&](const StructureSize &each) { return std::string_view(each.name) == own.name; };
    const auto found = std::find_if(program.structures.begin(), program.structures.end(), same_name);
    if (found != program.structures.end() && found->size != own.size)
      differences += fmt::format("{}{} ({} bytes, in the library {})", differences.empty() ? "" : ", ",
                                 own.name, found->size, own.size);
  }
  if (differences.empty()) return {};
  return make_error(
      ErrorCode::Usage,
      fmt::format("the program was compiled with the headers of Kiln {}, and the library is Kiln {}: "
                  "these structures have other sizes: {}",
                  program.version, KILN_VERSION, differences),
      {}, "compile the program with the headers of the library that it loads");
}

} // namespace kiln
