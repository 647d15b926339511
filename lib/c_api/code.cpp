// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions that build the body of a method, statement by statement. An invalid statement is
// recorded in the code object, and reported when a method is defined with it.
#include "language.h"

using namespace kiln;
using namespace kiln::c;

namespace kiln::c {

Result<CodeInfo> CodeObject::finish() {
  Result<CodeInfo> made = builder.finish(&table.world.sources());
  if (faults.empty()) return made;
  std::vector<Diagnostic> all = std::move(faults);
  // Faults of the builder after kiln_code_fail are only consequences, so they are not reported.
  if (!made.ok() && !has_failed)
    for (const Diagnostic &fault : made.error().diagnostics()) all.push_back(fault);
  return Error(std::move(all));
}

} // namespace kiln::c

namespace {

kiln_operand of(Operand operand) { return {uint32_t(operand.kind), operand.index}; }
Operand to(kiln_operand operand) {
  // An operand's kind is stored in one byte, so larger values become the first invalid kind. The verifier
  // rejects all invalid operands.
  constexpr uint32_t last = uint32_t(Operand::Kind::Global);
  return {Operand::Kind(operand.kind > last ? last + 1 : operand.kind), operand.index};
}

/// Appends to `code` by calling `build`, and returns its operand. Returns an operand of no kind if the handle
/// is invalid or memory is exhausted. The verifier reports any use of that operand.
template <class F> kiln_operand append(kiln_code *code, F &&build) noexcept {
  Pinned<CodeObject> object(code);
  if (!object) return {};
  try {
    return of(build(*object));
  } catch (...) {
    return {};
  }
}
template <class F> void append_statement(kiln_code *code, F &&build) noexcept {
  append(code, [&](CodeObject &object) {
    build(object);
    return Operand();
  });
}

static_assert(KILN_INBOUNDS == flags::Inbounds && KILN_INLINE == flags::Inline &&
              KILN_NO_INLINE == flags::NoInline);

/// Calls append() for an operation on a variable. Records a fault if `slot` is not a slot.
template <class F> kiln_operand append_of_slot(kiln_code *code, kiln_operand slot, F &&build) noexcept {
  return append(code, [&](CodeObject &c) {
    if (to(slot).kind == Operand::Kind::Slot) return Operand(build(c, slot.index));
    c.fail("an operand that is no slot, where a variable is wanted");
    return Operand();
  });
}

Operands operands(CodeObject &object, const kiln_operand *given, size_t count) {
  Operands all;
  if (count && !given) {
    object.fail("the operands of a call are a null pointer");
    return all;
  }
  all.reserve(count);
  for (size_t i = 0; i < count; i++) all.push_back(to(given[i]));
  return all;
}

std::optional<Intrinsic> intrinsic_named(std::string_view name) {
  static const auto *const by_name = [] {
    // The table is never freed, since threads may still use it after main() has returned.
    auto *names = new std::unordered_map<std::string_view, Intrinsic>;
    for (unsigned i = 0; i < unsigned(Intrinsic::Count); i++)
      names->emplace(info(Intrinsic(i)).name, Intrinsic(i));
    return names;
  }();
  auto found = by_name->find(name);
  return found == by_name->end() ? std::nullopt : std::optional(found->second);
}

Symbol symbol(CodeObject &object, const char *name) {
  if (!name) object.fail("a name is a null pointer");
  return object.table.world.types().symbol(name ? name : "?");
}

/// Returns the type that a handle refers to. Null: the handle is invalid, and the fault is recorded in the
/// code object.
TypeRef declared_type(CodeObject &object, const kiln_value *type) {
  Result<TypeRef> found = type_of(object.table, type, "a declared type");
  if (found.ok()) return *found;
  object.fail(found.error().diagnostics()[0].message);
  return nullptr;
}

} // namespace

