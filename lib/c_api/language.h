// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the functions of kiln/c_language.h.
#pragma once

#include "session_call.h"

#include <kiln/c_language.h>
#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/internal/world.h>
#include <kiln/extension/language/print.h>

#include <shared_mutex>
#include <unordered_map>

namespace kiln::c {

/// Values given to the caller, one handle each, and their World. Thread-safe.
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

/// A body under construction. Keeps its session alive.
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
  std::vector<Diagnostic> faults; ///< of kiln_code_fail, and misuse that the builder does not detect
  bool has_failed = false;        ///< set by kiln_code_fail

  void fail(std::string message) {
    faults.push_back({.code = ErrorCode::Input,
                      .message = std::move(message),
                      .at = table.world.sources().locate(builder.span())});
  }
  /// Returns the code, or all its faults. Consumes the object.
  Result<CodeInfo> finish();
};

/// The table of an open session, created at the first use.
Result<ValueTable *> table_of(SessionObject &session);
/// As above, while the session calls its language. Does not call the session.
ValueTable &values_of(SessionObject &session, World &world);
/// The value of a handle. Errors: Usage, for an invalid handle or one of another session.
Result<Value> value_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
/// The type of a handle. Errors: value_of's; Usage, if the value is not a type.
Result<TypeRef> type_of(const ValueTable &table, const kiln_value *handle, std::string_view what);
Result<std::vector<TypeRef>> types_of(const ValueTable &table, const kiln_value *const *handles, size_t count,
                                      std::string_view what);
/// The module of a handle; null: Main.
Result<Module *> module_of(const ValueTable &table, const kiln_value *handle);

/// Error: Usage, for a null or empty name.
Result<Symbol> name_of(ValueTable &table, std::string_view function, const char *name);
/// Runs `body` on a session's definitions, serialised with other threads.
template <class F> Result<void> define(SessionObject &session, F &&body) {
  if (&session == language_of_thread) return body(); // calls of the session's language are already serialised
  return session.session->define([&](World &) -> Result<void> { return body(); });
}

#define KILN_CONCAT_(a, b) a##b
#define KILN_CONCAT(a, b) KILN_CONCAT_(a, b)
/// `TABLE`: table of the handle's session, pinned until the end of the scope.
#define KILN_TABLE(TABLE, SESSION)                                                                           \
  Pinned<SessionObject> KILN_CONCAT(object_of_, TABLE)(SESSION);                                             \
  if (!KILN_CONCAT(object_of_, TABLE)) return bad_handle(SessionObject::kind, SESSION);                      \
  KILN_CHECK(check_definer(*KILN_CONCAT(object_of_, TABLE)));                                                \
  KILN_TRY(ValueTable *KILN_CONCAT(pointer_to_, TABLE), table_of(*KILN_CONCAT(object_of_, TABLE)));          \
  ValueTable &TABLE = *KILN_CONCAT(pointer_to_, TABLE)

} // namespace kiln::c
