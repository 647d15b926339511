// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits one intrinsic of lowered/intrinsics.def: evaluates its arguments, and tries each group of lowerings.
#include "emitter.h"

namespace kiln {

EmittedValue Emitter::emit_intrinsic(Frame &frame, const CallInfo &call, uint32_t stmt) {
  if (call.intrinsic == Intrinsic::deferred_codegen)
    return deferred_codegen(*call.cases[0].target, frame.code.types[stmt].type);
  if (call.intrinsic == Intrinsic::deferred_codegen_in) return deferred_codegen_in(frame, call, stmt);
  llvm::SmallVector<EmittedValue, 6> args;
  for (const ArgRef &ref : call.args) {
    args.push_back(argument(frame, ref));
    if (!args.back()) return {};
  }
  set_location(frame, frame.code.ssa->stmts[stmt].at);
  TypeRef result = frame.code.types[stmt].type;
  IntrinsicCall site{frame, call.intrinsic, call.args, args, result ? result : types_.bottom()};
  const IntrinsicInfo &about = info(call.intrinsic);
  int count = int(args.size());
  if (count < about.min_args || (about.max_args >= 0 && count > about.max_args))
    return bad(site, "wrong number of arguments");
  if (auto value = integer_intrinsic(site)) return *value;
  if (auto value = float_intrinsic(site)) return *value;
  if (auto value = conversion_intrinsic(site)) return *value;
  if (auto value = builtin(site)) return *value;
  if (auto value = memory_intrinsic(site)) return *value;
  if (auto value = atomic_intrinsic(site)) return *value;
  if (auto value = device_intrinsic(site)) return *value;
  // The remaining intrinsics ask about types and methods: only inference can give their results.
  if (const Lattice &known = frame.code.types[stmt]; known.constant)
    return constant(frame, *known.constant, known.type);
  return bad(site, "its result is not known at compile time");
}

EmittedValue Emitter::bad(IntrinsicCall &call, const std::string &message) {
  std::string text = std::string(info(call.id).name) + ": " + message;
  for (size_t i = 0; i < call.args.size(); ++i)
    text += (i ? ", " : " (called with ") + spell(call.args[i].type());
  if (!call.args.empty()) text += ")";
  fault(call.frame, ErrorCode::TypeError, text);
  if (call.result->is<BottomType>()) {
    end_block();
    return {};
  }
  return poison(shapes_.get(call.result));
}

/// Returns the bits of a float as an integer, and other values unchanged.
llvm::Value *Emitter::as_integer(llvm::Value *value) {
  llvm::Type *type = value->getType();
  if (!type->isFloatingPointTy()) return value;
  return b_.CreateBitCast(value, b_.getIntNTy(type->getScalarSizeInBits()));
}

} // namespace kiln
