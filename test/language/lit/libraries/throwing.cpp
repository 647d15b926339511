// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library in C++ whose language throws, -DTHROWS_IN_ENTRY: whose entry does.
#include <kiln/extension/language/library.h>

#include <sstream>
#include <stdexcept>

namespace {

using namespace kiln;

class Throwing final : public Frontend {
public:
  std::string_view name() const override { return "throwing"; }
  std::vector<std::string_view> file_extensions() const override { return {".throw"}; }
  Result<LoadReport> load(World &, Module &, std::shared_ptr<const SourceFile> file) override {
    std::ostringstream text; // of the C++ library that this library links
    try {
      text << std::stoi("no number");
    } catch (const std::invalid_argument &) {
      text << "a file of " << file->text().size() << " bytes";
    }
    throw std::runtime_error(text.str());
  }
  Result<Value> evaluate(World &, Module &, std::string_view, std::string_view) override { throw 1; }
  Result<ResolvedCall> resolve_call(World &, Module &, std::string_view, std::string_view,
                                    std::span<const Capture>) override {
    throw std::bad_alloc();
  }
  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return usage_error("no overlays");
  }
};

} // namespace

KILN_LANGUAGE_LIBRARY(languages) {
#ifdef THROWS_IN_ENTRY
  throw std::runtime_error("too little space");
#endif
  languages.add([](const LanguageHost &) { return std::make_unique<Throwing>(); });
}
