// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The language for Kiln's tools: kiln precompile TRACE --language liblisp_language.so. The tools load files
// only to compile their functions, so print and launch do nothing.
#include "language.h"

#include <kiln/extension/language/library.h>

using namespace kiln;

KILN_LANGUAGE_LIBRARY(languages) {
  languages.add([](const LanguageHost &host) -> std::unique_ptr<Frontend> {
    auto language = std::make_unique<lisp::Language>(host);
    auto idle = [&types = host.world.types()](Interpreter &, std::span<const Value>) -> Result<Value> {
      return types.nothing();
    };
    for (const char *name : {"print", "launch"}) {
      language->names.add_to_library(host.world.types().symbol(name));
      if (!host.interpreter.add_host_function(language->names.library, name, idle).ok()) return nullptr;
    }
    return language;
  });
}
