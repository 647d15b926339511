// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Assembles several kernels into one cubin, for loading on devices only.
//
// A merged cubin has a key made of all its members. Each kernel also has a record, under a key of its own,
// that names the merged cubin. The content of a kernel's own cubin key therefore never depends on the kernels
// compiled with it. Rationale: docs/design/cache.md.
#include "assembled_keys.h"
#include "stages.h"

#include <support/guard_target.h>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace kiln {

namespace {

/// Larger groups gain little: groups of 64 members save an eighth of the time per kernel compared with 16.
constexpr size_t max_members = 32;
constexpr size_t max_text_bytes = size_t(1)
                                  << 20; ///< maximum text of a merged cubin; bounds a batch's memory

ObjectCache::ArtifactPtr member_artifact(const Artifact &assembly, ObjectCache::ArtifactPtr object,
                                         const KernelResources &resources) {
  auto member = std::make_shared<Artifact>(assembly);
  member->kind = ArtifactKind::Cubin;
  member->bytes.clear();
  member->bytes.shrink_to_fit();
  member->resources = resources;
  member->assembler = object->assembler;
  member->merged = std::move(object);
  return member;
}

} // namespace

Fingerprint member_key(const AssembledKeys &keys) {
  return Fingerprinter().add("kiln merged member 1").add(content_version).add(keys.any).finish();
}

size_t batch_size(size_t jobs, unsigned threads) {
  const size_t max_batch = max_members * std::max(1u, threads), rounds = (jobs + max_batch - 1) / max_batch;
  if (rounds == 0) return 1;
  const size_t batches = rounds * std::max(1u, threads);
  return (jobs + batches - 1) / batches;
}

/// One call of assemble_many.
class AssemblyBatch {
public:
  AssemblyBatch(Compiler &compiler, std::span<const CompilerJob> jobs, const Target &target,
                const Compiler::TimeJob &time)
      : c_(compiler), jobs_(jobs), target_(target), time_(time), results_(jobs.size()) {}

  std::vector<Result<Compiled>> run() {
    for (size_t i = 0; i < jobs_.size(); i++) {
      const TimedJob timed = begin(i, false);
      if (auto done = look(i)) results_[i] = std::move(done);
    }
    make();
    for (const auto &[index, member] : awaited_) {
      const TimedJob timed = begin(index);
      results_[index] = join(index, member);
    }
    std::vector<Result<Compiled>> all;
    for (auto &result : results_) all.push_back(std::move(*result));
    return all;
  }

private:
  /// A kernel that this thread must assemble.
  struct Wanted {
    size_t index = 0;
    Compiled text;
    AssembledKeys keys;
    ObjectCache::Taken taken;
    const Artifact &assembly() const { return *text.artifact; }
  };

  /// Attributes this thread's time to the job until the returned object is destroyed.
  TimedJob begin(size_t index, bool continues = true) const {
    return time_ ? time_(jobs_[index], continues) : TimedJob();
  }

  /// Looks up a kernel and returns its artifact or an error. Returns nothing if no cache has the kernel: this
  /// thread then assembles it (wanted_), or another thread already does (awaited_).
  std::optional<Result<Compiled>> look(size_t index) {
    const CompilerJob &job = jobs_[index];
    if (auto stopped = check_cancellation(); !stopped.ok()) return Result<Compiled>(stopped.take_error());
    auto text = c_.compile_with_keys(job, target_, ArtifactKind::Assembly);
    if (!text.ok()) return std::move(text);
    auto made_keys = guard_target(job.config, [&]() -> Result<AssembledKeys> {
      return c_.assembled_keys(job.config, *text->artifact, target_);
    });
    if (!made_keys.ok()) return Result<Compiled>(made_keys.take_error());
    const AssembledKeys keys = std::move(*made_keys);
    auto found = [&](ObjectCache::ArtifactPtr artifact, const Fingerprint &key) {
      Compiled done = std::move(*text);
      done.artifact = std::move(artifact);
      done.keys.push_back(key);
      return std::optional<Result<Compiled>>(std::move(done));
    };
    if (auto single = c_.objects.find(keys.exact)) return found(std::move(single), keys.exact);
    const Fingerprint member = member_key(keys);
    ObjectCache::Taken taken = c_.objects.take(member);
    if (!taken) {
      if (auto ready = c_.objects.find(member)) return found(std::move(ready), keys.exact);
      awaited_.emplace_back(index, member);
      return std::nullopt;
    }
    ObjectCache::ArtifactPtr stored = c_.stored_member(*text->artifact, keys);
    if (!stored && c_.persistent && !c_.persistent->wants_check())
      stored = c_.persistent->find_anywhere(keys.exact);
    if (stored) {
      c_.objects.fill(std::move(taken), stored, ObjectCache::Origin::Store);
      return found(std::move(stored), keys.exact);
    }
    if (auto limited = c_.find_limited(job, keys)) {
      c_.objects.fill(std::move(taken), nullptr);
      return found(std::move(limited), *keys.limited);
    }
    wanted_.push_back({index, std::move(*text), keys, std::move(taken)});
    return std::nullopt;
  }

