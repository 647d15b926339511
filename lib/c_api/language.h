// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the C functions of kiln/c_language.h.
#pragma once

#include "session_call.h"

#include <kiln/c_language.h>
#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/internal/world.h>
#include <kiln/extension/language/print.h>

#include <shared_mutex>
#include <unordered_map>

namespace kiln::c {

/// Values of a session for which the C caller has a handle. Equal values share one handle. Thread-safe.
struct ValueTable {
  explicit ValueTable(World &world) : world(world) {}
  ~ValueTable(); ///< frees the handles
  World &world;
  std::shared_mutex mutex; ///< guards the following
  std::unordered_multimap<uint64_t, kiln_value *> handles;

  Result<void> give(kiln_value **out, const Value &value);

  std::shared_mutex rules_mutex;                                          ///< guards the following
  std::unordered_map<std::string, std::shared_ptr<const JoinRule>> rules; ///< by name

  std::mutex sources_mutex;                                                ///< guards the following
  std::unordered_map<uint32_t, std::shared_ptr<const SourceFile>> sources; ///< until kiln_source_free
};

struct ValueObject : Object {
  static constexpr HandleKind kind = HandleKind::Value;
  ValueObject(ValueTable &table, Value value) : table(&table), value(std::move(value)) {}
  ValueTable *table;
  Value value;
};

/// Body of a method while C code builds it. The object keeps its session alive.
struct CodeObject : Object {
  static constexpr HandleKind kind = HandleKind::Code;
  CodeObject(Kept<SessionObject> session, ValueTable &table, Symbol name, Span at)
      : session(std::move(session)), table(table), builder(table.world.types(), name, at) {
    builder.code().stmts.reserve(64);
    builder.code().constants.reserve(32);
    builder.add_argument(table.world.types().symbol("#self#"));
  }
  Kept<SessionObject> session;
  ValueTable &table;
  CodeBuilder builder;
  /// Errors recorded while building: those of kiln_code_fail, and misuse that CodeBuilder does not detect.
  std::vector<Diagnostic> faults;
  bool has_failed = false; ///< set by kiln_code_fail

  void fail(std::string message) {
    faults.push_back({.code = ErrorCode::Input,
                      .message = std::move(message),
                      .at = table.world.sources().locate(builder.span())});
  }
  /// Returns the finished code, or an error with all faults. Call it only once, since it consumes the object.
  Result<CodeInfo> finish();
};

/// Returns the value table of an open session, and creates it at the first use.
Result<ValueTable *> table_of(SessionObject &session);
/// Returns the session's value table like table_of(), while the session calls its language. Does not call the
/// session, which holds a lock then.
ValueTable &values_of(SessionObject &session, World &world);
/// Returns the value that a handle refers to. Error: Usage for an invalid handle, or one of another session;
/// `what` names the parameter.
Result<Value> value_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
/// Returns the type that a handle refers to. Errors: those of value_of(); Usage if the value is not a type.
Result<TypeRef> type_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
Result<std::vector<TypeRef>> types_of(const ValueTable &table, const kiln_value *const *handles, size_t count,
                                      std::string_view what);
/// Returns the module that a handle refers to; the module Main for a null handle.
Result<Module *> module_of(const ValueTable &table, const kiln_value *handle);

/// Returns `name` as a symbol. Error: Usage if it is null or empty; `function` is the API function in the
/// message.
Result<Symbol> name_of(ValueTable &table, std::string_view function, const char *name);
/// Runs `body`, which changes a session's definitions, while no other thread changes them.
template <class F> Result<void> define(SessionObject &session, F &&body) {
  if (&session == language_of_thread) return body(); // calls of the session's language are already serialised
  return session.session->define([&](World &) -> Result<void> { return body(); });
}

#define KILN_CONCAT_(a, b) a##b
#define KILN_CONCAT(a, b) KILN_CONCAT_(a, b)
/// Defines `TABLE` as the value table of the session handle `SESSION`, which stays in use until the end of
/// the scope.
#define KILN_TABLE(TABLE, SESSION)                                                                           \
  Pinned<SessionObject> KILN_CONCAT(object_of_, TABLE)(SESSION);                                             \
  if (!KILN_CONCAT(object_of_, TABLE)) return bad_handle(SessionObject::kind, SESSION);                      \
  KILN_CHECK(check_definer(*KILN_CONCAT(object_of_, TABLE)));                                                \
  KILN_TRY(ValueTable *KILN_CONCAT(pointer_to_, TABLE), table_of(*KILN_CONCAT(object_of_, TABLE)));          \
  ValueTable &TABLE = *KILN_CONCAT(pointer_to_, TABLE)

} // namespace kiln::c
