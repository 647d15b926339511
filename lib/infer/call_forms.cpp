// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Special forms of calls: splats, invoke, calls with given types, and new.
#include "inference.h"

namespace kiln {

// Infers _apply_iterate(iterate, f, containers...): a call of f with the containers' elements as arguments.
Lattice Inference::apply_splat(Frame &frame, Call call, CallInfo &info) {
  Call flat;
  flat.flags = call.flags;
  flat.at = call.at;
  flat.refs.push_back(call.refs[1]);
  flat.values.push_back(call.values[1]);
  for (size_t i = 2; i < call.values.size(); i++) {
    const Lattice &container = call.values[i];
    const DataType *type = container.type->as<DataType>();
    if (type && call.refs[i].field < 0 &&
        is_subtype(types_, type, types_.builtins().Number)) { // a number iterates over itself
      flat.refs.push_back(call.refs[i]);
      flat.values.push_back(container);
      continue;
    }
    bool is_tuple = type && (type->is_tuple() || type->is_named_tuple()) && types_.is_concrete(type);
    if (!is_tuple)
      return fault(
          frame, info,
          InferenceFault{
              ErrorCode::InvalidIRError,
              fmt::format("splatting a value of type {}: only tuples of known length can be splatted",
                          spell(container.type)),
              "convert it with Tuple(x) first",
              {}});
    if (call.refs[i].field >= 0)
      return fault(
          frame, info,
          InferenceFault{
              ErrorCode::InvalidIRError, "splatting a part of a splatted value", "give it a name first", {}});
    size_t count = types_.field_count(type);
    for (size_t k = 0; k < count; k++) {
      flat.refs.push_back({call.refs[i].operand, int(k)});
      flat.values.push_back(container.field(types_, k));
    }
  }
  return this->call(frame, std::move(flat), info);
}

// Infers invoke(f, Tuple{...}, args...): calls the method that the tuple's types choose, with these
// arguments.
Lattice Inference::invoke_signature(Frame &frame, Call call, CallInfo &info) {
  TypeRef given = call.values[1].constant ? call.values[1].constant->as_type() : nullptr;
  const DataType *tuple = given ? given->as<DataType>() : nullptr;
  if (!tuple || !tuple->is_tuple())
    return fault(
        frame, info,
        InferenceFault{
            ErrorCode::TypeError, "invoke takes a Tuple type that is known at compile time", {}, {}});
  std::vector<TypeRef> wanted{call.values[0].dispatch_type(types_)};
  wanted.insert(wanted.end(), tuple->params().begin(), tuple->params().end());
  TypeRef arguments = types_.tuple(wanted);
  auto found = world_.lookup_method(arguments, age_, table_.facts.overlay);
  if (!found.ok()) {
    frame.error = found.take_error();
    return Lattice::bottom(types_);
  }
  add_call_edge(frame, arguments, found->method); // the tuple's types choose the method, not the arguments'
  Call direct;
  direct.flags = call.flags;
  direct.at = call.at;
  direct.refs.push_back(call.refs[0]);
  direct.values.push_back(call.values[0]);
  std::vector<TypeRef> actual{wanted[0]};
  for (size_t i = 2; i < call.values.size(); i++) {
    direct.refs.push_back(call.refs[i]);
    direct.values.push_back(call.values[i]);
    actual.push_back(call.values[i].dispatch_type(types_));
  }
  MethodMatch match;
  if (found->method)
    if (auto params = match_signature(types_, types_.tuple(actual), found->method->signature)) {
      match.method = found->method;
      match.static_params = std::move(*params);
    }
  if (!match.method) return fault(frame, info, method_error(arguments, found->method ? match : *found));
  return call_methods(frame, direct, info, &match);
}

Lattice Inference::result_of(Frame &frame, TypeRef arguments) {
  Call call;
  for (TypeRef type : arguments->as<DataType>()->params()) {
    call.refs.push_back({});
    call.values.push_back(Lattice::of_type(types_, type));
  }
  CallInfo info;
  Lattice result = call_methods(frame, call, info, nullptr);
  for (const CallCase &one : info.cases)
    if (one.target) frame.add_callee(one.target);
  return result.poison ? Lattice::bottom(types_) : result;
}

// Infers T(fields...) as in `new`: the values must already have the types of T's fields.
Lattice Inference::construct(Frame &frame, Lattice type, Call call, CallInfo &info) {
  TypeRef made = type.constant ? type.constant->as_type() : nullptr;
  const DataType *data = made ? made->as<DataType>() : nullptr;
  if (!data || !types_.is_concrete(data))
    return fault(frame, info,
                 InferenceFault{ErrorCode::TypeError,
                                fmt::format("cannot construct a value of type {}, which is not concrete",
                                            made ? spell(made) : "unknown"),
                                {},
                                {}});
  auto fields = types_.field_types(data);
  size_t given = call.values.size() - 1;
  if (given > fields.size() || (given < fields.size() && !data->name().is_mutable))
    return fault(
        frame, info,
        InferenceFault{ErrorCode::ArgumentError,
                       fmt::format("new {} takes {} fields, got {}", spell(made), fields.size(), given),
                       {},
                       {}});
  info.kind = CallInfo::Kind::New;
  info.args.assign(call.refs.begin() + 1, call.refs.end());
  if (types_.is_singleton(data)) {
    info.kind = CallInfo::Kind::Constant;
    return Lattice::of_type(types_, data);
  }
  auto known = std::make_shared<std::vector<Lattice>>();
  std::vector<Value> constants;
  bool better = false;
  for (size_t i = 0; i < given; i++) {
    const Lattice &value = call.values[i + 1];
    Lattice fits = narrow(types_, value, fields[i], false);
    if (fits.is_bottom() || !is_subtype(types_, fits.dispatch_type(types_), fields[i])) {
      if (!is_subtype(types_, value.type, fields[i]))
        return fault(
            frame, info,
            InferenceFault{ErrorCode::TypeError,
                           fmt::format("in new {}, field {} of type {} cannot hold a value of type {}",
                                       spell(made), i + 1, spell(fields[i]), spell(value.type)),
                           {},
                           {}});
    }
    better |= value.knows_more_than_type() && !types_.is_singleton(fields[i]);
    if (value.constant && types_.is_concrete(fields[i])) constants.push_back(*value.constant);
    known->push_back(value);
  }
  if (data->name().is_mutable) return Lattice::of_type(types_, made);
  if (constants.size() == fields.size()) {
    info.kind = CallInfo::Kind::Constant;
    return Lattice::of_constant(types_, Value::structure(made, std::move(constants)));
  }
  if (better) return {made, {}, std::move(known)};
  return Lattice::of_type(types_, made);
}

} // namespace kiln
