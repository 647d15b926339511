// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inference.h"

#include <unordered_set>

namespace kiln {

CodeInstanceTable::CodeInstanceTable(CompilerWorld &world, size_t budget)
    : state_(std::make_unique<State>(world, budget)) {}
CodeInstanceTable::~CodeInstanceTable() = default;
CompilerWorld &CodeInstanceTable::world() { return state_->world; }
const InferenceCounters &CodeInstanceTable::counters() const { return state_->counters; }

CodeInstanceTable::State::FactsTable &CodeInstanceTable::State::table(const InferenceFacts &facts) {
  std::lock_guard lock(tables_mutex);
  for (auto &table : tables)
    if (table->facts == facts) return *table;
  tables.push_back(std::make_unique<FactsTable>());
  tables.back()->facts = facts;
  return *tables.back();
}

Result<const CodeInstance *> CodeInstanceTable::get(const MethodInstance &source, const InferenceFacts &facts,
                                                    WorldAge world) {
  if (WorldAge oldest = state_->world.oldest(); world < oldest) // `source` may be freed
    return make_error(
        ErrorCode::WorldError,
        fmt::format(
            "the job belongs to world {}, and the definitions that were replaced before world {} are forgotten",
            world, oldest),
        {}, "make the job again: it then sees today's definitions");
  State::FactsTable &table = state_->table(facts);
  Inference inference(*state_, table, world);
  const CodeInstance *code = nullptr;
  if (auto done = inference.find(InstanceKey{&source, {}})) {
    state_->counters.hits.fetch_add(1, std::memory_order_relaxed);
    code = done.get();
  } else {
    KILN_TRY(code, inference.infer(source));
  }
  code->used.store(state_->clock.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return code;
}

const CodeInstance *CodeInstanceTable::find(const MethodInstance &source, const InferenceFacts &facts,
                                            WorldAge world) {
  if (world < state_->world.oldest()) return nullptr;
  auto done = Inference(*state_, state_->table(facts), world).find(InstanceKey{&source, {}});
  if (!done) return nullptr;
  state_->counters.hits.fetch_add(1, std::memory_order_relaxed);
  done->used.store(state_->clock.fetch_add(1, std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  return done.get();
}

// Remember the last position: most statements of a method are in one file and on few lines.
static void add_positions(Fingerprinter &digest, const SourceMap &sources, const CodeInfo &code) {
  std::shared_ptr<const SourceFile> file;
  Span last;
  for (const Stmt &stmt : code.stmts) {
    if (!stmt.at || stmt.at == last) continue;
    last = stmt.at;
    if (!file || file->id() != stmt.at.file) {
      file = sources.file(stmt.at.file);
      digest.add(file ? file->name() : std::string());
    }
    if (!file) continue;
    LineColumn at = file->position(stmt.at.begin);
    digest.add(at.line).add(at.column);
  }
}

Result<Fingerprint> method_digest(CompilerWorld &world, const Method &method, bool positions) {
  KILN_TRY(Fingerprint content, method.digest(world.types()));
  if (!positions) return content;
  KILN_TRY(const CodeInfo *code, method.code(world.types()));
  Fingerprinter digest;
  digest.add(content);
  add_positions(digest, world.sources(), *code);
  return digest.finish();
}

Result<Fingerprint> CodeInstance::own_digest(CompilerWorld &world, bool positions) const {
  std::lock_guard lock(digest_mutex_);
  std::optional<Fingerprint> &kept = own_digest_[positions];
  if (kept) return *kept;
  TypeContext &types = world.types();
  Fingerprinter digest;
  KILN_TRY(Fingerprint method, instance->method->digest(types));
  digest.add(method);
  types.digest(digest, instance->arguments);
  if (positions) add_positions(digest, world.sources(), *code);
  digest.add(uint64_t(has_constants));
  for (const Lattice &argument : arguments)
    if (has_constants && argument.constant) types.digest(digest, *argument.constant);
  for (const Edge &edge : edges)
    if (edge.kind == Edge::Kind::Call && edge.asks_only) { // other calls' methods are among the callees
      types.digest(digest, edge.arguments);
      digest.add(edge.method != nullptr);
    } else if (edge.kind == Edge::Kind::Binding) {
      digest.add(edge.binding.name.text());
      KILN_TRY(auto value, world.lookup(*edge.binding.module, edge.binding.name, begin));
      digest.add(uint64_t(value.has_value()));
      if (value && !value->as_module()) digest_variable(world, edge.overlay, *value, digest);
    }
  kept = digest.finish();
  return *kept;
}

static bool is_reference(const Value &value) {
  if (const std::vector<Value> *fields = value.fields())
    return fields->size() == 1 && is_reference(fields->front());
  return value.as_array() || value.as_object();
}

bool is_read_at_run_time(const CompilerWorld &world, Symbol overlay, const Value &value) {
  return overlay && overlay == world.host_overlay() && is_reference(value);
}

void digest_variable(CompilerWorld &world, Symbol overlay, const Value &value, Fingerprinter &into) {
  if (is_read_at_run_time(world, overlay, value))
    world.types().digest(into, value.type());
  else
    world.types().digest(into, value);
}

Result<Fingerprint> CodeInstanceTable::callee_digest(const CodeInstance &code, bool positions) {
  Fingerprinter digest;
  std::unordered_set<const CodeInstance *> seen{&code};
  std::vector<const CodeInstance *> order{&code};
  for (size_t i = 0; i < order.size(); i++) {
    KILN_TRY(Fingerprint own, order[i]->own_digest(state_->world, positions));
    digest.add(own);
    for (const CodeInstance *callee : order[i]->callees)
      if (seen.insert(callee).second) order.push_back(callee);
  }
  return digest.finish();
}

} // namespace kiln
