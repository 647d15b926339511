// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is made fast, and runs until the optimised code is ready: the first tier of kernels on the CPU,
// and the quick tier of GPUs.
#include "assembled_keys.h"
#include "stages.h"

#include <support/guard_target.h>
#include <support/stack.h>

namespace kiln {

// Quick code is never stored: a store holds only code worth keeping, and may be exported. Quick code is not
// shown to observers either, since it is not a product of the job.
Result<Compiled> Compiler::quick(const CompilerJob &job, const Target &target) {
  if (!may_compile) return Compiled();
  // while the store is checked, every launch must use the optimised code
  if (persistent && persistent->wants_check()) return Compiled();
  KILN_TRY(Compiled compiled, compile_with_keys(job, target, ArtifactKind::Assembly));
  const ObjectCache::ArtifactPtr text = compiled.artifact;
  const AssembledKeys keys = assembled_keys(job.config, *text, target);
  if (objects.find(keys.exact) || objects.find(member_key(keys))) return Compiled();
  if (persistent) {
    if (ObjectCache::ArtifactPtr stored = persistent->find_anywhere(keys.exact)) {
      ObserverFault fault;
      show(job, *stored);
      objects.put(keys.exact, std::move(stored), ObjectCache::Origin::Store); // loadable() finds it there
      KILN_CHECK(fault.take());
      return Compiled();
    }
    if (stored_member(*text, keys)) return Compiled();
  }
  if (find_limited(job, keys)) return Compiled();
  auto assembler = assemblers.of(target);
  const Assembler *const fast = assembler.ok() ? (*assembler)->quick() : nullptr;
  if (!fast || !(*assembler)->gains_from_quick(job.config, text->bytes)) return Compiled();
  auto make = [&]() -> Result<ObjectCache::ArtifactPtr> {
    KILN_CHECK(check_cancellation());
    compiled.made++;
    assembler_calls.fetch_add(1, std::memory_order_relaxed);
    return run_stage(timer, Stage::QuickAssemble, [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_TRY(AssembledObject object, fast->assemble(job.config, text->entry, text->bytes, world.sources()));
      auto artifact = std::make_shared<Artifact>(*text);
      artifact->kind = ArtifactKind::Cubin;
      artifact->bytes = std::move(object.bytes);
      artifact->resources = object.resources;
      artifact->assembler = fast->identity();
      return ObjectCache::ArtifactPtr(std::move(artifact));
    });
  };
  const Fingerprint key = key_of_assembler(keys.any, fast->identity());
  auto made = objects.get(key, make);
  // Ignore errors other than cancellation: an old toolkit has no quick setting, and loadable() reports a
  // faulty text.
  if (!made.ok() && !is_stop(made.error())) return Compiled();
  KILN_TRY(compiled.artifact, std::move(made));
  compiled.keys.push_back(key);
  return compiled;
}

bool Compiler::is_observed(const CompilerJob &job) const {
  if (!observer) return false;
  for (const ArtifactKind kind : {ArtifactKind::Lowered, ArtifactKind::Typed, ArtifactKind::Llvm,
                                  ArtifactKind::LlvmOpt, ArtifactKind::Assembly, ArtifactKind::Object})
    if (observer->wants(job, kind)) return true;
  return false;
}

Result<bool> Compiler::is_cached(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  auto look_up = [&]() -> Result<bool> {
    const CodeInstanceTable::Use use = code.use();
    if (job.world < world.oldest()) return true;
    KILN_TRY(const JobKeys keys,
             run_stage(timer, Stage::Keys, [&] { return keys_of(job, target, edges != nullptr); }));
    KILN_TRY(const ResolvedCode resolved, resolve(job, target, kind, keys, persistent != nullptr));
    const Fingerprint key =
        object_key(keys.inference, resolved.digest, target.identity(), job.config, kind, toolchain);
    if (objects.find(key)) return true;
    if (!persistent) return false;
    StageScope scope(timer, Stage::CacheLookup);
    ObjectCache::ArtifactPtr stored = persistent->find_anywhere(key);
    if (!stored) return false;
    objects.put(key, std::move(stored), ObjectCache::Origin::Store);
    return true;
  };
  return guard_target(job.config, [&] { return with_stack(stack_for_limits, look_up); });
}

Result<Compiled> Compiler::first_tier(const CompilerJob &job, const Target &target) {
  const CompilerConfig &config = job.config;
  const bool gains = config.kernel && config.optimize && config.opt_level >= 2 && config.debug_level < 2 &&
                     !config.target.fast_math && !config.target.contracts(false) && !config.hooks &&
                     config.nested.empty() && target.capabilities(config.target).runs_kernels_on_host;
  if (!gains || is_observed(job) || (persistent && persistent->wants_check())) return Compiled();
  KILN_TRY(const bool is_made, is_cached(job, target, ArtifactKind::Object));
  if (is_made) return Compiled();
  CompilerJob first = job;
  first.config.first_tier = true;
  auto made = compile_with_keys(first, target, ArtifactKind::Object);
  if (!made.ok() && made.error().code() == ErrorCode::NotCompiled) return Compiled(); // the caller reports it
  return made;
}

} // namespace kiln