  bool may_merge(const Wanted &wanted, const Assembler &assembler) const {
    const CompilerJob &job = jobs_[wanted.index];
    const Artifact &text = wanted.assembly();
    if (text.session_bound || (c_.observer && c_.observer->wants(job, ArtifactKind::Cubin))) return false;
    auto can = guard_target(job.config,
                            [&]() -> Result<bool> { return assembler.can_merge(job.config, text.bytes); });
    return can.ok() && *can;
  }

  /// Assembles the kernels in wanted_. Mergeable ones form groups. Groups are ordered by key, so that the
  /// order of the jobs has no effect. Entry names in a group are unique.
  void make() {
    if (wanted_.empty()) return;
    // Turns exceptions into errors: other threads wait for these keys. assemble_single() reports the error.
    const CompilerConfig &config = jobs_[wanted_[0].index].config;
    auto assembler = guard_target(config, [&] { return c_.assemblers.of(target_); });
    auto try_merged = [&](std::span<Wanted *const> group) {
      auto made = guard_target(config, [&]() -> Result<bool> { return make_merged(**assembler, group); });
      return made.ok() && *made;
    };
    std::vector<Wanted *> alone, rest;
    for (Wanted &each : wanted_)
      (assembler.ok() && wanted_.size() > 1 && may_merge(each, **assembler) ? rest : alone).push_back(&each);
    std::sort(rest.begin(), rest.end(),
              [](const Wanted *a, const Wanted *b) { return a->keys.exact < b->keys.exact; });
    while (!rest.empty()) {
      std::vector<Wanted *> group, others;
      std::set<std::string_view> entries;
      size_t bytes = 0;
      for (Wanted *each : rest) {
        const bool fits = group.size() < max_members && bytes < max_text_bytes &&
                          options_of(*each) == options_of(*rest[0]) &&
                          entries.insert(each->assembly().entry).second;
        if (fits) bytes += each->assembly().bytes.size();
        (fits ? group : others).push_back(each);
      }
      if (group.size() == 1 || !try_merged(group)) alone.insert(alone.end(), group.begin(), group.end());
      rest = std::move(others);
    }
    // Fill the keys with null before assembling: threads that wait for a merged cubin then request a single
    // cubin.
    for (Wanted *each : alone) c_.objects.fill(std::move(each->taken), nullptr);
    for (Wanted *each : alone) assemble_single(*each);
  }

  /// Config options that change the assembler's output. Kernels of one group must agree on them.
  std::tuple<int, int, bool, const TargetSpec &> options_of(const Wanted &wanted) const {
    const CompilerConfig &config = jobs_[wanted.index].config;
    return {config.opt_level, config.debug_level, config.strip, config.target};
  }

  /// Assembles a group into one cubin. Returns false if the assembler rejected the group, for example because
  /// of one faulty kernel.
  bool make_merged(const Assembler &assembler, std::span<Wanted *const> group) {
    if (cancellation_requested() || !c_.may_compile) return false;
    std::vector<AssemblerInput> inputs;
    Fingerprinter key;
    key.add("kiln merged cubin 1").add(content_version).add(assembler.identity());
    for (const Wanted *each : group) {
      inputs.push_back({each->assembly().entry, each->assembly().bytes});
      key.add(each->keys.exact);
    }
    const CompilerConfig &config = jobs_[group[0]->index].config;
    c_.assembler_calls.fetch_add(1, std::memory_order_relaxed);
    const auto began = std::chrono::steady_clock::now();
    auto made = run_stage(c_.timer, Stage::Assemble,
                          [&] { return assembler.assemble_merged(config, inputs, c_.world.sources()); });
    divide(std::chrono::steady_clock::now() - began, group);
    if (!made.ok() || made->resources.size() != group.size()) return false;
    c_.kernels_merged.fetch_add(group.size(), std::memory_order_relaxed);
    auto object = std::make_shared<Artifact>();
    object->kind = ArtifactKind::Cubin;
    object->bytes = std::move(made->bytes);
    object->entry = group[0]->assembly().entry;
    object->assembler = assembler.identity();
    const Fingerprint object_key = key.finish();
    keep(object_key, object, group, began);
    const ObjectCache::ArtifactPtr kept = c_.objects.put(object_key, std::move(object));
    for (size_t i = 0; i < group.size(); i++) {
      Wanted &each = *group[i];
      const TimedJob timed = begin(each.index);
      auto member = member_artifact(each.assembly(), kept, made->resources[i]);
      if (c_.persistent)
        c_.persistent->publish_content(member_key(each.keys),
                                       member_content({object_key, made->resources[i], kept->assembler}),
                                       PersistentCache::Reach::Fleet);
      finish(each, std::move(member), {member_key(each.keys), object_key}, 1);
    }
    return true;
  }

