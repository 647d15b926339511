// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln bench: launches a kernel many times and reports the times.
#include "../command.h"
#include "../json_object.h"
#include "../launch.h"

namespace kiln::tool {

namespace {

struct BenchCommand : LaunchCommand {
  BenchOptions bench;
};

Result<void> bench(const BenchCommand &command) {
  KILN_TRY(LaunchPlan plan, make_plan(command));
  if (!plan.config.kernel) return usage_error("bench launches kernels: --no-kernel is for run");
  if (command.bench.flush_l2 && !plan.is_gpu()) return usage_error("--flush-l2 is for a GPU (--device cuda)");
  plan.bench = &command.bench;
  return run_plan(plan);
}

} // namespace

Action bench_command(CLI::App &app) {
  auto command = std::make_shared<BenchCommand>();
  command->compile.add_inputs_to(app, "files, then the function");
  command->compile.add_to(app);
  command->common.add_to(app);
  command->common.add_packages_to(app);
  command->common.add_languages_to(app);
  command->common.add_workers_to(app);
  command->launch.add_to(app);
  add_json_to(app, command->json);
  app.add_option("--batch", command->bench.batch, "launches between synchronisations (default 10)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1000000u));
  app.add_option("--reps", command->bench.reps, "batches that are measured (default 20)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1000000u));
  app.add_option("--warmup", command->bench.warmup, "launches before (default 3)")
      ->type_name("N")
      ->check(CLI::Range(0u, 1000000u));
  app.add_option("--bytes", command->bench.bytes, "bytes that a launch moves, for GB/s")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  app.add_flag("--flush-l2", command->bench.flush_l2,
               "overwrite the GPU's L2 cache before each launch, which is then timed apart");
  app.add_option("--flops", command->bench.flops, "operations of a launch, for GFLOP/s")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber);
  return [command] { return bench(*command); };
}

} // namespace kiln::tool
