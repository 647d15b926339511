// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the parts of a job's keys. job/keys.h computes the digests.
#include "compiler.h"

#include <frontend/frontend.h>
#include <llvm_support/llvm_support.h>
#include <support/guard_target.h>
#include <support/stack.h>
#include <support/strong_digest.h>

#include <llvm/Config/llvm-config.h>

namespace kiln {

Result<JobKeys> Compiler::keys_of(const CompilerJob &job, const Target &target, bool with_edges) {
  JobKeys keys{inference_facts(world, job.config, target, targets), {}, {}, job.config.debug_level >= 1};
  KILN_TRY(keys.inference, inference_key(world.types(), *job.source, keys.facts));
  if (with_edges) {
    KILN_TRY(keys.edges, edges_key(world, *job.source, keys.inference, keys.positions, toolchain));
  }
  return keys;
}

std::vector<KeyField> Compiler::fields_of(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                          const JobKeys &keys, Fingerprint callees) {
  std::vector<KeyField> fields =
      key_fields(world.types(), job, target.identity(), kind, keys.inference, callees, toolchain);
  fields.push_back({"edges", keys.edges.hex()});
  return fields;
}

Result<KeyExplanation> Compiler::explain_key(const CompilerJob &job, const Target &target,
                                             ArtifactKind kind) {
  auto explain = [&]() -> Result<KeyExplanation> {
    const CodeInstanceTable::Use use = code.use();
    KILN_TRY(const JobKeys keys, keys_of(job, target, true));
    KILN_TRY(const CodeInstance *instance, code.get(*job.source, keys.facts, job.world));
    KILN_TRY(Fingerprint callees, code.callee_digest(*instance, keys.positions));
    return KeyExplanation{object_key(keys.inference, callees, target.identity(), job.config, kind, toolchain),
                          fields_of(job, target, kind, keys, callees)};
  };
  return guard_target(job.config, [&] { return with_stack(stack_for_limits, explain); });
}

void use_strong_keys() { enable_strong_digests(make_sha256); }

std::string toolchain_id(std::string_view build) {
  return fmt::format("kiln {} ({}) llvm {}", KILN_VERSION, build, LLVM_VERSION_STRING);
}

namespace {

InferenceFacts facts_of(CompilerWorld &world, const CompilerConfig &config, const Target &target,
                        const TargetList &targets, bool of_kernel) {
  TypeContext &types = world.types();
  InferenceFacts facts{.target = types.symbol(target.name()),
                       .target_version = types.symbol(target.version())};
  // Kernels always include the overlay of the user's overrides, plain functions that of the host library,
  // even if it is empty. A new definition in it may then change edges, but never a key.
  std::string overlay(of_kernel ? override_overlay : world.host_overlay().text());
  if (!target.overlay().empty()) overlay += (overlay.empty() ? "" : "+") + std::string(target.overlay());
  if (!overlay.empty()) facts.overlay = types.symbol(overlay);
  facts.always_inline = config.always_inline;
  if (config.nested.empty()) return facts;
  auto nested = std::make_shared<NestedFacts>();
  for (const NestedConfig &each : config.nested)
    nested->configs.emplace_back(
        types.symbol(each.name),
        facts_of(world, *each.config, targets.of(each.config->target), targets, of_kernel));
  facts.nested = std::move(nested);
  return facts;
}

} // namespace

InferenceFacts inference_facts(CompilerWorld &world, const CompilerConfig &config, const Target &target,
                               const TargetList &targets) {
  return facts_of(world, config, target, targets, config.kernel);
}

} // namespace kiln
