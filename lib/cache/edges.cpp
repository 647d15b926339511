// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "edges.h"

#include "artifact_entry.h"
#include "edge_types.h"

#include <support/strong_digest.h>

#include <set>
#include <unordered_set>

namespace kiln {

namespace {

enum class EdgeTag : uint8_t {
  End,
  Call,
  Binding,
  Overlay, ///< sets the overlay for the calls that follow, for calls of nested jobs
};

/// Result of a lookup in a World, in a form that other processes can compare: a kind and a digest.
struct Found {
  enum class Kind : uint8_t {
    LibraryAlone, ///< of a call: only the library's methods can apply
    Library,      ///< a method or name of the library; `id` is the digest of its name
    Own,          ///< a method's code or a value; `id` is its digest
    Generated,    ///< a @generated method; `id` is the digest of its inputs (Method::generator_inputs)
    None,
    Ambiguous,
  };
  Kind kind = Kind::None;
  Fingerprint id;
  bool is_code() const { return kind == Kind::Own || kind == Kind::Generated; }
  bool has_id() const { return kind == Kind::Library || is_code(); }
  bool operator==(const Found &other) const {
    return kind == other.kind && (!has_id() || same_content(id, other.id));
  }
};

/// Repeats the lookups of inference in a World: the method of a call, and the value of a name.
struct Asker {
  CompilerWorld &world;
  Symbol overlay; ///< of the facts
  WorldAge age;
  bool positions;

  /// Finds the method that a call chooses. Empty: the method's code cannot be made, so that it has no digest.
  std::optional<Found> call(TypeRef arguments, MethodMatch &match) {
    auto found = world.lookup_method(arguments, age, overlay);
    if (!found.ok()) return std::nullopt;
    match = std::move(*found);
    if (!match.method) return Found{match.ambiguous.empty() ? Found::Kind::None : Found::Kind::Ambiguous, {}};
    TypeContext &types = world.types();
    Fingerprinter id;
    if (match.method->is_library && !match.method->generate) {
      id.add(world.sources().file(match.method->at.file)->name())
          .add(match.method->at.begin)
          .add(match.method->overlay.text());
      types.digest(id, match.method->signature);
      return Found{Found::Kind::Library, id.finish()};
    }
    if (match.method->generate && !types.is_dispatch_tuple(arguments))
      return std::nullopt; // invoke of a generated function: its code depends on the values' types
    if (match.method->generate)
      if (auto inputs = world.generator_inputs(*match.method, arguments))
        return Found{Found::Kind::Generated, *inputs};
    auto expanded = world.expanded(*match.method, arguments, match.static_params);
    if (!expanded.ok()) return std::nullopt;
    auto digest = method_digest(world, **expanded, positions);
    if (!digest.ok()) return std::nullopt;
    return Found{Found::Kind::Own, *digest};
  }

