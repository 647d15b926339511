// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements the C functions that add definitions to a session: modules, functions, methods, closures and
// types.
#include "language.h"

#include <kiln/extension/language/define.h>
#include <kiln/extension/language/print.h>

using namespace kiln;
using namespace kiln::c;

namespace kiln::c {

Result<Symbol> name_of(ValueTable &table, std::string_view function, const char *name) {
  if (!name) return null_argument(function, "name");
  if (!*name) return usage_error(fmt::format("{}: the name is empty", function));
  return table.world.types().symbol(name);
}

} // namespace kiln::c

namespace {

/// Builds the body of a method by calling the embedder's callback with a new code handle. That handle is
/// valid during the call.
template <class F>
Result<CodeInfo> build_by_callback(kiln_session *session, ValueTable &table, Symbol name, Span at,
                                   const MethodHints &hints, F &&callback) {
  Kept<SessionObject> object(session);
  if (!object)
    return usage_error(fmt::format("{} is compiled while its session is being closed", name.text()));
  kiln_code *code = nullptr;
  KILN_CHECK(give<CodeObject>(&code, std::move(object), table, name, at));
  Pinned<CodeObject> built(code);
  int status = 0;
  bool threw = false;
  try {
    status = callback(code);
  } catch (...) {
    threw = true;
  }
  free_handle(HandleKind::Code,
              code); // `built` still holds the object, and the callback may itself have freed the handle.
  if (threw)
    return usage_error(fmt::format("the callback that makes the code of {} threw an exception", name.text()));
  if (status && built->faults.empty())
    built->fail(
        fmt::format("the code of {} could not be made: its callback returned {}", name.text(), status));
  built->builder.code().hints = hints; // the verifier reads the hints
  return built->finish();
}

struct Body {
  kiln_session *session;
  ValueTable &table;
  std::shared_ptr<void> user;
  Symbol name;
  Span at;
  MethodHints hints;
  bool is_vararg;

