// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program against kiln/extension/language that a string of bytes decides: every function of TypeContext,
// World, Value, Interpreter, CodeBuilder and the calls by values gets null types, no values, empty names, and
// types and values of another session. Used by the fuzzer (language.cpp) and by a short test
// (test/unit/session/null_test.cpp).
#pragma once

#include "api_program.h"

#include <kiln/extension/language.h>

namespace kiln::fuzz {

class LanguageProgram {
public:
  /// `fault`: as ApiProgram's.
  LanguageProgram(Decisions decisions, std::function<void(const std::string &)> fault);
  void run(size_t max_steps = 64);
  /// Each function once, with null and no value for everything that may be.
  void run_on_nulls();
  size_t accepted = 0, refused = 0;

private:
  struct Pool {
    std::unique_ptr<Session> session;
    World *world = nullptr;
  };
  static constexpr size_t families = 8;
  void step(size_t family);
  void make_types();
  void ask_types();
  void make_values();
  void use_values();
  void define_things();
  void look_up();
  void build_code();
  void call_things();
  void fill(const Pool &pool);
  template <class T> bool judge(const char *what, const Result<T> &result) {
    (result.ok() ? accepted : refused)++;
    if (!result.ok() &&
        (result.error().kind() == ErrorKind::Internal || result.error().diagnostics()[0].message.empty()))
      fault_(std::string(what) + ": " + result.error().what());
    return result.ok();
  }
  /// The n-th of what a family calls; while all are wanted, true for each.
  bool takes(size_t n, size_t of) { return all_ || chosen_ % of == n; }
  TypeRef type() { return nulls_ ? nullptr : types_[d_.below(types_.size())]; }
  const DataType *data_type() {
    TypeRef type = this->type();
    return type ? type->as<DataType>() : nullptr;
  }
  const TypeVar *var() {
    TypeRef type = this->type();
    return type ? type->as<TypeVar>() : nullptr;
  }
  Value value() { return nulls_ ? Value() : values_[d_.below(values_.size())]; }
  Symbol name() { return nulls_ ? Symbol() : names_[d_.below(names_.size())]; }
  std::vector<TypeRef> types();
  std::vector<Value> values();
  void keep(TypeRef type) {
    if (type && type->size() < 100) types_.push_back(type);
  }
  Operand operand();

  Decisions d_;
  std::function<void(const std::string &)> fault_;
  Pool own_, other_;
  std::vector<TypeRef> types_;
  std::vector<Value> values_;
  std::vector<Symbol> names_;
  bool nulls_ = false, all_ = false;
  size_t chosen_ = 0;
};

} // namespace kiln::fuzz
