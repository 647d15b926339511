// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The flow of a job from emitted IR on, for tests: textual IR in, an artifact out.
#pragma once

#include <codegen/codegen.h>
#include <llvm_support/llvm_support.h>
#include <optimize/optimize.h>
#include <rewrite/rewrite.h>
#include <targets/targets.h>

#include <catch2/catch.hpp>

namespace flow {

inline kiln::CompilerConfig ptx_config(int sm = 90) {
  kiln::CompilerConfig config;
  config.target = kiln::PtxOptions{.sm = sm};
  return config;
}

inline kiln::Result<std::string> compile(kiln::Worker &worker, kiln::CompilerConfig config,
                                         std::string_view text, kiln::ArtifactKind kind) {
  using namespace kiln;
  const Target &target = find_target(config.target);
  KILN_TRY(config.target, target.check(config.target));
  KILN_CHECK(target.prepare_job(config));
  KILN_TRY(std::unique_ptr<llvm::Module> module, parse_ir(worker, text, "test.ll"));
  module->setTargetTriple(llvm::Triple(target.triple(config.target)));
  module->setDataLayout(target.data_layout(config.target));
  KILN_TRY(llvm::Function * entry, entry_of(*module));
  KILN_CHECK(target.finish_module(config, *module, *entry));
  if (kind == ArtifactKind::Llvm) return print_ir(*module);
  KILN_CHECK(run_rewrites(RewritePhase::Emitted, target, config, *module, nullptr));
  if (config.libraries) KILN_CHECK(target.link_libraries(config, *module, worker));
  KILN_CHECK(run_rewrites(RewritePhase::Linked, target, config, *module, nullptr));
  KILN_CHECK(target.finish_linked_module(config, *module));
  KILN_CHECK(verify_ir(*module, "the rewrites"));
  MachineSpec spec = machine_spec(target, config);
  if (config.optimize) {
    KILN_CHECK(optimize(target, config, *module, worker, spec));
    KILN_TRY(llvm::TargetMachine * machine, worker.machine(spec));
    KILN_CHECK(target.optimize_module(config, *module, *machine));
  }
  KILN_CHECK(cleanup(config, *module, worker));
  KILN_CHECK(target.finish_ir(config, *module));
  KILN_CHECK(verify_ir(*module, "the middle-end"));
  if (config.validate) KILN_CHECK(validate(config, *module, target, nullptr));
  KILN_CHECK(prepare_codegen(config, *module, target));
  if (kind == ArtifactKind::LlvmOpt) return print_ir(*module);
  return generate_code(config, *module, target, worker, kind);
}

/// The product of a worker of its own; a failure fails the test.
inline std::string must_compile(const kiln::CompilerConfig &config, std::string_view text,
                                kiln::ArtifactKind kind) {
  kiln::WorkerPool pool;
  auto worker = pool.acquire();
  kiln::Result<std::string> result = compile(*worker, config, text, kind);
  INFO((result ? "" : result.error().what()));
  REQUIRE(result.ok());
  return *result;
}

} // namespace flow
