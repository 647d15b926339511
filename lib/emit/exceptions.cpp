// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits exceptions at run time (kiln.throw), and compile-time faults: kiln.static_error markers, which
// validation reports if they survive optimisation.
#include "emitter.h"

#include <kiln/extension/language/internal/interpreter.h>

namespace kiln {

void Emitter::fault(Frame &frame, const InferenceFault &fault) {
  std::string message =
      fmt::format("{}\x1f{}\x1f{}\x1f{}", int(fault.code), fault.message, fault.hint, fault.subject);
  for (const std::string &note : fault.notes) message += '\x1f' + note;
  auto *type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getPtrTy()}, false);
  auto *call = b_.CreateCall(declare("kiln.static_error", type), {text(message)});
  call->addFnAttr(llvm::Attribute::NoMerge); // each call keeps its own message and source location
}

void Emitter::fault(Frame &frame, ErrorCode code, std::string_view message, std::string_view hint) {
  fault(frame, InferenceFault{code, std::string(message), std::string(hint)});
}

/// Returns "function|file|line" for every frame, innermost first. GPU code below debug level 2 has a single
/// frame: the innermost frame of the user's code.
std::string Emitter::location_text(Frame &frame) {
  const bool one_frame = capabilities_.one_line_an_instruction && job_.config.debug_level < 2;
  std::string text;
  Span at = frame.at;
  for (Frame *f = &frame; f; at = f->call_at, f = f->caller) {
    if (!at) at = f->code.code->at;
    if (one_frame && f->caller && debug_.is_library(at)) continue;
    if (!text.empty()) text += '\n';
    text += frame_name(f->code);
    text += '|';
    text += debug_.file_name(at);
    text += '|';
    text += std::to_string(debug_.position(at).line);
    if (one_frame) break;
  }
  return text;
}

void Emitter::throw_call(Frame &frame, abi::ExceptionKind kind, std::string_view name) {
  auto *pointer = b_.getPtrTy();
  auto *type = llvm::FunctionType::get(b_.getVoidTy(), {b_.getInt32Ty(), pointer, pointer}, false);
  auto callee = declare("kiln.throw", type);
  auto *call = b_.CreateCall(callee, {b_.getInt32(uint32_t(kind)), text(name), text(location_text(frame))});
  call->setDoesNotReturn();
  call->addFnAttr(llvm::Attribute::Cold);
  call->addFnAttr(llvm::Attribute::NoMerge);
  end_block();
}

void Emitter::throw_exception(Frame &frame, std::string_view type, std::string_view message) {
  std::string name(type);
  if (!message.empty()) name.append(": ").append(message);
  throw_call(frame, abi::exception_kind(type), name);
}

void Emitter::throw_unless(Frame &frame, llvm::Value *condition, std::string_view type,
                           std::string_view message) {
  if (auto *known = llvm::dyn_cast<llvm::ConstantInt>(condition)) {
    if (known->isZero()) throw_exception(frame, type, message);
    return;
  }
  auto *fail = new_block(), *next = new_block();
  b_.CreateCondBr(condition, next, fail);
  begin_block(fail);
  throw_exception(frame, type, message);
  begin_block(next);
}

/// Notes a value of an exception for the interpreter, which makes the exception from it (ReferenceFunctions).
void Emitter::note_value(int64_t index, EmittedValue value, TypeRef as) {
  if (!is_host_code()) return;
  constexpr size_t max_words = 64;
  bool fits = value.shape->kind != Kind::Union && value.leaves.size() <= max_words;
  for (llvm::Value *leaf : value.leaves)
    fits &= leaf->getType()->isPointerTy() || (leaf->getType()->isSized() && !leaf->getType()->isVectorTy() &&
                                               leaf->getType()->getPrimitiveSizeInBits() <= 64);
  llvm::Value *words = llvm::ConstantPointerNull::get(b_.getPtrTy());
  if (fits && !value.leaves.empty()) {
    words = stack_slot(llvm::ArrayType::get(b_.getInt64Ty(), value.leaves.size()), 8);
    for (size_t i = 0; i < value.leaves.size(); ++i) {
      llvm::Value *leaf = value.leaves[i];
      if (leaf->getType()->isIntegerTy()) leaf = b_.CreateZExt(leaf, b_.getInt64Ty());
      b_.CreateStore(leaf, b_.CreateConstGEP1_64(b_.getInt64Ty(), words, i));
    }
  }
  const Value type[] = {Value::type_value(types_, as)};
  const auto key = fits ? fold_intrinsic(types_, Intrinsic::symbol_concat, type) : std::nullopt;
  auto note = module_->getOrInsertFunction("kiln.reference.note", b_.getVoidTy(), b_.getInt64Ty(),
                                           b_.getInt64Ty(), b_.getPtrTy());
  b_.CreateCall(note, {b_.getInt64(uint64_t(index)),
                       b_.getInt64(key ? abi::symbol_identity(key->as_symbol().text()) : 0), words});
}

void Emitter::note_parts(IntrinsicCall &call) {
  for (size_t i = 0; i < call.args.size(); ++i) {
    const Value *constant = known(call.frame, call.refs[i]);
    note_value(int64_t(i), call.args[i], constant ? types_.type_of(*constant) : call.args[i].type());
  }
}

EmittedValue Emitter::throw_value(IntrinsicCall &call) {
  EmittedValue exception = call.args[0];
  auto *data = exception.type()->as<DataType>();
  if (data && data->name().module != "Base" && data->name().module != "Core")
    note_value(-1, exception, exception.type());
  bool is_known = data && !exception.is(Kind::Opaque);
  if (const std::string *string = exception.is(Kind::Opaque) && known(call.frame, call.refs[0])
                                      ? known(call.frame, call.refs[0])->as_string()
                                      : nullptr) {
    throw_exception(call.frame, "ErrorException", *string);
    return {};
  }
  std::string_view type = is_known ? data->name().name.text() : "Unknown";
  // If the exception has a string field with a known value, use it as the message.
  const std::string *message = nullptr;
  size_t count = is_known ? types_.field_count(data) : 0;
  for (size_t i = 0; i < count && !message; ++i) {
    ArgRef field = call.refs[0];
    if (field.field < 0) {
      field.field = int(i);
      if (const Value *value = known(call.frame, field)) message = value->as_string();
    }
    if (message || !exception.is(Kind::Aggregate) || exception.part(i).leaves.size() != 1) continue;
    if (auto it = identity_of_.find(exception.part(i).scalar()); it != identity_of_.end())
      message = it->second->as_string();
  }
  throw_exception(call.frame, type, message ? std::string_view(*message) : std::string_view());
  return {};
}

} // namespace kiln
