// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a target's text to what its device loads.
#include "stages.h"

#include <sys/stat.h>

namespace kiln {

// An object has a key of its own, made of the text and the assembler: whatever leads to the same text shares it. What a
// toolkit's assembler makes is kept under a second key too, without the assembler: a machine that has none takes any.

static Fingerprint key_of_any(const Artifact &assembly, const CompilerConfig &config, const Target &target) {
  Fingerprinter text;
  text.add("kiln cubin key 3").add(content_version).add(target.name()).add(target.version()).add(assembly.bytes).add(assembly.entry).add(config.opt_level).add(config.debug_level).add(config.strip);
  for (const LinkedFile &file : config.linked)
    if (!is_llvm_ir(file)) text.add(file.kind).add(file.digest[0]).add(file.digest[1]);
  return text.finish();
}

static Fingerprint key_of(Fingerprint any, const std::string &assembler) {
  Fingerprinter exact;
  exact.add(any).add(assembler);
  return exact.finish();
}

Driver::AssembledKeys Driver::assembled_keys(const CompilerConfig &config, const Artifact &assembly, const Target &target) {
  AssembledKeys keys{{}, key_of_any(assembly, config, target), assemblers.identity(target, persistent)};
  keys.exact = keys.assembler.empty() ? keys.any : key_of(keys.any, keys.assembler);
  return keys;
}

Result<Driver::Compiled> Driver::assemble(const CompilerJob &job, const Target &target) {
  KILN_TRY(Compiled assembly, compile_and_tell(job, target, ArtifactKind::Assembly));
  const AssembledKeys keys = assembled_keys(job.config, *assembly.artifact, target);
  return assemble_by(job, std::move(assembly), keys, [&] { return assemblers.of(target); });
}

Result<Driver::Compiled> Driver::compile_with(const CompilerJob &job, const Target &target, const Assembler &assembler) {
  KILN_TRY(Compiled assembly, compile_and_tell(job, target, ArtifactKind::Assembly));
  const Fingerprint exact = key_of(key_of_any(*assembly.artifact, job.config, target), assembler.identity());
  return assemble_by(job, std::move(assembly), {exact, exact, assembler.identity()}, [&]() -> Result<const Assembler *> { return &assembler; });
}

Result<Driver::Compiled> Driver::assemble_by(const CompilerJob &job, Compiled compiled, const AssembledKeys &keys, const std::function<Result<const Assembler *>()> &find_assembler) {
  const ObjectCache::ArtifactPtr assembly = std::move(compiled.artifact);
  auto make = [&]() -> Result<ObjectCache::ArtifactPtr> {
    KILN_TRY(const Assembler *assembler, find_assembler());
    compiled.made++;
    return run_stage(*this, Stage::Assemble, [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_TRY(AssembledObject object, assembler->assemble(job.config, assembly->entry, assembly->bytes, world.sources()));
      auto artifact = std::make_shared<Artifact>(*assembly);
      artifact->kind = ArtifactKind::Cubin;
      artifact->bytes = std::move(object.bytes);
      artifact->resources = object.resources;
      artifact->assembler = assembler->identity();
      show(job, *artifact);
      return artifact;
    });
  };
  Keeping kept;
  kept.fields = [&] {
    return std::vector<KeyField>{{"entry", assembly->entry}, {"kind", "cubin"}, {"text", keys.any.hex()}, {"assembler", keys.assembler}};
  };
  kept.found = [&](const Artifact &found) { show(job, found); };
  if (keys.exact != keys.any) kept.also_under = keys.any;
  compiled.keys.push_back(keys.exact);
  KILN_TRY(compiled.artifact, objects.get(keys.exact, make, &kept));
  return compiled;
}

Result<const Assembler *> Assemblers::of(const Target &target) {
  std::lock_guard lock(mutex_);
  std::unique_ptr<Assembler> &assembler = found_[target.identity()];
  if (!assembler) {
    KILN_TRY(assembler, target.make_assembler());
  }
  return assembler.get();
}

std::string Assemblers::identity(const Target &target, PersistentCache *persistent) {
  {
    std::lock_guard lock(mutex_);
    if (auto found = identities_.find(target.identity()); found != identities_.end()) return found->second;
  }
  Fingerprinter key;
  key.add("kiln assembler 2").add(content_version).add(target.name()).add(target.version());
  bool is_there = false;
  for (const std::string &path : target.assembler_files()) {
    struct stat status {};
    bool found = ::stat(path.c_str(), &status) == 0;
    is_there |= found;
    key.add(path).add(found).add(status.st_size).add(status.st_mtim.tv_sec).add(status.st_mtim.tv_nsec);
  }
  const Fingerprint where = key.finish();
  std::string identity;
  if (persistent && is_there) {
    if (auto content = persistent->find_content(where)) {
      if (auto text = read_text(*content); text.ok()) identity = std::move(*text);
      else persistent->drop_damaged(where, text.error());
    }
  }
  if (identity.empty()) {
    auto loaded = of(target);
    if (!loaded.ok()) return {}; // it may be installed meanwhile: looked for each time
    identity = (*loaded)->identity();
    if (persistent && is_there) persistent->publish_content(where, text_content(identity));
  }
  std::lock_guard lock(mutex_);
  return identities_.emplace(target.identity(), std::move(identity)).first->second;
}

std::string Assemblers::device_library(const Target &target) {
  std::lock_guard lock(mutex_);
  if (auto found = libraries_.find(target.identity()); found != libraries_.end()) return found->second;
  return libraries_.emplace(target.identity(), target.library_digest()).first->second;
}

} // namespace kiln