  /// Divides the time of one assembler call among the jobs of its kernels, in proportion to their text sizes.
  /// A kernel assembled alone takes time proportional to its text, too.
  void divide(std::chrono::nanoseconds took, std::span<Wanted *const> group) const {
    if (!c_.timer || !c_.timer->enabled()) return;
    uint64_t all_bytes = 0, bytes = 0, divided = 0;
    for (const Wanted *each : group) all_bytes += each->assembly().bytes.size();
    for (const Wanted *each : group) {
      bytes += each->assembly().bytes.size();
      const auto until = uint64_t(double(took.count()) * double(bytes) / double(all_bytes));
      const TimedJob timed = begin(each->index);
      c_.timer->add_share(stage_name(Stage::AssembleShare), until - std::exchange(divided, until));
    }
  }

  void keep(Fingerprint key, const std::shared_ptr<Artifact> &object, std::span<Wanted *const> group,
            std::chrono::steady_clock::time_point began) {
    if (!c_.persistent) return;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - began;
    EntryNote note{{{"kind", std::string(merged_cubin_kind)}, {"assembler", object->assembler}},
                   took.count()};
    for (const Wanted *each : group) {
      note.fields.push_back({each->assembly().entry, each->keys.any.hex()});
      c_.persistent->count_made(MissCause::NewText);
    }
    c_.persistent->publish({key}, object, std::move(note));
  }

  void assemble_single(Wanted &wanted) {
    const TimedJob timed = begin(wanted.index);
    if (auto stopped = check_cancellation(); !stopped.ok())
      results_[wanted.index] = Result<Compiled>(stopped.take_error());
    else
      results_[wanted.index] = c_.assemble_by(jobs_[wanted.index], std::move(wanted.text), wanted.keys,
                                              [&] { return c_.assemblers.of(target_); });
  }

  void finish(Wanted &wanted, ObjectCache::ArtifactPtr artifact, std::vector<Fingerprint> keys,
              unsigned made) {
    Compiled done = std::move(wanted.text);
    done.artifact = artifact;
    done.keys.insert(done.keys.end(), keys.begin(), keys.end());
    done.made += made;
    c_.objects.fill(std::move(wanted.taken), std::move(artifact));
    results_[wanted.index] = std::move(done);
  }

  /// Waits for a kernel that another thread assembles, or an equal job of this batch.
  Result<Compiled> join(size_t index, Fingerprint member) {
    KILN_TRY(ObjectCache::ArtifactPtr made, c_.objects.join(member));
    if (!made) return c_.loadable(jobs_[index], target_);
    KILN_TRY(Compiled done, c_.compile_with_keys(jobs_[index], target_, ArtifactKind::Assembly));
    done.artifact = std::move(made);
    return done;
  }

  Compiler &c_;
  const std::span<const CompilerJob> jobs_;
  const Target &target_;
  const Compiler::TimeJob &time_;
  std::vector<std::optional<Result<Compiled>>> results_;
  std::vector<Wanted> wanted_;
  std::vector<std::pair<size_t, Fingerprint>> awaited_; ///< job index and member key
};

std::vector<Result<Compiled>> Compiler::assemble_many(std::span<const CompilerJob> jobs, const Target &target,
                                                      const TimeJob &time) {
  return AssemblyBatch(*this, jobs, target, time).run();
}

/// Finds the kernel in a merged cubin of the store. Returns null if there is none. Also returns null while
/// the store is being checked, so that the kernel is compiled and compared.
ObjectCache::ArtifactPtr Compiler::stored_member(const Artifact &assembly, const AssembledKeys &keys) {
  if (!persistent || persistent->wants_check()) return nullptr;
  const Fingerprint key = member_key(keys);
  const auto content = persistent->find_content(key, PersistentCache::Reach::Fleet);
  if (!content) return nullptr;
  Result<MergedMember> member = read_member(*content);
  if (!member.ok()) {
    persistent->drop_damaged(key, member.error());
    return nullptr;
  }
  // made by another assembler
  if (!keys.assembler.empty() && member->assembler != keys.assembler) return nullptr;
  Result<ObjectCache::ArtifactPtr> object = objects.join(member->object);
  if (!object.ok()) return nullptr;
  if (!*object) {
    object = persistent->find_anywhere(member->object);
    if (!*object) return nullptr; // evicted from the cache folder
    object = objects.put(member->object, std::move(*object), ObjectCache::Origin::Store);
  }
  return member_artifact(assembly, std::move(*object), member->resources);
}

Result<Compiled> Compiler::loadable(const CompilerJob &job, const Target &target) {
  KILN_TRY(Compiled compiled, compile_with_keys(job, target, ArtifactKind::Assembly));
  const AssembledKeys keys = assembled_keys(job.config, *compiled.artifact, target);
  const Fingerprint member = member_key(keys);
  if (!objects.find(keys.exact)) {
    KILN_TRY(ObjectCache::ArtifactPtr found, objects.join(member));
    if (!found) {
      found = stored_member(*compiled.artifact, keys);
      if (found) found = objects.put(member, std::move(found), ObjectCache::Origin::Store);
    }
    if (found) {
      compiled.artifact = std::move(found);
      compiled.keys.push_back(member);
      return compiled;
    }
  }
  return assemble_by(job, std::move(compiled), keys, [&] { return assemblers.of(target); });
}

} // namespace kiln
