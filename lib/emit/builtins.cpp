// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builtin functions: identity and types of values, structs, selection, errors.
#include "emitter.h"

namespace kiln {

namespace {

/// Text of one argument of an error message: a string as it is, Val{x} as x, other values as printed.
std::string message_of(TypeContext &types, const Value &value) {
  if (const std::string *text = value.as_string()) return *text;
  if (Symbol symbol = value.as_symbol()) return symbol.str();
  if (Symbol symbol = symbol_parameter(value.type(), 0)) return symbol.str();
  return spell(value);
}

} // namespace

std::optional<EmittedValue> Emitter::builtin(IntrinsicCall &call) {
  Frame &frame = call.frame;
  switch (call.id) {
  case Intrinsic::egal: {
    llvm::Value *same = equal(call.args[0], call.args[1]);
    return same ? boolean(same) : bad(call, "values whose types are not known cannot be compared");
  }
  case Intrinsic::isa: {
    TypeRef type = known_type(frame, call.refs[1]);
    llvm::Value *fits = type ? is_instance(call.args[0], type) : nullptr;
    return fits ? boolean(fits) : bad(call, "the type is not known at compile time");
  }
  case Intrinsic::typeassert: {
    TypeRef type = known_type(frame, call.refs[1]);
    llvm::Value *fits = type ? is_instance(call.args[0], type) : nullptr;
    if (!fits) return bad(call, "the type is not known at compile time");
    auto *certain = llvm::dyn_cast<llvm::ConstantInt>(fits);
    if (!certain || certain->isZero())
      throw_unless(frame, fits, "TypeError",
                   "in typeassert, expected " + spell(type) + ", got a value of type " +
                       spell(call.args[0].type()));
    if (dead()) return EmittedValue();
    return call.args[0];
  }
  case Intrinsic::typeof_: {
    const Shape *to = shapes_.get(call.result);
    EmittedValue value = call.args[0];
    if (value.is(Kind::Union))
      return by_member(value, to, [&](size_t m) {
        return coerce(ghost(types_.type_of_type(value.shape->parts[m]->type)), to);
      });
    if (types_.is_concrete(value.type())) return ghost(types_.type_of_type(value.type()));
    return bad(call, "the type is not known at compile time");
  }
  case Intrinsic::tuple: return construct(frame, call.result, call.args);
  case Intrinsic::newtuple_: {
    TypeRef type = known_type(frame, call.refs[0]);
    if (!type) type = call.result;
    Values fields = call.args.drop_front();
    const Shape *shape = shapes_.get(type);
    llvm::SmallVector<EmittedValue, 8> spread;
    auto *only = fields.size() == 1 ? fields[0].type()->as<DataType>() : nullptr;
    if (only && only->is_tuple() && shape->parts.size() == fields[0].shape->parts.size() &&
        (shape->parts.size() != 1 || !may_intersect(types_, only, shape->parts[0]->type))) {
      for (size_t i = 0; i < shape->parts.size(); ++i) spread.push_back(field(fields[0], i));
      fields = spread;
    }
    return construct(frame, type, fields);
  }
  case Intrinsic::getfield: return get_field(call);
  case Intrinsic::setfield: return set_field(call);
  case Intrinsic::modifiable_copy: return with_field(call);
  case Intrinsic::nothrow_: return call.args[0];
  case Intrinsic::object_pointer: return object_pointer(call);
  case Intrinsic::retype_scalars: {
    const Shape *to = shapes_.get(call.result);
    EmittedValue from = call.args[1];
    bool fits = to->leaves.size() == from.leaves.size();
    for (size_t i = 0; fits && i < to->leaves.size(); ++i) fits = to->leaves[i] == from.leaves[i]->getType();
    return fits ? make(to, from.leaves) : bad(call, "the types are not made of the same scalars");
  }
  case Intrinsic::nfields: {
    auto *data = call.args[0].type()->as<DataType>();
    if (!data || call.args[0].is(Kind::Opaque)) return bad(call, "the type is not known at compile time");
    return one(types_.builtins().Int64, b_.getInt64(types_.field_count(data)));
  }
  case Intrinsic::isdefined: {
    bool out_of_range = false;
    if (call.args[0].is(Kind::Union) || call.args[0].is(Kind::Opaque))
      return bad(call, "the type is not known at compile time");
    if (!field_number(call, call.args[0], call.refs[1], out_of_range))
      return bad(call, "expected the constant name of a field");
    return boolean(b_.getInt1(!out_of_range));
  }
  case Intrinsic::ifelse: {
    if (!call.args[0].is(Kind::Scalar) || !call.args[0].shape->is_bool) return bad(call, "expected a Bool");
    const Shape *to = shapes_.get(call.result);
    if (to->kind == Kind::Opaque && call.args[1].shape == call.args[2].shape) to = call.args[1].shape;
    return choose(call.args[0].scalar(), coerce(call.args[1], to), coerce(call.args[2], to));
  }
  case Intrinsic::throw_: return throw_value(call);
  case Intrinsic::exception_fields: note_parts(call); return ghost(types_.builtins().Nothing);
  case Intrinsic::message_text:
    note_parts(call);
    return constant(frame, Value::string(types_, "(its text has values of the run in it)"),
                    types_.builtins().String);
  case Intrinsic::throw_undef_var: {
    if (!call.args[0].is(Kind::Scalar) || !call.args[0].shape->is_bool) return bad(call, "expected a Bool");
    if (zeroes_unassigned(frame) && !llvm::isa<llvm::ConstantInt>(call.args[0].scalar()))
      return ghost(types_.builtins().Nothing);
    const Value *name = known(frame, call.refs[1]);
    throw_unless(frame, call.args[0].scalar(), "UndefVarError",
                 name && name->as_symbol() ? name->as_symbol().str() : std::string("a variable"));
    if (dead()) return EmittedValue();
    return ghost(types_.builtins().Nothing);
  }
  case Intrinsic::static_error:
  case Intrinsic::architecture_error:
  case Intrinsic::static_assertion: {
    InferenceFault found{call.id == Intrinsic::architecture_error ? ErrorCode::NeedsArchitecture
                                                                  : ErrorCode::StaticAssertion,
                         {}};
    for (const ArgRef &ref : call.refs) {
      const Value *part = known(frame, ref);
      if (part && part->as_symbol() && &ref == call.refs.data() && call.refs.size() > 1) {
        // Name of the exception type, which an embedding language gives.
        found.subject = part->as_symbol().str();
        continue;
      }
      if (!part && call.args[size_t(&ref - call.refs.data())].is(Kind::Ghost))
        part = &kept_.emplace_back(types_.singleton_value(call.args[size_t(&ref - call.refs.data())].type()));
      found.message += part ? message_of(types_, *part) : std::string("?");
    }
    fault(frame, found);
    if (call.id == Intrinsic::static_assertion)
      return ghost(types_.builtins().Nothing); // go on: later code may have faults to report, too
    end_block();
    return EmittedValue();
  }
  case Intrinsic::compile_error: {
    const Value *what = known(frame, call.refs[0]);
    const std::string feature = what ? message_of(types_, *what) : "a feature that Kiln lacks";
    fault(frame, ErrorCode::Unsupported, feature, feature_hint(feature));
    end_block();
    return EmittedValue();
  }
  default: return {};
  }
}

} // namespace kiln
