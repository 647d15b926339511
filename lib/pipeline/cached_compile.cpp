// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two levels of the cache around the pipeline. Level 1 determines a job's code: from memory, from the
// edges recorded by an earlier process, or by inference. Level 2 holds the compiled artifacts.
#include "compile.h"
#include "stages.h"

#include <job/product_name.h>

#include <support/guard_target.h>
#include <support/stack.h>

namespace kiln {

static thread_local ObserverFault *innermost_fault = nullptr;

ObserverFault::ObserverFault() : outer_(std::exchange(innermost_fault, this)) {}
ObserverFault::~ObserverFault() { innermost_fault = outer_; }

Result<void> ObserverFault::take() { return error_ ? Result<void>(std::move(*error_)) : Result<void>(); }

void ObserverFault::note(Result<void> shown) {
  if (!shown.ok() && innermost_fault && !innermost_fault->error_)
    innermost_fault->error_ = shown.take_error();
}

Result<ObjectCache::ArtifactPtr> Compiler::compile(const CompilerJob &job, const Target &target,
                                                   ArtifactKind kind) {
  KILN_TRY(Compiled compiled, compile_with_keys(job, target, kind));
  return std::move(compiled.artifact);
}

Result<Compiled> Compiler::compile_with_keys(const CompilerJob &job, const Target &target,
                                             ArtifactKind kind) {
  return guard_target(job.config, [&] {
    return with_stack(stack_for_limits, [&] {
      return kind == ArtifactKind::Cubin ? assemble(job, target) : compile_cached(job, target, kind);
    });
  });
}

Result<void> Compiler::check_may_compile(const CompilerJob &job, ArtifactKind product) const {
  if (may_compile) return {};
  const DataType *arguments = job.source->arguments->as<DataType>();
  return make_error(
      ErrorCode::NotCompiled,
      fmt::format("no cache has the {} of {}, and this session must not compile it", product_name(product),
                  spell_call(arguments->params())),
      {},
      "fill the cache with `kiln precompile`, or allow compiles (SessionOptions::compile, KILN_COMPILE=auto); "
      "`kiln cache explain` names what differs from the nearest entry");
}

Result<Compiled> Compiler::compile_cached(const CompilerJob &job, const Target &target, ArtifactKind kind) {
  const CodeInstanceTable::Use use = code.use();
  if (job.world < world.oldest())
    return code.get(*job.source, inference_facts(world, job.config, target, targets), job.world)
        .take_error(); // swept definitions cannot be compiled
  KILN_TRY(const JobKeys keys,
           run_stage(timer, Stage::Keys, [&] { return keys_of(job, target, edges != nullptr); }));
  const bool trust_recorded_edges = persistent && !persistent->wants_check();
  KILN_TRY(ResolvedCode resolved, resolve(job, target, kind, keys, trust_recorded_edges));
  KILN_TRY(Compiled compiled, get_or_compile(job, target, kind, keys, resolved));
  if (compiled.artifact) return compiled;

  // The recorded edges were stale: infer the code.
  KILN_TRY(resolved, resolve(job, target, kind, keys, false));
  resolved.cause = MissCause::ChangedCallees;
  KILN_TRY(compiled, get_or_compile(job, target, kind, keys, resolved));
  if (!compiled.artifact)
    return internal_error("the digest of what a job reaches changed while it was compiled");
  return compiled;
}

Result<Fingerprint> Compiler::code_digest(const CompilerJob &job, const Target &target) {
  auto digest = [&]() -> Result<Fingerprint> {
    const CodeInstanceTable::Use use = code.use();
    KILN_TRY(const JobKeys keys, keys_of(job, target, edges != nullptr));
    KILN_TRY(const ResolvedCode resolved,
             resolve(job, target, ArtifactKind::Assembly, keys, persistent && !persistent->wants_check()));
    return Fingerprinter().add(keys.inference).add(resolved.digest).finish();
  };
  return guard_target(job.config, [&] { return with_stack(stack_for_limits, digest); });
}

Result<CodeSummary> Compiler::summary(const CompilerJob &job, const Target &target) {
  auto summary = [&]() -> Result<CodeSummary> {
    const CodeInstanceTable::Use use = code.use();
    KILN_TRY(const JobKeys keys, keys_of(job, target, edges != nullptr));
    if (!edges) {
      KILN_TRY(const CodeInstance *instance, infer(job, keys));
      return summary_of(world.types(), *instance);
    }
    KILN_TRY(const ResolvedCode resolved,
             resolve(job, target, ArtifactKind::Typed, keys, !persistent->wants_check()));
    return resolved.code ? summary_of(world.types(), *resolved.code) : resolved.summary;
  };
  return guard_target(job.config, [&] { return with_stack(stack_for_limits, summary); });
}

Result<ResolvedCode> Compiler::resolve(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                       const JobKeys &keys, bool trust_recorded_edges) {
  ResolvedCode resolved;
  if (trust_recorded_edges) {
    resolved.code = code.find(*job.source, keys.facts, job.world);
    if (!resolved.code) {
      auto recorded = run_stage(timer, Stage::CacheLookup, [&] {
        return edges->find(world, keys.edges, keys.facts, job.world, keys.positions);
      });
      // Remote entries need a strong digest. Edges recorded without a remote have none, so infer the code and
      // record its edges again.
      const bool is_named = recorded && (recorded->digest.is_strong() || !persistent->has_remote());
      if (is_named) return ResolvedCode{nullptr, recorded->digest, recorded->summary, true};
      if (!recorded)
        resolved.cause = edges->has_records(keys.edges) ? MissCause::ChangedCallees : MissCause::NewCode;
    }
  }
  // The look-up for optimised code has inferred a job of the first tier.
  if (job.config.first_tier && !edges) resolved.code = code.find(*job.source, keys.facts, job.world);
  const bool is_new = !resolved.code;
  if (is_new) {
    KILN_TRY(resolved.code, infer(job, keys));
  }
  StageScope scope(timer, Stage::CacheLookup);
  KILN_TRY(resolved.digest, code.callee_digest(*resolved.code, keys.positions));
  if (is_new && edges) {
    record_edges(job, target, kind, keys, *resolved.code, resolved.digest);
    resolved.is_recorded = true;
  }
  return resolved;
}

/// Returns the product of `resolved` from the cache, or compiles it. The artifact is null if `resolved` came
/// from a stale record of edges: then nothing was compiled.
Result<Compiled> Compiler::get_or_compile(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                          const JobKeys &keys, const ResolvedCode &resolved) {
  const Fingerprint key = run_stage(timer, Stage::Keys, [&] {
    return object_key(keys.inference, resolved.digest, target.identity(), job.config, kind, toolchain);
  });
  Compiled compiled{nullptr, {key}, 0};
  auto compile_now = [&]() -> Result<ObjectCache::ArtifactPtr> {
    if (kind >= ArtifactKind::Assembly) KILN_CHECK(check_may_compile(job, kind));
    KILN_TRY(const CodeInstance *instance, code_to_compile(job, target, kind, keys, resolved));
    if (!instance) return ObjectCache::ArtifactPtr();
    // Turns exceptions into errors: other threads wait for the artifact under this key.
    auto made = guard_target(job.config, [&] { return compile_code(*this, job, *instance, target, kind); });
    compiled.made = made.ok();
    return made;
  };
  const bool outlives_session = persistent && kind >= ArtifactKind::Assembly;
  PersistPolicy policy =
      outlives_session ? persist_policy(job, target, kind, keys, resolved.digest) : PersistPolicy();
  policy.cause = resolved.cause;
  ObserverFault fault;
  KILN_TRY(compiled.artifact,
           objects.get(compiled.keys[0], compile_now, outlives_session ? &policy : nullptr));
  KILN_CHECK(fault.take());
  return compiled;
}

/// Returns the typed code to compile. Null: the recorded edges are stale. The code then has another digest,
/// so that nothing may be stored under the key made of the record's digest.
Result<const CodeInstance *> Compiler::code_to_compile(const CompilerJob &job, const Target &target,
                                                       ArtifactKind kind, const JobKeys &keys,
                                                       const ResolvedCode &resolved) {
  const CodeInstance *instance = resolved.code;
  if (!instance) {
    KILN_TRY(instance, infer(job, keys));
  }
  if (!edges) return instance;
  KILN_TRY(Fingerprint digest, run_stage(timer, Stage::CacheLookup,
                                         [&] { return code.callee_digest(*instance, keys.positions); }));
  const bool is_stale_record = digest != resolved.digest;
  if (is_stale_record) return static_cast<const CodeInstance *>(nullptr);
  if (!resolved.is_recorded) record_edges(job, target, kind, keys, *instance, digest);
  return instance;
}

Result<const CodeInstance *> Compiler::infer(const CompilerJob &job, const JobKeys &keys) {
  return run_stage(timer, Stage::Inference, [&] { return code.get(*job.source, keys.facts, job.world); });
}

void Compiler::record_edges(const CompilerJob &job, const Target &target, ArtifactKind kind,
                            const JobKeys &keys, const CodeInstance &instance, Fingerprint digest) {
  StageScope scope(timer, Stage::CachePublish);
  // Key of the artifact: a process that reads this record from a remote store asks for the artifact next.
  std::optional<Fingerprint> next;
  if (persistent->has_remote() && kind >= ArtifactKind::Assembly)
    next = object_key(keys.inference, digest, target.identity(), job.config, kind, toolchain);
  edges->record(world, keys.edges, instance, keys.facts, job.world, keys.positions, digest,
                next ? &*next : nullptr);
}

void Compiler::read_ahead(std::span<const WantedProduct> wanted) {
  if (!persistent || !persistent->is_far()) return;
  const CodeInstanceTable::Use use = code.use();
  struct Known {
    const WantedProduct &of;
    JobKeys keys;
  };
  std::vector<Known> known;
  std::vector<Fingerprint> records, artifacts;
  for (const WantedProduct &each : wanted) {
    auto keys = guard_target(each.job.config, [&] {
      return with_stack(stack_for_limits,
                        [&] { return keys_of(each.job, targets.of(each.job.config.target), true); });
    });
    if (!keys.ok()) continue; // the compile reports it
    records.push_back(keys->edges);
    known.push_back({each, std::move(*keys)});
  }
  const std::vector<bool> is_here = persistent->read_ahead(records);
  for (size_t i = 0; i < known.size(); i++) {
    const auto &[of, keys] = known[i];
    const auto recorded =
        is_here[i] ? edges->find(world, keys.edges, keys.facts, of.job.world, keys.positions) : std::nullopt;
    const bool is_cubin = of.product == ArtifactKind::Cubin; // its key needs the text
    const ArtifactKind kind = is_cubin ? ArtifactKind::Assembly : of.product;
    if (recorded)
      artifacts.push_back(object_key(keys.inference, recorded->digest,
                                     targets.of(of.job.config.target).identity(), of.job.config, kind,
                                     toolchain));
  }
  (void)persistent->read_ahead(artifacts);
}

PersistPolicy Compiler::persist_policy(const CompilerJob &job, const Target &target, ArtifactKind kind,
                                       const JobKeys &keys, Fingerprint callees) {
  PersistPolicy policy;
  policy.product = kind;
  policy.fields = [&, kind, callees] {
    StageScope scope(timer, Stage::CachePublish);
    return fields_of(job, target, kind, keys, callees);
  };
  // A machine without the device library accepts artifacts made with any version of it.
  policy.accepts = [&](const Artifact &found) {
    if (found.device_library.empty()) return true;
    const std::string own = assemblers.device_library(target);
    return own.empty() || own == found.device_library;
  };
  policy.found = [&](const Artifact &found) { show(job, found); };
  return policy;
}

void Compiler::show(const CompilerJob &job, const Artifact &artifact) {
  if (observer && observer->wants(job, artifact.kind))
    ObserverFault::note(observer->product(job, artifact.kind, artifact.bytes));
}

} // namespace kiln
