// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Provides the host library of programs to sessions. For packages that load without a program, it binds the
// functions of an empty program.
#include "programs.h"
#include "references.h"

#include <kiln/extension/language/internal/host_library.h>
#include <kiln/worker.h>
#include <runtime_sources.h>

namespace kiln {
namespace {

class ProgramsLibrary final : public HostLibrary {
public:
  std::span<const LibraryFile> files() const override { return program_library(); }
  std::string_view overlay() const override { return "program"; }
  ArrayPolicy array_policy() const override { return ArrayPolicy::HostArray; }
  std::string_view digest() const override { return {}; }
  Result<std::shared_ptr<void>> bind(Session &session) override {
    KILN_CHECK(check_build());
    auto host = std::make_shared<Program::State>(session, ProgramOptions{});
    host->interpreter().begin_program({});
    KILN_CHECK(add_host_functions(*host));
    KILN_CHECK(host->bind_arguments());
    return std::shared_ptr<void>(std::move(host));
  }
};

} // namespace

Result<void> check_build() {
  return build_digest() == build_id()
             ? Result<void>()
             : usage_error("libkiln-programs.so and libkiln.so are of two builds: install both of one");
}

HostLibrary &KILN_API_VERSION::programs_library() {
  static ProgramsLibrary library;
  add_reference_symbols(); // before a session loads code
  return library;
}

} // namespace kiln
