// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quick tier: fast-made code for a device until the optimised code is ready.
#include "assembled_keys.h"
#include "stages.h"

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

} // namespace kiln