  Result<CodeInfo> complete(Result<CodeInfo> made, const std::vector<const TypeVar *> &params) const {
    if (!made.ok()) return made;
    made->is_vararg = is_vararg;
    made->static_params = params;
    made->hints = hints;
    return made;
  }
};

Result<void> define_module(SessionObject &object, ValueTable &table, const kiln_module &module,
                           std::string_view what, kiln_value **out) {
  KILN_TRY(Symbol symbol, name_of(table, what, module.name));
  Module *in = nullptr;
  if (module.parent) {
    KILN_TRY(in, module_of(table, module.parent));
  }
  Module *made = nullptr;
  KILN_CHECK(define(object, [&]() -> Result<void> {
    made = table.world.module(symbol, in, {.uses_base = !module.without_base});
    return {};
  }));
  return table.give(out, Value::module(table.world.types(), made));
}

/// Members of the closure that kiln_define_closure takes in addition to a method.
struct Closure {
  const char *name;
  const char *const *captures;
  size_t count;
  TypeRef type = nullptr; ///< type of the closure; null until make_type() creates it
};

/// Creates the type of a closure and returns its name. Each captured variable becomes a field whose type is a
/// type parameter.
Result<Symbol> make_type(ValueTable &table, const Module &module, Closure &closure) {
  TypeContext &types = table.world.types();
  KILN_TRY(Symbol name, name_of(table, "kiln_define_closure", closure.name));
  if (closure.count && !closure.captures) return null_argument("kiln_define_closure", "captures");
  std::vector<Symbol> captures;
  for (size_t i = 0; i < closure.count; i++) {
    KILN_TRY(Symbol capture, name_of(table, fmt::format("captures[{}]", i), closure.captures[i]));
    captures.push_back(capture);
  }
  TypeName *type = types.new_type_name(name, module.full_name());
  for (Symbol capture : captures) {
    const TypeVar *of = types.new_var(types.symbol(fmt::format("C{}", type->params.size() + 1)),
                                      types.bottom(), types.builtins().Any);
    type->params.push_back(of);
    type->field_names.push_back(capture);
    type->field_types.push_back(of);
  }
  type->super = types.builtins().Function;
  type->fields_defined = true;
  closure.type = types.finish_type_name(*type);
  return name;
}

/// Defines a method that C code supplies. If `closure` is not null, the method belongs to this closure
/// instead of to kiln_method.function.
Result<void> define_c_method(kiln_session *session, SessionObject &object, ValueTable &table,
                             const kiln_method &m, Closure *closure = nullptr) {
  TypeContext &types = table.world.types();
  // This function takes ownership of the caller's `user` object, even if it fails.
  std::shared_ptr<void> user(m.user, [release = m.release](void *p) {
    if (release) release(p);
  });
  std::optional<Pinned<CodeObject>> code;
  if (m.code) {
    code.emplace(m.code);
    if (!*code) return bad_handle(HandleKind::Code, m.code);
    free_handle(HandleKind::Code, m.code); // the pin keeps it alive
    if (&(*code)->table != &table) return usage_error("kiln_method.code: it was made in another session");
  }
  if (!!m.code + !!m.lower + !!m.generate != 1)
    return usage_error("a kiln_method has one of code, lower and generate");

  auto method = std::make_unique<Method>();
  KILN_TRY(method->module, module_of(table, m.module));
  std::vector<TypeRef> elements(1);
  if (closure) {
    if (m.function) return usage_error("kiln_define_closure: kiln_method.function is not null");
    KILN_TRY(method->name, make_type(table, *method->module, *closure));
    method->of_fresh_type = true;
    elements[0] = closure->type;
  } else {
    KILN_TRY(Value callee, value_of(table, m.function, "kiln_method.function"));
    elements[0] = types.type_of(callee);
  }
  KILN_TRY(std::vector<TypeRef> arguments,
           types_of(table, m.argument_types, m.argument_count, "kiln_method.argument_types"));
  if (m.is_vararg && arguments.empty())
    return usage_error("a kiln_method with is_vararg has an argument to collect");
  if (m.is_vararg) arguments.back() = types.vararg(arguments.back());
  elements.insert(elements.end(), arguments.begin(), arguments.end());
  TypeRef signature = types.tuple(elements);
  KILN_TRY(std::vector<TypeRef> variables,
           types_of(table, m.variables, m.variable_count, "kiln_method.variables"));
  for (size_t i = variables.size(); i-- > 0;) {
    const TypeVar *variable = variables[i]->as<TypeVar>();
    if (!variable)
      return usage_error(
          fmt::format("kiln_method.variables[{}]: {} is no type variable", i, spell(variables[i])));
    const TypeRef closed = types.union_all(variable, signature);
    if (closed == signature)
      return usage_error(
          fmt::format("the type variable {} stands in no argument's type", variable->name().text()));
    signature = closed;
  }
  if (signature->has_free_vars())
    return usage_error(fmt::format("kiln_method.variables lacks one that stands in the arguments' types: {}",
                                   spell(signature)));
  method->signature = signature;
  TypeRef inner = nullptr;
  types.unwrap_all(signature, method->static_params, inner);
  const DataType *type = elements[0]->as<DataType>();
  if (!closure)
    method->name = type && type->name().is_function ? type->name().function_name
                                                    : types.symbol(to_short_string(elements[0]));
  method->at = {m.file, m.begin, std::max(m.begin, m.end)};
  method->hints.inline_ = m.always_inline;
  method->hints.noinline = m.never_inline;
  method->hints.typed = m.typed;
  if (m.join_rule) {
    std::shared_lock lock(table.rules_mutex);
    auto found = table.rules.find(m.join_rule);
    if (found == table.rules.end())
      return usage_error(fmt::format("kiln_method.join_rule: there is no rule `{}`: kiln_define_join_rule "
                                     "makes one",
                                     m.join_rule));
    method->hints.join = found->second;
  }
  if (m.overlay) method->overlay = types.symbol(m.overlay);

  Body body{session, table, user, method->name, method->at, method->hints, m.is_vararg != 0};
  // Finishing the code here reports its faults at the definition, not at the first compile.
  if (code) {
    (*code)->builder.code().hints = method->hints; // the verifier reads the hints
    KILN_TRY(CodeInfo made, body.complete((*code)->finish(), method->static_params));
    const uint32_t wanted = uint32_t(elements.size());
    if (made.nargs != wanted)
      return usage_error(fmt::format("the code of {} has {} argument{}, and its signature {}",
                                     method->name.text(), made.nargs - 1, made.nargs == 2 ? "" : "s",
                                     wanted - 1));
    method->lower = [made = std::move(made)] { return made; };
  } else if (m.lower) {
    method->lower = [body, lower = m.lower, params = method->static_params] {
      return body.complete(build_by_callback(body.session, body.table, body.name, body.at, body.hints,
                                             [&](kiln_code *c) { return lower(c, body.user.get()); }),
                           params);
    };
  } else {
    method->hints.generated = true;
    method->generate = [body, generate = m.generate, params = method->static_params](
                           TypeRef tuple, std::span<const TypeRef>) -> Result<CodeInfo> {
      std::vector<const kiln_value *> given;
      for (TypeRef argument : tuple->as<DataType>()->params().subspan(1)) {
        kiln_value *handle = nullptr;
        KILN_CHECK(body.table.give(&handle, Value::type_value(body.table.world.types(), argument)));
        given.push_back(handle);
      }
      return body.complete(build_by_callback(body.session, body.table, body.name, body.at, body.hints,
                                             [&](kiln_code *c) {
                                               return generate(c, given.data(), given.size(),
                                                               body.user.get());
                                             }),
                           params);
    };
  }
  return define(object, [&]() -> Result<void> {
    KILN_CHECK(compiler_world(table.world).define(std::move(method)));
    return {};
  });
}

} // namespace

