// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Macro and class for a shared library that offers a language, for SessionOptions::language_files and `kiln
// --language libNAME.so`. kiln/c_frontend.h is the C form; docs/guide/embed-a-language.md is the tour.
//
//   KILN_LANGUAGE_LIBRARY(languages) {
//     languages.add([](const kiln::LanguageHost &host) { return std::make_unique<MyLanguage>(host); });
//   }
//
// The library links Kiln::kiln. It stays loaded until its process ends.
#pragma once

#include <kiln/export.h>
#include <kiln/extension/language/abi_digest.h>
#include <kiln/extension/language/frontend.h>
#include <kiln/session_options.h>

#include <string>
#include <vector>

namespace kiln {

/// The languages that a shared library offers. The library's entry function fills the list: once per process,
/// on the thread that first opens a session with the library.
class KILN_API LanguageList {
public:
  LanguageList();
  ~LanguageList();
  LanguageList(const LanguageList &) = delete;
  LanguageList &operator=(const LanguageList &) = delete;
  /// Adds a language. Each session that loads the library calls the factory once.
  void add(FrontendFactory language);
  /// Reports why the library cannot offer a language: loading the library fails with this message (Usage).
  void fail(std::string message);

private:
  friend struct LanguageFiles;
  std::vector<FrontendFactory> languages_;
  std::vector<std::string> faults_;
};

} // namespace kiln

/// Begins the definition of the library's entry function, whose parameter is a kiln::LanguageList &. Use it
/// once per library.
#define KILN_LANGUAGE_LIBRARY(LIST)                                                                          \
  extern "C" {                                                                                               \
  [[gnu::visibility("default")]] extern const char kiln_language_abi[];                                      \
  const char kiln_language_abi[] = KILN_LANGUAGE_ABI;                                                        \
  [[gnu::visibility("default")]] void kiln_language_library(::kiln::LanguageList &LIST);                     \
  }                                                                                                          \
  void kiln_language_library(::kiln::LanguageList &LIST)
