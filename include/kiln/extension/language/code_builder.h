// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <kiln/extension/language/code.h>
#include <kiln/extension/language/source.h>

#include <memory>
#include <vector>

namespace kiln {

struct CodeFault;
struct Stmt;

/// Builds the lowered code of a method, statement by statement. Not thread-safe. Jumps may use a label before
/// it is placed.
class KILN_API CodeBuilder {
public:
  CodeBuilder(TypeContext &types, Symbol name, Span at);
  CodeBuilder(CodeBuilder &&) noexcept;
  ~CodeBuilder();

  /// Adds an argument and returns its slot. Add all arguments before other slots, and as the first one the
  /// function itself ("#self#", slot 0).
  uint32_t add_argument(Symbol name);
  uint32_t add_slot(Symbol name);
  Operand constant(Value value);
  Operand global(const Module *module, Symbol name);

  void set_span(Span at) { at_ = at; } ///< for the following statements
  Span span() const { return at_; }
  void set_flags(uint8_t flags) { flags_ = flags; } ///< flags of the following calls
  uint8_t flags() const { return flags_; }

  Operand copy(Operand value);
  Operand call(Operand callee, const Operands &args);
  Operand new_struct(Operand type, const Operands &fields);
  Operand new_closure(Operand wrapper, const Operands &captured);
  void set_slot(uint32_t slot, Operand value);
  Operand is_defined(uint32_t slot);
  Operand bounds_check();
  void return_(Operand value);
  /// Begins code that only the interpreter can run (Op::HostOnly). Compiled code ends here with an error: a
  /// call of `compile_error` with the text `message`.
  void host_only(Operand compile_error, Operand message);
  void leave();
  Operand exception();
  /// Returns a variable as an operand of new_closure (Op::Cell). `flags`: flags::Outer,
  /// flags::AssignedInside.
  Operand cell(uint32_t slot, uint8_t flags = 0);
  /// Begins a new variable in `slot`; earlier closures keep the old one.
  void fresh(uint32_t slot);
  void unreachable();

  struct Label {
    uint32_t id;
  };
  Label new_label();
  void place(Label label);
  void go_to(Label label);
  void go_to_if_not(Operand condition, Label label);
  /// Begins a try block, until leave(): errors jump to `handler`. `catch_blocks` is the number of enclosing
  /// catch blocks.
  void enter(Label handler, uint32_t catch_blocks);
  /// Returns true if the next statement is unreachable: the last one left control, and no label is placed
  /// here.
  bool terminated() const;

  // ---- declarations, for languages with their own type checker. Compiling verifies them; one error lists
  // all differences, each at its statement's place. With MethodHints::typed, every type must be declared.

  /// Declares the type of a statement's result or of a variable (Operand::slot). Every value assigned to the
  /// variable must have exactly this type. Returns `value`.
  Operand declare(Operand value, TypeRef type);
  /// Declares which method a call reaches, by the method's signature (signature_of). Returns `call`.
  Operand declare_method(Operand call, TypeRef signature);
  /// Declares the return type.
  void declare_result(TypeRef type);

  /// Records an error in the code at the current span; finish() returns it.
  void misuse(std::string message);

  CodeInfo &code() { return *code_; } ///< for Kiln itself
  TypeContext &types() { return types_; }
  /// Resolves labels, verifies the code and returns it; the builder must not be used afterwards. Error:
  /// Usage, with one diagnostic for each fault of the code, with its place if `sources` is given.
  Result<CodeInfo> finish(const SourceMap *sources = nullptr);

private:
  /// Entry of the hash table that finds equal constants and globals: an index into the code's tables.
  struct Place {
    uint64_t hash = 0;
    uint32_t index = ~uint32_t(0); ///< ~0: free entry; the highest bit marks a global
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
  std::vector<Place> places_; // hash table with open addressing; its size is a power of 2
  size_t places_used_ = 0;
  std::vector<CodeFault> misuse_;
};

} // namespace kiln
