// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes.h"

namespace kiln::ptx {

// LLVM writes lists of the registers that hold a variable since its pull request 110905. With them, ptxas 13.0
// gives wrong code at -g: it keeps a variable in a register that another value takes. Debuggers show a variable
// with an empty list as optimised out. Variables with one place for their whole scope have no list.
std::string empty_location_lists(std::string text) {
  constexpr std::string_view section = "\t.section\t.debug_loc\n", label = "$L__debug_loc", end = "\n.b64 0\n.b64 0\n";
  const size_t begin = text.find(section);
  if (begin == std::string::npos) return text;
  const size_t open = text.find('{', begin), close = text.find("\n\t}", begin);
  if (open == std::string::npos || close == std::string::npos) return text;
  std::string lists = "\n";
  for (size_t at = text.find(label, open); at < close; at = text.find(label, at + 1)) {
    const size_t colon = text.find(':', at);
    if (text.find('\n', at) < colon) continue; // a use
    lists.append(text, at, colon + 1 - at).append(end);
  }
  return text.replace(open + 1, close + 1 - (open + 1), lists);
}

} // namespace kiln::ptx
