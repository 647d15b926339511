// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lowered.h"

#include "captures.h"
#include "cfg.h"
#include "verifier.h"

#include <algorithm>

namespace kiln {

CodeBuilder::~CodeBuilder() = default;
CodeBuilder::CodeBuilder(CodeBuilder &&) noexcept = default;

CodeBuilder::CodeBuilder(TypeContext &types, Symbol name, Span at)
    : types_(types), code_(std::make_unique<CodeInfo>()), at_(at) {
  code_->name = name;
  code_->at = at;
}

void CodeBuilder::misuse(std::string message) { misuse_.push_back({0, at_, std::move(message)}); }

uint32_t CodeBuilder::add_slot(Symbol name) {
  code_->slot_names.push_back(name);
  return uint32_t(code_->slot_names.size() - 1);
}

uint32_t CodeBuilder::add_argument(Symbol name) {
  if (code_->nargs != code_->slot_names.size()) {
    misuse(fmt::format("adds the argument {} behind slots: arguments come first", name.text()));
    return add_slot(name);
  }
  ++code_->nargs;
  return add_slot(name);
}

/// Bit of Place::index that marks an index into code_->globals; without it, into code_->constants.
constexpr uint32_t global_bit = 1u << 31;
constexpr uint32_t no_index = ~uint32_t(0);

/// Finds the index of an equal constant or global with this hash. no_index: there is none, and the caller
/// stores the new index there.
template <class Same> uint32_t &CodeBuilder::place_of(uint64_t hash, Same &&same) {
  if (2 * places_used_ >= places_.size()) grow_places();
  const size_t mask = places_.size() - 1;
  // Multiply, since the hashes of small integers are close together.
  size_t at = (hash * 0x9e3779b97f4a7c15) >> 32;
  while (places_[at & mask].index != no_index &&
         !(places_[at & mask].hash == hash && same(places_[at & mask].index)))
    ++at;
  Place &place = places_[at & mask];
  if (place.index == no_index) {
    place.hash = hash;
    ++places_used_;
  }
  return place.index;
}

void CodeBuilder::grow_places() {
  const std::vector<Place> before =
      std::exchange(places_, std::vector<Place>(std::max<size_t>(16, 4 * places_.size())));
  places_used_ = 0;
  for (const Place &place : before)
    if (place.index != no_index) place_of(place.hash, [](uint32_t) { return false; }) = place.index;
}

Operand CodeBuilder::constant(Value value) {
  if (!value) {
    misuse("takes a constant that has no value");
    value = types_.nothing();
  }
  uint32_t &index =
      place_of(value.hash(), [&](uint32_t i) { return !(i & global_bit) && code_->constants[i] == value; });
  if (index == no_index) {
    code_->constants.push_back(std::move(value));
    index = uint32_t(code_->constants.size() - 1);
  }
  return {Operand::Kind::Const, index};
}

Operand CodeBuilder::global(const Module *module, Symbol name) {
  if (!module || !name) {
    misuse(module ? "reads a global without a name" : "reads a global of a module that is null");
    return constant(types_.nothing());
  }
  const GlobalName global{module, name};
  uint32_t &index =
      place_of(std::hash<const void *>()(module) * 31 + std::hash<Symbol>()(name),
               [&](uint32_t i) { return (i & global_bit) && code_->globals[i & ~global_bit] == global; });
  if (index == no_index) {
    code_->globals.push_back(global);
    index = uint32_t(code_->globals.size() - 1) | global_bit;
  }
  return {Operand::Kind::Global, index & ~global_bit};
}

uint32_t CodeBuilder::append(Stmt stmt) {
  stmt.at = at_;
  code_->stmts.push_back(std::move(stmt));
  return uint32_t(code_->stmts.size() - 1);
}

Operand CodeBuilder::copy(Operand value) { return Operand::ssa(append({.op = Op::Copy, .args = {value}})); }

Operand CodeBuilder::call(Operand callee, const Operands &args) {
  return Operand::ssa(append({.op = Op::Call, .flags = flags_, .args = Operands(callee, args)}));
}

Operand CodeBuilder::new_struct(Operand type, const Operands &fields) {
  return Operand::ssa(append({.op = Op::New, .args = Operands(type, fields)}));
}

Operand CodeBuilder::new_closure(Operand wrapper, const Operands &captured) {
  return Operand::ssa(append({.op = Op::NewClosure, .args = Operands(wrapper, captured)}));
}

void CodeBuilder::set_slot(uint32_t slot, Operand value) {
  append({.op = Op::SetSlot, .slot = slot, .args = {value}});
}

Operand CodeBuilder::is_defined(uint32_t slot) {
  return Operand::ssa(append({.op = Op::IsDefined, .slot = slot}));
}

Operand CodeBuilder::bounds_check() { return Operand::ssa(append({.op = Op::BoundsCheck})); }

void CodeBuilder::return_(Operand value) { append({.op = Op::Return, .args = {value}}); }

void CodeBuilder::host_only(Operand compile_error, Operand message) {
  append({.op = Op::HostOnly, .args = {compile_error, message}});
}

void CodeBuilder::leave() { append({.op = Op::Leave}); }
Operand CodeBuilder::exception() { return Operand::ssa(append({.op = Op::Exception})); }
Operand CodeBuilder::cell(uint32_t slot, uint8_t flags) {
  return Operand::ssa(append({.op = Op::Cell, .flags = flags, .slot = slot}));
}
void CodeBuilder::fresh(uint32_t slot) { append({.op = Op::Fresh, .slot = slot}); }

void CodeBuilder::unreachable() { append({.op = Op::Unreachable}); }

/// Message for a declared type that is null.
static constexpr std::string_view null_type = "declares a type that is null";

Operand CodeBuilder::declare(Operand value, TypeRef type) {
  if (!type) {
    misuse(std::string(null_type));
  } else if (value.kind == Operand::Kind::Ssa && value.index < code_->stmts.size()) {
    if (code_->declarations.size() <= value.index) code_->declarations.resize(value.index + 1);
    code_->declarations[value.index].type = type;
  } else if (value.kind == Operand::Kind::Slot && value.index < code_->slot_names.size()) {
    if (code_->slot_types.size() <= value.index) code_->slot_types.resize(value.index + 1);
    code_->slot_types[value.index] = type;
  } else {
    misuse("declares the type of what is neither a statement nor a variable");
  }
  return value;
}

Operand CodeBuilder::declare_method(Operand call, TypeRef signature) {
  if (!signature) {
    misuse("declares a method whose signature is null");
    return call;
  }
  if (call.kind != Operand::Kind::Ssa || call.index >= code_->stmts.size() ||
      code_->stmts[call.index].op != Op::Call) {
    misuse("declares the method of what is no call");
    return call;
  }
  if (code_->declarations.size() <= call.index) code_->declarations.resize(call.index + 1);
  code_->declarations[call.index].method = signature;
  return call;
}

void CodeBuilder::declare_result(TypeRef type) {
  if (!type) misuse(std::string(null_type));
  code_->result_type = type;
}

CodeBuilder::Label CodeBuilder::new_label() {
  label_targets_.push_back(unplaced_label);
  return {uint32_t(label_targets_.size() - 1)};
}

void CodeBuilder::place(Label label) {
  if (label.id >= label_targets_.size() || label_targets_[label.id] != unplaced_label) {
    misuse(label.id >= label_targets_.size() ? "places a label that it did not make"
                                             : "places a label twice");
    return;
  }
  label_targets_[label.id] = last_place_ = uint32_t(code_->stmts.size());
}

void CodeBuilder::go_to(Label label) { fixups_.emplace_back(append({.op = Op::Goto}), label.id); }

void CodeBuilder::go_to_if_not(Operand condition, Label label) {
  fixups_.emplace_back(append({.op = Op::GotoIfNot, .args = {condition}}), label.id);
}

void CodeBuilder::enter(Label handler, uint32_t catch_blocks) {
  fixups_.emplace_back(append({.op = Op::Enter, .slot = catch_blocks}), handler.id);
}

bool CodeBuilder::terminated() const {
  if (code_->stmts.empty()) return false;
  Op last = code_->stmts.back().op;
  if (!is_terminator(last) || last == Op::GotoIfNot) return false;
  // If a label was placed after the terminator, the next statement is reachable.
  return last_place_ != code_->stmts.size();
}

Result<CodeInfo> CodeBuilder::finish(const SourceMap *sources) {
  for (auto &[stmt, label] : fixups_)
    code_->stmts[stmt].target = label < label_targets_.size() ? label_targets_[label] : unplaced_label;
  settle_captures(*code_);
  std::vector<CodeFault> faults = std::exchange(misuse_, {});
  for (CodeFault &fault : code_faults(*code_)) faults.push_back(std::move(fault));
  if (!faults.empty()) return code_error(code_->name, faults, sources);
  return std::move(*code_);
}

} // namespace kiln
