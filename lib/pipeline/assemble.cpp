// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a target's text to what its device loads.
#include "assembled_keys.h"
#include "stages.h"

#include <support/guard_target.h>

namespace kiln {

// An object has a key of its own, made of the text and the assembler: whatever leads to the same text shares
// it. What a toolkit's assembler makes is kept under a second key too, without the assembler: a machine that
// has none takes any.

static Fingerprint key_of_any(const Artifact &assembly, const CompilerConfig &config, const Target &target) {
  Fingerprinter text;
  text.add("kiln cubin key 3")
      .add(content_version)
      .add(target.name())
      .add(target.version())
      .add(assembly.bytes)
      .add(assembly.entry)
      .add(config.opt_level)
      .add(config.debug_level)
      .add(config.strip);
  for (const LinkedFile &file : config.linked)
    if (!is_llvm_ir(file))
      text.add(file.kind).add(file.digest[0]).add(file.digest[1]).add_strong(content_of(file));
  return text.finish();
}

Fingerprint key_of_assembler(Fingerprint any, const std::string &assembler) {
  Fingerprinter exact;
  exact.add(any).add(assembler);
  return exact.finish();
}

AssembledKeys Compiler::assembled_keys(const CompilerConfig &config, const Artifact &assembly,
                                       const Target &target) {
  StageScope scope(timer, Stage::Keys);
  AssembledKeys keys{{}, key_of_any(assembly, config, target), assemblers.identity(target, persistent)};
  keys.exact = keys.assembler.empty() ? keys.any : key_of_assembler(keys.any, keys.assembler);
  return keys;
}

Result<Compiled> Compiler::assemble(const CompilerJob &job, const Target &target) {
  KILN_TRY(Compiled assembly, compile_with_keys(job, target, ArtifactKind::Assembly));
  const AssembledKeys keys = assembled_keys(job.config, *assembly.artifact, target);
  return assemble_by(job, std::move(assembly), keys, [&] { return assemblers.of(target); });
}

Result<Compiled> Compiler::compile_with(const CompilerJob &job, const Target &target,
                                        const Assembler &assembler) {
  KILN_TRY(Compiled assembly, compile_with_keys(job, target, ArtifactKind::Assembly));
  const Fingerprint exact =
      key_of_assembler(key_of_any(*assembly.artifact, job.config, target), assembler.identity());
  return assemble_by(job, std::move(assembly), {exact, exact, assembler.identity()},
                     [&]() -> Result<const Assembler *> { return &assembler; });
}

Result<Compiled> Compiler::assemble_by(const CompilerJob &job, Compiled compiled, const AssembledKeys &keys,
                                       const std::function<Result<const Assembler *>()> &find_assembler) {
  const ObjectCache::ArtifactPtr assembly = std::move(compiled.artifact);
  auto make = [&]() -> Result<ObjectCache::ArtifactPtr> {
    KILN_CHECK(check_may_compile(job, ArtifactKind::Cubin));
    KILN_TRY(const Assembler *assembler, find_assembler());
    assembler_calls.fetch_add(1, std::memory_order_relaxed);
    auto assemble = [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_TRY(AssembledObject object,
               assembler->assemble(job.config, assembly->entry, assembly->bytes, world.sources()));
      auto artifact = std::make_shared<Artifact>(*assembly);
      artifact->kind = ArtifactKind::Cubin;
      artifact->bytes = std::move(object.bytes);
      artifact->resources = object.resources;
      artifact->assembler = assembler->identity();
      show(job, *artifact);
      return artifact;
    };
    // Others wait for what is made under the key: no exception leaves this.
    auto made = run_stage(timer, Stage::Assemble, [&] { return guard_target(job.config, assemble); });
    compiled.made += made.ok();
    return made;
  };
  PersistPolicy policy;
  policy.product = ArtifactKind::Cubin;
  policy.fields = [&] {
    return std::vector<KeyField>{{"entry", assembly->entry},
                                 {"kind", "cubin"},
                                 {"text", keys.any.hex()},
                                 {"assembler", keys.assembler}};
  };
  policy.found = [&](const Artifact &found) { show(job, found); };
  if (keys.exact != keys.any) policy.also_under = keys.any;
  compiled.keys.push_back(keys.exact);
  ObserverFault fault;
  KILN_TRY(compiled.artifact, objects.get(keys.exact, make, &policy));
  KILN_CHECK(fault.take());
  return compiled;
}

} // namespace kiln
