// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates one statement: its operands, its result, and facts that a branch condition adds.
#include "inference.h"

namespace kiln {

Lattice Inference::operand(Frame &frame, Operand operand, CallInfo &info) {
  CodeInstance &code = *frame.code;
  switch (operand.kind) {
  case Operand::Kind::None: return Lattice::bottom(types_);
  case Operand::Kind::Global: {
    const GlobalName &name = code.code->globals[operand.index];
    Lattice &known = code.globals[operand.index];
    if (known.type && !known.poison) return known;
    if (!known.type)
      code.edges.push_back(Edge{.kind = Edge::Kind::Binding, .overlay = facts().overlay, .binding = name});
    known = Lattice::poisoned(types_);
    auto value = world_.lookup(*name.module, name.name, age_);
    if (!value.ok()) {
      InferenceFault f{ErrorCode::UndefVarError,
                       fmt::format("the value of `{}` could not be evaluated: {}", name.name.text(),
                                   value.error().diagnostics()[0].message),
                       {},
                       {}};
      return fault(frame, info, std::move(f));
    }
    if (!value->has_value()) {
      const auto &unbound = code.instance->method->unbound_params;
      if (std::find(unbound.begin(), unbound.end(), name.name) != unbound.end())
        return fault(
            frame, info,
            InferenceFault{ErrorCode::UndefVarError,
                           fmt::format("`{}` not defined: no argument's type binds this static parameter",
                                       name.name.text()),
                           fmt::format("name {} in the type of an argument", name.name.text()),
                           {}});
      InferenceFault f{ErrorCode::UndefVarError,
                       fmt::format("`{}` not defined in `{}`", name.name.text(), name.module->full_name()),
                       {},
                       {}};
      f.hint = world_.undefined_hint(*name.module, name.name);
      return fault(frame, info, std::move(f));
    }
    if (is_read_at_run_time(world_, facts().overlay, **value))
      return known = Lattice::of_type(types_, types_.type_of(**value));
    return known = Lattice::of_constant(types_, std::move(**value));
  }
  default: return code.operand(types_, operand);
  }
}

Lattice CodeInstance::operand(TypeContext &types_, Operand operand) const {
  switch (operand.kind) {
  case Operand::Kind::None: return Lattice::bottom(types_);
  case Operand::Kind::Global: return globals[operand.index];
  case Operand::Kind::Ssa: return types[operand.index].type ? types[operand.index] : Lattice::bottom(types_);
  case Operand::Kind::Slot: return arguments[operand.index];
  case Operand::Kind::Const: return Lattice::of_constant(types_, constant(operand.index));
  case Operand::Kind::StaticParam: {
    TypeRef value = instance->static_params[operand.index];
    if (const auto *constant = value->as<ConstType>()) return Lattice::of_constant(types_, constant->value());
    if (value->is<TypeVar>())
      return Lattice::poisoned(types_); // an unbound type variable: emission of the entry reports it
    return Lattice::of_constant(types_, Value::type_value(types_, value));
  }
  }
  return Lattice::bottom(types_);
}

Lattice Inference::evaluate_phi(Frame &frame, uint32_t index) {
  CodeInstance &code = *frame.code;
  const Stmt &stmt = code.ssa->stmts[index];
  uint32_t own = code.ssa->block_of[index];
  const bool by_rule = code.code->hints.join != nullptr;
  Lattice value = by_rule ? moved_to(frame, index) : Lattice::bottom(types_);
  // Set if the variable is unassigned on some path. A language with a join rule reads zero there, so that the
  // result is not a constant.
  bool unassigned = false;
  for (size_t k = 0; k < stmt.args.size(); k++) {
    uint32_t pred = stmt.phi_blocks[k];
    const SsaBlock &block = code.ssa->blocks[pred];
    bool taken = false;
    for (size_t e = 0; e < block.succs.size(); e++)
      taken |= block.succs[e] == own && (code.edge_taken[pred] & (1u << e));
    unassigned |= taken && !stmt.args[k];
    if (!taken || !stmt.args[k]) continue;
    CallInfo ignored;
    const Lattice in = operand(frame, stmt.args[k], ignored);
    unassigned |= in.is_bottom();
    value = by_rule ? join_by_rule(frame, index, value, in) : join(types_, value, in);
  }
  if (by_rule && unassigned && value.constant) value = Lattice::of_type(types_, value.type);
  if (by_rule) check_moved(frame, index, value);
  return value;
}

// Returns facts about operand `subject` if `condition` has the value `when`. `value`: the facts known without
// the condition.
Lattice Inference::refine(Frame &frame, const Lattice &value, Operand subject, Operand condition, bool when) {
  CodeInstance &code = *frame.code;
  if (condition.kind != Operand::Kind::Ssa) return value;
  const Stmt &stmt = code.ssa->stmts[condition.index];
  if (stmt.op == Op::Copy) return refine(frame, value, subject, stmt.args[0], when);
  if (stmt.op != Op::Call || stmt.args.size() < 2) return value;
  CallInfo ignored;
  Lattice callee = operand(frame, stmt.args[0], ignored);
  if (!callee.type || !callee.constant) return value;
  auto intrinsic = world_.intrinsic(callee.type);
  const DataType *data = callee.type->as<DataType>();
  std::string_view name =
      data && data->name().is_function ? data->name().function_name.text() : std::string_view();
  if (!intrinsic && name == "!" && stmt.args.size() == 2)
    return refine(frame, value, subject, stmt.args[1], !when);
  bool identity = intrinsic == Intrinsic::egal || (!intrinsic && name == "!==");
  if (identity && stmt.args.size() == 3) {
    if (!intrinsic) when = !when;
    for (int side = 1; side <= 2; side++) {
      if (!(stmt.args[side] == subject)) continue;
      Lattice other = operand(frame, stmt.args[3 - side], ignored);
      if (other.constant && types_.is_singleton(other.type)) return narrow(types_, value, other.type, !when);
      if (when && other.constant) return narrow(types_, value, other.type, false);
    }
    return value;
  }
  if (!intrinsic && name == "isnothing" && stmt.args[1] == subject)
    return narrow(types_, value, types_.builtins().Nothing, !when);
  if (intrinsic == Intrinsic::isa && stmt.args.size() == 3 && stmt.args[1] == subject) {
    Lattice type = operand(frame, stmt.args[2], ignored);
    if (type.constant && type.constant->as_type())
      return narrow(types_, value, type.constant->as_type(), !when);
  }
  return value;
}

Lattice Inference::evaluate_pi(Frame &frame, const Stmt &stmt) {
  CallInfo ignored;
  Lattice value = operand(frame, stmt.args[0], ignored);
  return refine(frame, value, stmt.args[0], stmt.args[1], stmt.pi_when);
}

/// Returns the result of static_defined(T). Evaluating the operand T would report a fault if T is undefined.
std::optional<bool> Inference::is_bound(const Frame &frame, const Stmt &call) const {
  if (call.op != Op::Call || call.args.size() != 2 || call.args[1].kind != Operand::Kind::StaticParam ||
      call.args[0].kind != Operand::Kind::Const)
    return std::nullopt;
  const Value &callee = frame.code->ssa->constant(call.args[0].index);
  if (world_.intrinsic(callee.type()) != Intrinsic::static_defined) return std::nullopt;
  return !frame.code->instance->static_params[call.args[1].index]->is<TypeVar>();
}

Lattice Inference::evaluate(Frame &frame, uint32_t index) {
  CodeInstance &code = *frame.code;
  const Stmt &stmt = code.ssa->stmts[index];
  TypeRef nothing = types_.builtins().Nothing;
  CallInfo info;
  info.flags = stmt.flags;
  Lattice result;
  switch (stmt.op) {
  case Op::Phi: return evaluate_phi(frame, index);
  case Op::Pi: return evaluate_pi(frame, stmt);
  case Op::Copy: result = operand(frame, stmt.args[0], info); break;
  case Op::BoundsCheck: result = Lattice::of_type(types_, types_.builtins().Bool); break;
  case Op::Goto: return Lattice::of_type(types_, nothing);
  case Op::Return: result = operand(frame, stmt.args[0], info); break;
  case Op::GotoIfNot: {
    Lattice condition = operand(frame, stmt.args[0], info);
    if (!condition.poison && !condition.is_bottom() && condition.type != types_.builtins().Bool)
      fault(frame, info,
            InferenceFault{ErrorCode::TypeError,
                           fmt::format("non-boolean ({}) used in boolean context", spell(condition.type)),
                           {},
                           {}});
    result = Lattice::of_type(types_, nothing);
    break;
  }
  case Op::Unreachable: result = Lattice::bottom(types_); break;
  case Op::Call:
  case Op::New:
  case Op::NewClosure: {
    if (const auto bound = is_bound(frame, stmt)) {
      info.kind = CallInfo::Kind::Constant;
      result = Lattice::of_constant(types_, types_.boolean(*bound));
      break;
    }
    Call call;
    call.flags = stmt.flags;
    call.at = stmt.at;
    bool dead = false, poison = false;
    for (Operand arg : stmt.args) {
      Lattice value = operand(frame, arg, info);
      dead |= value.is_bottom();
      poison |= value.poison;
      call.refs.push_back({arg, -1});
      call.values.push_back(std::move(value));
    }
    if (dead && !poison) {
      result = Lattice::bottom(types_);
    } else if (info.kind == CallInfo::Kind::Fault || poison) {
      info.kind = CallInfo::Kind::Fault; // no fault index: the operand's fault was reported
      if (poison && code.calls[index].kind == CallInfo::Kind::Fault)
        info.fault = code.calls[index].fault; // an earlier pass may have found this statement's own fault
      result = asserted_type(call).value_or(Lattice::poisoned(types_));
    } else if (stmt.op == Op::Call) {
      result = this->call(frame, std::move(call), info);
    } else {
      Lattice type = call.values[0];
      if (stmt.op == Op::NewClosure) {
        std::vector<TypeRef> captured;
        for (size_t i = 1; i < call.values.size(); i++)
          captured.push_back(call.values[i].dispatch_type(types_));
        if (TypeRef wrapper = type.constant ? type.constant->as_type() : nullptr;
            wrapper && !captured.empty()) {
          auto applied = types_.apply(wrapper, captured);
          if (!applied.ok()) {
            frame.error = applied.take_error();
            return Lattice::bottom(types_);
          }
          type = Lattice::of_constant(types_, Value::type_value(types_, *applied));
        }
      }
      result = construct(frame, std::move(type), std::move(call), info);
    }
    break;
  }
  case Op::SetSlot:
  case Op::Fresh: return Lattice::of_type(types_, nothing);
  case Op::Cell:
    result = stmt.args[0] ? operand(frame, stmt.args[0], info)
                          : fault(frame, info,
                                  capture_fault(code.code->slot_names[stmt.slot],
                                                "is assigned only after the closure is made"));
    break;
  case Op::IsDefined:
  case Op::HostOnly:
  case Op::Enter:
  case Op::Leave:
  case Op::Exception:
    frame.error = internal_error("slot operations in SSA form");
    return Lattice::bottom(types_);
  }
  code.calls[index] = std::move(info);
  return result;
}

/// Returns the type T of `x::T` in the host's code, where x may come from a function that only the host has.
std::optional<Lattice> Inference::asserted_type(const Call &call) const {
  if (!is_host_code() || call.values.size() != 3 || !call.values[1].poison) return std::nullopt;
  const auto intrinsic = world_.intrinsic(call.values[0].type);
  const TypeRef type = call.values[2].constant ? call.values[2].constant->as_type() : nullptr;
  if (!intrinsic || *intrinsic != Intrinsic::typeassert || !type || !types_.is_concrete(type))
    return std::nullopt;
  return Lattice::of_type(types_, type);
}

/// Returns the result type that the library declares for a call of a function that only the host has
/// (`__declared_result`, runtime/library/program/result_types.jl).
std::optional<Lattice> Inference::declared_result(Frame &frame, std::span<const TypeRef> arguments) {
  if (!is_host_code()) return std::nullopt;
  auto declares = world_.lookup(*world_.base(), types_.symbol("__declared_result"), age_);
  if (!declares.ok() || !*declares || types_.type_of(**declares) == arguments[0]) return std::nullopt;
  std::vector<TypeRef> call{types_.type_of(**declares)};
  call.insert(call.end(), arguments.begin(), arguments.end());
  const Lattice declared = result_of(frame, types_.tuple(call));
  const TypeRef type = declared.constant ? declared.constant->as_type() : nullptr;
  const auto is_precise = [&](TypeRef each) { return types_.is_concrete(each); };
  if (!type || frame.error) return std::nullopt;
  if (const auto *either = type->as<UnionType>())
    return std::ranges::all_of(either->members(), is_precise) ? std::optional(Lattice::of_type(types_, type))
                                                              : std::nullopt;
  return is_precise(type) ? std::optional(Lattice::of_type(types_, type)) : std::nullopt;
}

Lattice Inference::fault(Frame &frame, CallInfo &info, InferenceFault fault) {
  CodeInstance &code = *frame.code;
  uint64_t key = std::hash<std::string>()(fmt::format("{} {}", int(fault.code), fault.message));
  auto [it, fresh] = frame.fault_index.try_emplace(key, uint32_t(code.faults.size()));
  if (fresh || it->second >= code.faults.size()) {
    it->second = uint32_t(code.faults.size());
    code.faults.push_back(std::move(fault));
  }
  info.kind = CallInfo::Kind::Fault;
  info.fault = it->second;
  return Lattice::poisoned(types_);
}

} // namespace kiln
