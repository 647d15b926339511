// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes whatever parse or give diagnostics with places in the file; nothing crashes, nothing hangs.
#include <julia/parser.h>

#include <cstdlib>

using namespace kiln;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static TypeContext types;
  SourceFile file(1, "fuzz.jl", std::string(reinterpret_cast<const char *>(data), size));
  julia::SyntaxArena arena;
  auto parsed = julia::parse_file(types, arena, file);
  if (parsed) {
    (void)julia::to_sexpr(**parsed);
  } else {
    if (parsed.error().what().empty()) std::abort();
    for (const Diagnostic &d : parsed.error().diagnostics())
      if (d.at && d.at.begin > size) std::abort();
  }
  return 0;
}
