// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/code.h>
#include <kiln/extension/language/source.h>

#include <memory>
#include <vector>

namespace kiln {

struct CodeFault;
struct Stmt;

/// Appends statements to lowered code. Not thread-safe. Labels may be used before they are placed.
class KILN_API CodeBuilder {
public:
  CodeBuilder(TypeContext &types, Symbol name, Span at);
  CodeBuilder(CodeBuilder &&) noexcept;
  ~CodeBuilder();

  /// Arguments must be added before other slots, the function itself ("#self#") first: the caller adds it
  /// too, and it becomes slot 0.
  uint32_t add_argument(Symbol name);
  uint32_t add_slot(Symbol name);
  Operand constant(Value value);
  Operand global(const Module *module, Symbol name);

  void set_span(Span at) { at_ = at; } ///< for the following statements
  Span span() const { return at_; }
  void set_flags(uint8_t flags) { flags_ = flags; } ///< for the following Call statements
  uint8_t flags() const { return flags_; }

  Operand copy(Operand value);
  Operand call(Operand callee, const Operands &args);
  Operand new_struct(Operand type, const Operands &fields);
  Operand new_closure(Operand wrapper, const Operands &captured);
  void set_slot(uint32_t slot, Operand value);
  Operand is_defined(uint32_t slot);
  Operand bounds_check();
  void return_(Operand value);
  /// Code that only the interpreter runs follows (Op::HostOnly); compiled, it ends here with this error.
  void host_only(Operand compile_error, Operand message);
  void leave();
  Operand exception();
  /// A variable as an operand of new_closure (Op::Cell). `flags`: flags::Outer, flags::AssignedInside.
  Operand cell(uint32_t slot, uint8_t flags = 0);
  /// A new variable begins in `slot`: closures keep the old one.
  void fresh(uint32_t slot);
  void unreachable();

  struct Label {
    uint32_t id;
  };
  Label new_label();
  void place(Label label);
  void go_to(Label label);
  void go_to_if_not(Operand condition, Label label);
  void enter(Label handler, uint32_t catch_blocks); ///< errors go there, until leave()
  /// True if the next statement cannot be reached: control left before it and no label is placed here.
  bool terminated() const;

  // ---- code that is typed already: what is declared is verified when it is compiled, and all that differs
  // comes in one error, each at its statement's place. MethodHints::typed: nothing is left undeclared.

  /// Declares the type of a statement's result, or of a variable (Operand::slot): every value that is
  /// assigned to it has just this type. Gives `value`.
  Operand declare(Operand value, TypeRef type);
  /// Declares which method a call reaches, by its signature (Method::signature). Gives `call`.
  Operand declare_method(Operand call, TypeRef signature);
  /// Declares the type of the result.
  void declare_result(TypeRef type);

  /// Records an error of the caller at the present span; finish() returns it.
  void misuse(std::string message);

  CodeInfo &code() { return *code_; } ///< for Kiln itself
  TypeContext &types() { return types_; }
  /// Resolves labels and verifies; the builder is used up. Error: Usage, with one diagnostic for everything
  /// that is wrong about the code, at its place where `sources` are given.
  Result<CodeInfo> finish(const SourceMap *sources = nullptr);

private:
  /// Place of a constant or a global in the code.
  struct Place {
    uint64_t hash = 0;
    uint32_t index = ~uint32_t(0); ///< ~0: none; of a global, with the highest bit set
  };
  template <class Same> uint32_t &place_of(uint64_t hash, Same &&same);
  void grow_places();
  uint32_t append(Stmt stmt);
  TypeContext &types_;
  std::unique_ptr<CodeInfo> code_;
  Span at_;
  uint8_t flags_ = 0;
  std::vector<uint32_t> label_targets_;
  uint32_t last_place_ = ~uint32_t(0);                // statement
  std::vector<std::pair<uint32_t, uint32_t>> fixups_; // statement, label
  std::vector<Place> places_; // by their hash, with open addressing; as many as a power of 2
  size_t places_used_ = 0;
  std::vector<CodeFault> misuse_;
};

} // namespace kiln