  std::optional<Found> binding(const Module &module, Symbol name) {
    CompilerWorld::Meaning meaning = world.meaning(module, name, age);
    Fingerprinter id;
    switch (meaning.kind) {
    case CompilerWorld::Meaning::Kind::Undefined: return Found{Found::Kind::None, {}};
    case CompilerWorld::Meaning::Kind::Ambiguous: return Found{Found::Kind::Ambiguous, {}};
    case CompilerWorld::Meaning::Kind::Library:
      id.add(meaning.owner->full_name()).add(meaning.name.text());
      return Found{Found::Kind::Library, id.finish()};
    case CompilerWorld::Meaning::Kind::Value: break;
    }
    auto value = world.lookup(module, name, age);
    if (!value.ok() || !*value) return std::nullopt;
    if (const Module *is_module = (*value)->as_module())
      id.add(is_module->full_name());
    else
      digest_variable(world, overlay, **value, id);
    return Found{Found::Kind::Own, id.finish()};
  }
};

void write(ByteWriter &out, const Found &answer) {
  out.add(answer.kind);
  if (answer.has_id()) out.add(answer.id);
}

Found read_answer(ByteReader &in) {
  Found answer{Found::Kind(in.number_up_to(uint8_t(Found::Kind::Ambiguous))), {}};
  if (answer.has_id()) answer.id = in.fingerprint();
  return answer;
}

} // namespace

Result<Fingerprint> edges_key(CompilerWorld &world, const MethodInstance &source, Fingerprint level1,
                              bool positions, std::string_view toolchain) {
  Fingerprinter key;
  key.add("kiln edges key 2").add(level1).add(toolchain).add(positions);
  if (positions) {
    KILN_TRY(Fingerprint placed, method_digest(world, *source.method, true));
    key.add(placed);
  }
  return key.finish();
}

std::optional<std::string> record_edges(CompilerWorld &world, const CodeInstance &code,
                                        const InferenceFacts &facts, WorldAge age, bool positions,
                                        const RecordedCode &kept) {
  Asker ask{world, facts.overlay, age, positions};
  ByteWriter out;
  out.add(ContentKind::Edges).add(kept.digest).add(kept.summary.draws_random).add(kept.summary.is_partial);
  TypeWriter types(world, age, out);
  types.add(kept.summary.result);
  std::unordered_set<const CodeInstance *> seen{&code};
  std::vector<const CodeInstance *> order{&code};
  std::unordered_map<TypeRef, const Method *> calls;
  // Methods of calls in nested jobs, by argument types and overlay. The map is only searched, never iterated.
  std::map<std::pair<TypeRef, const void *>, const Method *> nested_calls;
  std::set<std::pair<const Module *, const void *>> bindings; // for lookups only
  for (size_t i = 0; i < order.size(); i++) {
    for (const Edge &edge : order[i]->edges) {
      if (edge.kind == Edge::Kind::Call) {
        bool is_new = false;
        if (edge.overlay == facts.overlay) {
          auto [known, added] = calls.try_emplace(edge.arguments, edge.method);
          if (known->second != edge.method) return std::nullopt;
          is_new = added;
        } else {
          auto [known, added] = nested_calls.try_emplace({edge.arguments, edge.overlay.id()}, edge.method);
          if (known->second != edge.method) return std::nullopt;
          is_new = added;
        }
        if (!is_new) continue;
        if (edge.overlay != ask.overlay) {
          ask.overlay = edge.overlay;
          out.add(EdgeTag::Overlay).add(edge.overlay ? edge.overlay.text() : std::string_view());
        }
        std::optional<Found> answer;
        if (!(edge.method && edge.method->generate) &&
            !world.may_choose_added(edge.arguments, edge.overlay)) {
          answer = Found{Found::Kind::LibraryAlone, {}}; // the usual case, and cheap: no lookup of the method
        } else {
          MethodMatch match;
          answer = ask.call(edge.arguments, match);
          if (!answer || match.method != edge.method) return std::nullopt;
        }
        out.add(EdgeTag::Call);
        types.add(edge.arguments);
        write(out, *answer);
      } else if (edge.kind == Edge::Kind::Binding) {
        if (!bindings.emplace(edge.binding.module, edge.binding.name.id()).second) continue;
        std::optional<Found> answer = ask.binding(*edge.binding.module, edge.binding.name);
        if (!answer) return std::nullopt;
        out.add(EdgeTag::Binding).add(edge.binding.module->full_name()).add(edge.binding.name.text());
        write(out, *answer);
      }
      if (types.failed()) return std::nullopt;
    }
    for (const CodeInstance *callee : order[i]->callees)
      if (seen.insert(callee).second) order.push_back(callee);
  }
  out.add(EdgeTag::End);
  return out.take();
}

namespace {

/// Compares all lookup results of a record with those of the World. Returns what it keeps if all agree.
/// For each difference calls `changed` with a function that makes a sentence about it. The walk continues if
/// `changed` returns true.
template <class Changed>
Result<std::optional<RecordedCode>> walk(CompilerWorld &world, std::string_view record,
                                         const InferenceFacts &facts, WorldAge age, bool positions,
                                         Changed &&changed) {
  Asker ask{world, facts.overlay, age, positions};
  ByteReader in(record);
  if (in.number<uint32_t>() != uint32_t(ContentKind::Edges)) in.fail();
  RecordedCode recorded{in.fingerprint(), {}};
  recorded.summary.draws_random = in.boolean();
  recorded.summary.is_partial = in.boolean();
  TypeReader types(world, age, in);
  std::map<std::string_view, const Module *> modules;
  bool is_same = true;
  auto differs = [&](auto &&what) {
    is_same = false;
    return changed(what);
  };
  auto missing_type = [&] { // a definition that a type needs is missing or has changed
    differs([&] {
      return fmt::format("{} is not there, or is another definition",
                         types.lost().empty() ? "a type" : types.lost());
    });
    return std::optional<RecordedCode>();
  };
  recorded.summary.result = types.type();
  if (!recorded.summary.result || types.has_absent()) return missing_type();
  while (!in.failed()) {
    EdgeTag tag = EdgeTag(in.number_up_to(uint8_t(EdgeTag::Overlay)));
    if (in.failed()) break;
    if (tag == EdgeTag::End) {
      if (in.at_end()) return is_same ? std::optional(recorded) : std::nullopt;
      in.fail();
    } else if (tag == EdgeTag::Overlay) {
      const std::string_view overlay = in.text();
      ask.overlay = overlay.empty() ? Symbol() : world.types().symbol(overlay);
    } else if (tag == EdgeTag::Call) {
      TypeRef arguments = types.type();
      if (!arguments) return missing_type();
      const bool is_asked_by_stand_in = types.has_absent();
      Found then = read_answer(in);
      const DataType *tuple = arguments->as<DataType>();
      if (in.failed() || !tuple || !tuple->is_tuple() || tuple->params().empty()) break;
      auto call = [&] { return spell_call(tuple->params()); };
      if (then.kind == Found::Kind::LibraryAlone) {
        if (world.may_choose_added(arguments, ask.overlay) &&
            !differs([&] { return fmt::format("{}: a method has been added that it may choose", call()); }))
          return std::optional<RecordedCode>();
        continue;
      }
      if (is_asked_by_stand_in) return std::optional<RecordedCode>();
      MethodMatch match;
      std::optional<Found> now = ask.call(arguments, match);
      if (now && *now == then) continue;
      auto what = [&] {
        if (!match.method) return fmt::format("{}: no method takes it", call());
        bool both_own = then.is_code() && now && now->is_code();
        return fmt::format("{}: {}", call(),
                           both_own ? positions ? "its code or its place in the file is another"
                                                : "its code is another"
                                    : "another method is chosen");
      };
      if (!differs(what)) return std::optional<RecordedCode>();
    } else {
      std::string_view module = in.text(), name = in.text();
      Found then = read_answer(in);
      if (in.failed()) break;
      const Module *&of = modules[module];
      if (!of) of = world.find_module(module);
      std::optional<Found> now = of ? ask.binding(*of, world.types().symbol(name)) : std::nullopt;
      if (now && *now == then) continue;
      if (!differs([&] {
            return fmt::format("{}.{}: {}", module, name,
                               !now || now->kind == Found::Kind::None ? "it is not defined"
                                                                      : "its value is another");
          }))
        return std::optional<RecordedCode>();
    }
  }
  return input_error("a damaged entry: it holds no edges");
}

} // namespace

Result<std::optional<RecordedCode>> check_edges(CompilerWorld &world, std::string_view record,
                                                const InferenceFacts &facts, WorldAge age, bool positions) {
  return walk(world, record, facts, age, positions, [](auto &&) { return false; });
}

std::vector<std::string> explain_edges(CompilerWorld &world, std::string_view content,
                                       const InferenceFacts &facts, WorldAge age, bool positions) {
  std::vector<std::string> told;
  auto records = read_records(content);
  if (!records.ok()) return {records.error().diagnostics()[0].message};
  auto walked = walk(world, records->front(), facts, age, positions, [&](auto &&what) {
    told.push_back(what());
    return true;
  });
  if (!walked.ok()) told.push_back(walked.error().diagnostics()[0].message);
  return told;
}

static std::string records_content(const std::vector<std::string> &records) {
  ByteWriter out;
  out.add(ContentKind::Edges).add(uint32_t(records.size()));
  for (const std::string &record : records) out.add(record);
  return out.take();
}

Result<std::vector<std::string>> read_records(std::string_view content) {
  ByteReader in(content);
  if (in.number<uint32_t>() != uint32_t(ContentKind::Edges)) in.fail();
  std::vector<std::string> records(in.count(4));
  for (std::string &record : records) record = in.text();
  if (!in.at_end() || records.empty()) return input_error("a damaged entry: it holds no edges");
  return records;
}

// ---- EdgeCache

EdgeCache::Records EdgeCache::load(Fingerprint key, PersistentCache::Reach reach) {
  std::optional<std::string> content = persistent_.find_content(key, reach);
  if (!content) return nullptr;
  Result<std::vector<std::string>> records = read_records(*content);
  if (records.ok()) return std::make_shared<const std::vector<std::string>>(std::move(*records));
  persistent_.drop_damaged(key, records.error());
  return nullptr;
}

std::optional<RecordedCode> EdgeCache::find(CompilerWorld &world, Fingerprint key,
                                            const InferenceFacts &facts, WorldAge age, bool positions) {
  Known known;
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(key); found != known_.end()) known = found->second;
  }
  if (known.records && known.checked_at == age) return known.code;
  if (!known.records) known.records = load(key, PersistentCache::Reach::Fleet);
  if (!known.records) {
    persistent_.count_edges(false);
    return std::nullopt;
  }
  known.code.reset();
  for (const std::string &record : *known.records) {
    Result<std::optional<RecordedCode>> code = check_edges(world, record, facts, age, positions);
    if (!code.ok()) {
      persistent_.drop_damaged(key, code.error());
      forget(key);
      return std::nullopt;
    }
    if ((known.code = *code)) break;
  }
  persistent_.count_edges(known.code.has_value());
  known.checked_at = age;
  remember(key, known);
  return known.code;
}