extern "C" {

int kiln_code_new(kiln_session *session, const char *function_name, kiln_code **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_code_new", out);
    KILN_NOT_NULL("kiln_code_new", function_name);
    Kept<SessionObject> object(session);
    if (!object) return bad_handle(SessionObject::kind, session);
    KILN_CHECK(check_definer(*object));
    KILN_TRY(ValueTable * table, table_of(*object));
    return give<CodeObject>(out, std::move(object), *table, table->world.types().symbol(function_name),
                            Span());
  });
}

void kiln_code_free(kiln_code *code) { free_handle(HandleKind::Code, code); }

void kiln_code_at(kiln_code *code, uint32_t file, uint32_t begin, uint32_t end) {
  append_statement(code, [&](CodeObject &c) { c.builder.set_span({file, begin, std::max(begin, end)}); });
}

kiln_operand kiln_code_argument(kiln_code *code, const char *name) {
  return append(code, [&](CodeObject &c) { return Operand::slot(c.builder.add_argument(symbol(c, name))); });
}

kiln_operand kiln_code_self(kiln_code *code) {
  return append(code, [](CodeObject &) { return Operand::slot(0); });
}

kiln_operand kiln_code_slot(kiln_code *code, const char *name) {
  return append(code, [&](CodeObject &c) { return Operand::slot(c.builder.add_slot(symbol(c, name))); });
}

kiln_operand kiln_code_static_parameter(kiln_code *code, uint32_t variable) {
  return append(code, [&](CodeObject &) { return Operand::static_param(variable); });
}

kiln_operand kiln_code_constant(kiln_code *code, const kiln_value *value) {
  return append(code, [&](CodeObject &c) {
    Result<Value> found = value_of(c.table, value, "a constant");
    if (found.ok()) return c.builder.constant(*found);
    c.fail(found.error().diagnostics()[0].message);
    return c.builder.constant(c.table.world.types().nothing());
  });
}

kiln_operand kiln_code_int64(kiln_code *code, int64_t value) {
  return append(code, [&](CodeObject &c) { return c.builder.constant(c.table.world.types().int64(value)); });
}

kiln_operand kiln_code_float32(kiln_code *code, float value) {
  return append(code,
                [&](CodeObject &c) { return c.builder.constant(c.table.world.types().float32(value)); });
}

kiln_operand kiln_code_float64(kiln_code *code, double value) {
  return append(code,
                [&](CodeObject &c) { return c.builder.constant(c.table.world.types().float64(value)); });
}

kiln_operand kiln_code_global(kiln_code *code, const kiln_value *module, const char *name) {
  return append(code, [&](CodeObject &c) {
    Result<Module *> in = module_of(c.table, module);
    if (!in.ok()) c.fail(in.error().diagnostics()[0].message);
    return c.builder.global(in.ok() ? *in : c.table.world.main(), symbol(c, name));
  });
}

kiln_operand kiln_code_call(kiln_code *code, kiln_operand callee, const kiln_operand *arguments,
                            size_t count) {
  return append(code,
                [&](CodeObject &c) { return c.builder.call(to(callee), operands(c, arguments, count)); });
}

kiln_operand kiln_code_intrinsic(kiln_code *code, const char *name, const kiln_operand *arguments,
                                 size_t count) {
  return append(code, [&](CodeObject &c) {
    auto intrinsic = intrinsic_named(name ? name : "");
    if (!intrinsic) {
      c.fail(fmt::format("there is no intrinsic `{}`", name ? name : ""));
      return c.builder.constant(c.table.world.types().nothing());
    }
    const IntrinsicInfo &known = info(*intrinsic);
    if (count < size_t(known.min_args) || (known.max_args >= 0 && count > size_t(known.max_args)))
      c.fail(fmt::format("the intrinsic {} takes {} to {} operands, not {}", known.name, known.min_args,
                         known.max_args < 0 ? "any number" : std::to_string(known.max_args), count));
    return c.builder.call(c.builder.constant(c.table.world.intrinsic_value(*intrinsic)),
                          operands(c, arguments, count));
  });
}

kiln_operand kiln_code_new_struct(kiln_code *code, kiln_operand type, const kiln_operand *fields,
                                  size_t count) {
  return append(code,
                [&](CodeObject &c) { return c.builder.new_struct(to(type), operands(c, fields, count)); });
}

