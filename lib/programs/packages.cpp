// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where packages are found, and the host that their macros run on while they are loaded: a program without a
// text of its own.
#include "programs.h"

#include <kiln/packages.h>

namespace kiln {
namespace {

void offer_host(Session &session) {
  Definitions &definitions = definitions_of(session);
  if (definitions.package_host.made || definitions.interpreter().runs_program()) return;
  definitions.package_host.prepare = [&session]() -> Result<void> {
    Definitions &of = definitions_of(session);
    if (of.interpreter().runs_program()) return {};
    auto host = std::make_shared<Program::State>(session, ProgramOptions{});
    of.interpreter().begin_program({});
    KILN_CHECK(add_host_functions(*host));
    KILN_CHECK(host->bind_arguments());
    of.package_host.made = std::move(host);
    return {};
  };
}

/// Sessions that the environment tells of packages ask for it when they are opened.
const bool is_registered = (package_host_offer() = offer_host, true);

} // namespace

Result<void> find_packages(Session &session, const PackageOptions &options) {
  KILN_CHECK(session.check());
  for (const std::string &text : options.load_path) KILN_CHECK(check_text("PackageOptions::load_path", text));
  for (const std::string &text : options.depots) KILN_CHECK(check_text("PackageOptions::depots", text));
  for (const std::string &text : options.from_source)
    KILN_CHECK(check_text("PackageOptions::from_source", text));
  KILN_CHECK(check_text("PackageOptions::project", options.project));
  Definitions &definitions = definitions_of(session);
  const std::lock_guard lock(definitions.mutex());
  definitions.languages().find_packages(options);
  offer_host(session);
  return {};
}

} // namespace kiln
