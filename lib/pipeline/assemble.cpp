// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles a target's assembly text (PTX) into code that its device loads (a cubin).
#include "assembled_keys.h"
#include "stages.h"

#include <support/guard_target.h>

namespace kiln {

// The key of an assembled object is made of the text and the assembler, so that all jobs with the same text
// share it. An object also gets a second key without the assembler. A machine without a toolkit looks there,
// and accepts the object of any assembler.

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

static Fingerprint limited_key(Fingerprint cubin, std::chrono::milliseconds limit) {
  return Fingerprinter().add("kiln limited cubin 1").add(cubin).add(int64_t(limit.count())).finish();
}

AssembledKeys Compiler::assembled_keys(const CompilerConfig &config, const Artifact &assembly,
                                       const Target &target) {
  StageScope scope(timer, Stage::Keys);
  AssembledKeys keys{{}, key_of_any(assembly, config, target), assemblers.identity(target, persistent)};
  keys.exact = keys.assembler.empty() ? keys.any : key_of_assembler(keys.any, keys.assembler);
  if (assemble_limit.count()) {
    keys.limited = limited_key(keys.exact, assemble_limit);
    keys.limited_any = limited_key(keys.any, assemble_limit);
  }
  return keys;
}

// ---- kernels whose assembler call exceeds the session's time limit (--assemble-limit)
//
// Such a kernel is assembled again at a lower optimisation level. The key of that cubin contains the limit. A
// session without a limit, or with another limit, never finds it.

constexpr int limited_level = 1;

/// Returns the optimisation level that the assembler uses: 0 for code with full debug information.
static int assembled_level(const CompilerConfig &config) {
  return config.debug_level >= 2 && !config.strip ? 0 : config.opt_level;
}

Error Compiler::limit_exceeded(const CompilerJob &job, int level) const {
  return make_error(
      ErrorCode::AssembleLimit,
      fmt::format("the assembler took longer than {} s for `{}` at -O{}, which is the limit "
                  "(--assemble-limit)",
                  double(assemble_limit.count()) / 1e3, job.source->method->name.text(), level),
      world.sources().locate(job.source->method->at),
      "raise the limit (SessionOptions::assemble_limit, KILN_ASSEMBLE_LIMIT), or make the kernel "
      "smaller: write loops in place of unrolled text");
}

void Compiler::warn_limited(const CompilerJob &job) const {
  if (!warn) return;
  Diagnostic warning = limit_exceeded(job, assembled_level(job.config)).diagnostics()[0];
  warning.code = ErrorCode::None;
  warning.message += fmt::format(": it runs code of -O{}, which may be slower", limited_level);
  warn(warning);
}

ObjectCache::ArtifactPtr Compiler::find_limited(const CompilerJob &job, const AssembledKeys &keys) {
  if (!keys.limited) return nullptr;
  if (auto found = objects.find(*keys.limited)) return found;
  if (!persistent || persistent->wants_check()) return nullptr;
  ObjectCache::ArtifactPtr stored = persistent->find_anywhere(*keys.limited);
  if (!stored) return nullptr;
  warn_limited(job);
  show(job, *stored);
  return objects.put(*keys.limited, std::move(stored), ObjectCache::Origin::Store);
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
  auto make = [&](const CompilerConfig &config, std::string_view note) -> Result<ObjectCache::ArtifactPtr> {
    KILN_CHECK(check_may_compile(job, ArtifactKind::Cubin));
    KILN_TRY(const Assembler *assembler, find_assembler());
    assembler_calls.fetch_add(1, std::memory_order_relaxed);
    auto assemble = [&]() -> Result<ObjectCache::ArtifactPtr> {
      KILN_TRY(AssembledObject object,
               assembler->assemble(config, assembly->entry, assembly->bytes, world.sources()));
      auto artifact = std::make_shared<Artifact>(*assembly);
      artifact->kind = ArtifactKind::Cubin;
      artifact->bytes = std::move(object.bytes);
      artifact->resources = object.resources;
      artifact->assembler = fmt::format("{}{}", assembler->identity(), note);
      show(job, *artifact);
      return artifact;
    };
    // Turns exceptions into errors: other threads wait for the object under this key.
    auto made = run_stage(timer, Stage::Assemble, [&] { return guard_target(job.config, assemble); });
    compiled.made += made.ok();
    return made;
  };
  PersistPolicy policy;
  policy.product = ArtifactKind::Cubin;
  policy.cause = MissCause::NewText;
  std::string note;
  policy.fields = [&] {
    return std::vector<KeyField>{{"entry", assembly->entry},
                                 {"kind", "cubin"},
                                 {"text", keys.any.hex()},
                                 {"assembler", keys.assembler + note}};
  };
  policy.found = [&](const Artifact &found) { show(job, found); };
  if (keys.exact != keys.any) policy.also_under = keys.any;
  ObserverFault fault;
  auto made = objects.get(
      keys.exact,
      [&]() -> Result<ObjectCache::ArtifactPtr> {
        if (find_limited(job, keys)) return limit_exceeded(job, assembled_level(job.config));
        return make(job.config, "");
      },
      &policy);
  Fingerprint key = keys.exact;
  if (keys.limited && !made.ok() && made.error().code() == ErrorCode::AssembleLimit) {
    if (assembled_level(job.config) <= limited_level) return limit_exceeded(job, assembled_level(job.config));
    key = *keys.limited;
    note = fmt::format(", -O{} after a limit", limited_level);
    policy.also_under = {};
    if (keys.exact != keys.any) policy.also_under = keys.limited_any;
    CompilerConfig lower = job.config;
    lower.opt_level = limited_level;
    made = objects.get(
        key,
        [&]() -> Result<ObjectCache::ArtifactPtr> {
          auto limited = make(lower, note);
          if (limited.ok()) warn_limited(job);
          return limited;
        },
        &policy);
    if (!made.ok() && made.error().code() == ErrorCode::AssembleLimit)
      return limit_exceeded(job, limited_level);
  }
  KILN_TRY(compiled.artifact, std::move(made));
  compiled.keys.push_back(key);
  KILN_CHECK(fault.take());
  return compiled;
}

} // namespace kiln
