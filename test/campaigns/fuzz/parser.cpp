// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes whatever parse or give diagnostics with places in the file; nothing crashes, nothing hangs. A
// tree has spans in the file and can be written in both forms.
#include <syntax/syntax.h>

#include <cstdlib>

using namespace kiln;

namespace {

void check_spans(const julia::Syntax &node, const SourceFile &file) {
  if (node.at.begin > node.at.end || node.at.end > file.text().size()) std::abort();
  for (const julia::Syntax *arg : node.args) check_spans(*arg, file);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static TypeContext types;
  SourceMap map;
  auto file = map.add("fuzz.jl", std::string(reinterpret_cast<const char *>(data), size));
  julia::SyntaxArena arena;
  auto parsed = julia::parse_file(types, arena, *file);
  if (parsed) {
    check_spans(**parsed, *file);
    (void)julia::to_sexpr(**parsed);
    (void)julia::to_string(**parsed);
  } else {
    if (parsed.error().what().empty() || parsed.error().diagnostics().size() > 20) std::abort();
    for (const Diagnostic &d : parsed.error().diagnostics())
      if (!d.at || d.at.begin > size) std::abort();
  }
  (void)julia::parse_expression(types, arena, *file);
  return 0;
}