extern "C" {

int kiln_define_module(kiln_session *session, const kiln_value *parent, const char *name, kiln_value **out,
                       kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_define_module", out);
    KILN_TABLE(table, session);
    return define_module(*object_of_table, table, {.parent = parent, .name = name}, "kiln_define_module",
                         out);
  });
}

int kiln_define_module_ex(kiln_session *session, const kiln_module *module, kiln_value **out,
                          kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_define_module_ex", out);
    KILN_NOT_NULL("kiln_define_module_ex", module);
    KILN_TRY(const kiln_module read, read_struct(module, "kiln_module"));
    KILN_TABLE(table, session);
    return define_module(*object_of_table, table, read, "kiln_module.name", out);
  });
}

int kiln_define_constant(kiln_session *session, const kiln_value *module, const char *name,
                         const kiln_value *value, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_TABLE(table, session);
    KILN_TRY(Symbol symbol, name_of(table, "kiln_define_constant", name));
    KILN_TRY(Module * in, module_of(table, module));
    KILN_TRY(Value given, value_of(table, value, "the constant"));
    return define(*object_of_table, [&] { return table.world.set_constant(*in, symbol, given, {}); });
  });
}

int kiln_define_function(kiln_session *session, const kiln_value *module, const char *name, kiln_value **out,
                         kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_define_function", out);
    KILN_TABLE(table, session);
    KILN_TRY(Symbol symbol, name_of(table, "kiln_define_function", name));
    KILN_TRY(Module * in, module_of(table, module));
    Value function;
    KILN_CHECK(define(*object_of_table, [&]() -> Result<void> {
      KILN_TRY(function, table.world.function(*in, symbol, {}));
      return {};
    }));
    return table.give(out, function);
  });
}

int kiln_define_type(kiln_session *session, const kiln_type *type, kiln_value **out, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_define_type", out);
    KILN_NOT_NULL("kiln_define_type", type);
    KILN_TABLE(table, session);
    KILN_TRY(kiln_type t, read_struct(type, "kiln_type"));
    TypeDefinition definition;
    KILN_TRY(definition.name, name_of(table, "kiln_define_type", t.name));
    KILN_TRY(definition.module, module_of(table, t.module));
    if (t.super) {
      KILN_TRY(definition.super, c::type_of(table, t.super, "kiln_type.super"));
    }
    KILN_TRY(std::vector<TypeRef> parameters,
             types_of(table, t.parameters, t.parameter_count, "kiln_type.parameters"));
    for (size_t i = 0; i < parameters.size(); i++) {
      if (!parameters[i]->is<TypeVar>())
        return usage_error(
            fmt::format("kiln_type.parameters[{}]: {} is no type variable", i, spell(parameters[i])));
      definition.params.push_back(parameters[i]->as<TypeVar>());
    }
    KILN_TRY(std::vector<TypeRef> fields,
             types_of(table, t.field_types, t.field_count, "kiln_type.field_types"));
    if (t.field_count && !t.field_names) return null_argument("kiln_define_type", "field_names");
    for (size_t i = 0; i < fields.size(); i++) {
      KILN_TRY(Symbol field, name_of(table, fmt::format("kiln_type.field_names[{}]", i), t.field_names[i]));
      definition.fields.push_back({field, fields[i]});
    }
    definition.is_abstract = t.is_abstract;
    definition.is_mutable = t.is_mutable;
    TypeRef made = nullptr;
    KILN_CHECK(define(*object_of_table, [&]() -> Result<void> {
      KILN_TRY(made, define_type(table.world, definition));
      return {};
    }));
    return table.give(out, Value::type_value(table.world.types(), made));
  });
}

int kiln_define_method(kiln_session *session, const kiln_method *method, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_define_method", method);
    KILN_TABLE(table, session);
    KILN_TRY(kiln_method m, read_struct(method, "kiln_method"));
    return define_c_method(session, *object_of_table, table, m);
  });
}

int kiln_define_closure(kiln_session *session, const char *name, const char *const *captures, size_t count,
                        const kiln_method *method, kiln_value **type, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_OUT("kiln_define_closure", type);
    KILN_NOT_NULL("kiln_define_closure", method);
    KILN_TABLE(table, session);
    KILN_TRY(kiln_method m, read_struct(method, "kiln_method"));
    Closure closure{.name = name, .captures = captures, .count = count};
    KILN_CHECK(define_c_method(session, *object_of_table, table, m, &closure));
    return table.give(type, Value::type_value(table.world.types(), closure.type));
  });
}
}