kiln_operand kiln_code_new_closure(kiln_code *code, kiln_operand type, const kiln_operand *captured,
                                   size_t count) {
  return append(code,
                [&](CodeObject &c) { return c.builder.new_closure(to(type), operands(c, captured, count)); });
}

kiln_operand kiln_code_cell(kiln_code *code, kiln_operand slot) {
  return append_of_slot(code, slot, [](CodeObject &c, uint32_t index) { return c.builder.cell(index); });
}

void kiln_code_fresh(kiln_code *code, kiln_operand slot) {
  append_of_slot(code, slot, [](CodeObject &c, uint32_t index) {
    c.builder.fresh(index);
    return Operand();
  });
}

kiln_operand kiln_code_copy(kiln_code *code, kiln_operand value) {
  return append(code, [&](CodeObject &c) { return c.builder.copy(to(value)); });
}

kiln_operand kiln_code_is_defined(kiln_code *code, kiln_operand slot) {
  return append_of_slot(code, slot,
                        [](CodeObject &c, uint32_t index) { return c.builder.is_defined(index); });
}

kiln_operand kiln_code_bounds_check(kiln_code *code) {
  return append(code, [](CodeObject &c) { return c.builder.bounds_check(); });
}

void kiln_code_set_flags(kiln_code *code, unsigned given) {
  append_statement(code, [&](CodeObject &c) {
    if (given & ~unsigned(KILN_INBOUNDS | KILN_INLINE | KILN_NO_INLINE))
      c.fail(fmt::format("there are no flags {:#x}", given));
    else
      c.builder.set_flags(uint8_t(given));
  });
}

void kiln_code_set_slot(kiln_code *code, kiln_operand slot, kiln_operand value) {
  append_statement(code, [&](CodeObject &c) {
    if (to(slot).kind == Operand::Kind::Slot)
      c.builder.set_slot(slot.index, to(value));
    else
      c.fail("an assignment to what is no slot");
  });
}

uint32_t kiln_code_label(kiln_code *code) {
  return append(code, [](CodeObject &c) { return Operand::ssa(c.builder.new_label().id); }).index;
}

void kiln_code_place(kiln_code *code, uint32_t label) {
  append_statement(code, [&](CodeObject &c) { c.builder.place({label}); });
}

void kiln_code_go_to(kiln_code *code, uint32_t label) {
  append_statement(code, [&](CodeObject &c) { c.builder.go_to({label}); });
}

void kiln_code_go_to_if_not(kiln_code *code, kiln_operand condition, uint32_t label) {
  append_statement(code, [&](CodeObject &c) { c.builder.go_to_if_not(to(condition), {label}); });
}

void kiln_code_return(kiln_code *code, kiln_operand value) {
  append_statement(code, [&](CodeObject &c) { c.builder.return_(to(value)); });
}

void kiln_code_unreachable(kiln_code *code) {
  append_statement(code, [](CodeObject &c) { c.builder.unreachable(); });
}

void kiln_code_declare(kiln_code *code, kiln_operand value, const kiln_value *type) {
  append_statement(code, [&](CodeObject &c) {
    if (TypeRef declared = declared_type(c, type)) c.builder.declare(to(value), declared);
  });
}

void kiln_code_declare_method(kiln_code *code, kiln_operand call, const kiln_value *signature) {
  append_statement(code, [&](CodeObject &c) {
    if (TypeRef declared = declared_type(c, signature)) c.builder.declare_method(to(call), declared);
  });
}

void kiln_code_declare_result(kiln_code *code, const kiln_value *type) {
  append_statement(code, [&](CodeObject &c) {
    if (TypeRef declared = declared_type(c, type)) c.builder.declare_result(declared);
  });
}

void kiln_code_fail(kiln_code *code, const char *message) {
  append_statement(code, [&](CodeObject &c) {
    c.fail(message ? message : "failed");
    c.has_failed = true;
  });
}
}
