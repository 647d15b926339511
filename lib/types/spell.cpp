// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints types, values and calls in the notation of the session's language.
#include "print_names.h"
#include "types.h"

#include <support/exceptions.h>

#include <utility>

namespace kiln {

namespace {

const TypeContext *context_of(TypeRef type) {
  while (type) {
    switch (type->kind()) {
    case TypeKind::Bottom: return &type->as<BottomType>()->context();
    case TypeKind::Data: return type->as<DataType>()->name().context;
    case TypeKind::Union: type = type->as<UnionType>()->members()[0]; break;
    case TypeKind::UnionAll: type = type->as<UnionAllType>()->body(); break;
    case TypeKind::Var: type = type->as<TypeVar>()->upper(); break;
    case TypeKind::Vararg: type = type->as<VarargType>()->element(); break;
    case TypeKind::Const: type = type->as<ConstType>()->value().type(); break;
    }
  }
  return nullptr;
}

const Printer *printer_of(TypeRef type) {
  const TypeContext *context = context_of(type);
  return context ? context->printer() : nullptr;
}

/// Text from the language's printer. If there is no printer, or the printer throws, Julia's text.
template <class Write, class Julia>
std::string by_language(TypeRef type, const Write &write, const Julia &julia) {
  const Printer *printer = printer_of(type);
  if (!printer) return julia();
  auto text =
      call_embedder("the printer of a language", [&]() -> Result<std::string> { return write(*printer); });
  return text.ok() ? std::move(*text) : julia();
}

TypeRef first_of(std::span<const TypeRef> types) { return types.empty() ? nullptr : types[0]; }

} // namespace

std::string spell(TypeRef type) {
  return by_language(
      type, [&](const Printer &printer) { return printer.type(type); }, [&] { return to_string(type); });
}

std::string spell(const Value &value) {
  return by_language(
      value.type(), [&](const Printer &printer) { return printer.value(value); },
      [&] { return to_string(value); });
}

std::string spell_short(TypeRef type) {
  return by_language(
      type, [&](const Printer &printer) { return cut_short(printer.type(type)); },
      [&] { return to_short_string(type); });
}

std::string spell_call(std::span<const TypeRef> types) {
  return by_language(
      first_of(types), [&](const Printer &printer) { return printer.call(types); },
      [&] { return call_to_string(types); });
}

std::string spell_signature(TypeRef signature) {
  return by_language(
      signature, [&](const Printer &printer) { return printer.signature(signature); },
      [&] { return signature_to_string(signature); });
}

std::string spell_job(std::span<const TypeRef> types) {
  static const Printer julia;
  return by_language(
      first_of(types), [&](const Printer &printer) { return printer.job(types); },
      [&] { return julia.job(types); });
}

} // namespace kiln