bool EdgeCache::has_records(Fingerprint key) {
  std::lock_guard lock(mutex_);
  return known_.contains(key);
}

void EdgeCache::record(CompilerWorld &world, Fingerprint key, const CodeInstance &code,
                       const InferenceFacts &facts, WorldAge age, bool positions, Fingerprint digest,
                       const Fingerprint *next) {
  const RecordedCode kept{digest, summary_of(world.types(), code)};
  std::optional<std::string> record = record_edges(world, code, facts, age, positions, kept);
  if (!record) return;
  Records before;
  {
    std::lock_guard lock(mutex_);
    if (auto found = known_.find(key); found != known_.end()) before = found->second.records;
  }
  // The remote store (Reach::Fleet) is not asked, since find() has already done so.
  if (!before) before = load(key, PersistentCache::Reach::Machine);
  std::vector<std::string> records{std::move(*record)};
  if (before)
    for (const std::string &each : *before)
      if (records.size() < max_records && each != records.front()) records.push_back(each);
  persistent_.publish_content(key, records_content(records), PersistentCache::Reach::Fleet, next);
  remember(key, {std::make_shared<const std::vector<std::string>>(std::move(records)), age, kept});
}

void EdgeCache::remember(Fingerprint key, Known known) {
  std::lock_guard lock(mutex_);
  if (known_.size() >= max_known) known_.clear(); // the store still has them
  known_[key] = std::move(known);
}

void EdgeCache::forget(Fingerprint key) {
  std::lock_guard lock(mutex_);
  known_.erase(key);
}

} // namespace kiln
