// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln run: launches a kernel once.
#include "../command.h"
#include "../json_object.h"
#include "../launch.h"

namespace kiln::tool {

namespace {

Result<void> run(const LaunchCommand &command) {
  KILN_TRY(LaunchPlan plan, make_plan(command));
  return run_plan(plan);
}

} // namespace

Action run_command(CLI::App &app) {
  auto command = std::make_shared<LaunchCommand>();
  command->compile.add_inputs_to(app, "files, then the function");
  command->compile.add_to(app);
  command->common.add_to(app);
  command->common.add_packages_to(app);
  command->common.add_languages_to(app);
  command->common.add_workers_to(app);
  command->launch.add_to(app);
  command->launch.add_run_to(app);
  add_json_to(app, command->json);
  return [command] { return run(*command); };
}

} // namespace kiln::tool
