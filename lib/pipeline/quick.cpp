// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code of the quick tier: what a device may load until the optimised code is there.
#include "assembled_keys.h"
#include "stages.h"

namespace kiln {

// It is never published: a store is for what is worth keeping, and what it holds may be exported. It is shown
// to no observer: they see a job's products, and this is none of them.
Result<Compiled> Compiler::quick(const CompilerJob &job, const Target &target) {
  if (!may_compile) return Compiled();
  if (persistent && persistent->wants_check()) return Compiled(); // who checks wants to know before a launch
  KILN_TRY(Compiled compiled, compile_with_keys(job, target, ArtifactKind::Assembly));
  const ObjectCache::ArtifactPtr text = compiled.artifact;
  const AssembledKeys keys = assembled_keys(job.config, *text, target);
  if (objects.find(keys.exact) || objects.find(member_key(keys))) return Compiled();
  if (persistent) {
    if (ObjectCache::ArtifactPtr stored = persistent->find_anywhere(keys.exact)) {
      ObserverFault fault;
      show(job, *stored);
      objects.put(keys.exact, std::move(stored), ObjectCache::Origin::Store); // for loadable()
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
  // A toolkit that is too old has no such setting, and a text that is wrong is told by loadable().
  if (!made.ok() && !is_stop(made.error())) return Compiled();
  KILN_TRY(compiled.artifact, std::move(made));
  compiled.keys.push_back(key);
  return compiled;
}

} // namespace kiln
