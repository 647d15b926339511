// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Definitions in one call each: a method, a struct, an abstract type, and a closure. They call the World and
// TypeContext in the right order, and check for mistakes of a language.
//
// Errors that name a definition carry its place (`at`). Functions here may be called from any thread that may
// define (Session::define); a body is called once, when the method's code is first needed.
#pragma once

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/world.h>

#include <functional>
#include <string_view>
#include <vector>

namespace kiln {

/// A CodeBuilder that knows the World, with the statements that most languages need.
class KILN_API BodyBuilder : public CodeBuilder {
public:
  BodyBuilder(World &world, Symbol name, Span at) : CodeBuilder(world.types(), name, at), world_(world) {}
  World &world() { return world_; }

  /// The i-th parameter, counted from 0, without the function itself.
  Operand argument(uint32_t i) const { return Operand::slot(i + 1); }
  /// The function itself: a closure's captured values are fields of it.
  Operand self() const { return Operand::slot(0); }
  Operand intrinsic(Intrinsic intrinsic, const Operands &args) {
    return call(constant(world_.intrinsic_value(intrinsic)), args);
  }
  Operand field(Operand object, Symbol name);
  Operand int64(int64_t value) { return constant(types().int64(value)); }
  Operand nothing() { return constant(types().nothing()); }
  /// A type as a value. If it is null, as argument_type returns for an unknown type, finish() reports an
  /// error.
  Operand type(TypeRef type);

private:
  World &world_;
};

/// Appends a body's statements and returns its result; a None operand returns `nothing`. Statements after a
/// Return are ignored. The compile or evaluation that needed the code gets the error.
using BuildBody = std::function<Result<Operand>(BodyBuilder &)>;
/// Builds the body once for each list of concrete argument types (the function's own left out).
/// `static_params`: the values of the where-variables.
using GenerateBody = std::function<Result<Operand>(BodyBuilder &, std::span<const TypeRef> arguments,
                                                   std::span<const TypeRef> static_params)>;

struct Parameter {
  Symbol name;
  TypeRef type = nullptr; ///< null: Any. Of a method's last one, a Vararg: it collects the rest in a tuple
};

struct MethodDefinition {
  Module *module = nullptr;
  Symbol name; ///< of the function: in messages, stack traces, entries
  /// Type of the callee: a function's (World::function(...).type()), Type{T} for calls of a type
  /// (TypeContext::type_of_type), a struct's for calls of its values.
  TypeRef callee = nullptr;
  std::vector<Parameter> parameters = {};
  /// Variables in the parameters' types, outermost first. The body has them as Operand::static_param(i).
  std::vector<const TypeVar *> where = {};
  Span at;
  MethodHints hints = {};
  /// Its overlay table (Target::overlay, override_overlay); empty: the common one.
  Symbol overlay = {};
  BuildBody body = {}; ///< this, or `generate`
  GenerateBody generate = {};
};
/// Adds a method, or replaces the one of the same signature in the same table, from the next world on.
/// Errors: Usage (no name, module, callee or body, or both bodies); Input (a `where` variable that no
/// parameter's type uses, a builtin function).
KILN_API Result<const Method *> define_method(World &world, MethodDefinition definition);
/// Defines a method of the function `name` of `definition.module`, and sets `callee`. A missing function is
/// made. Errors: as above; Input if the name is bound to something else.
KILN_API Result<const Method *> define_function(World &world, MethodDefinition definition);
/// Tuple{typeof(f), A, B...} where {...}, as CodeBuilder::declare_method takes it.
KILN_API TypeRef signature_of(const Method &method);

struct TypeDefinition {
  Module *module = nullptr;
  Symbol name;
  std::vector<const TypeVar *> params = {}; ///< in terms of which super and fields are written
  TypeRef super = nullptr;                  ///< an abstract type; null: Any
  std::vector<Parameter> fields = {};       ///< of a struct
  bool is_mutable = false;
  bool is_abstract = false;
  Span at;
};
/// Makes a type and binds its name. A struct also gets the constructor Name(fields...) for values of exactly
/// the fields' types. Of a parametric struct the constructor takes the parameters from the values, so the
/// fields must determine them; otherwise the language defines constructors itself. Returns Name, or Name
/// where {params...}. An equal definition keeps the existing type. Errors: Usage (no name or module), Input
/// (two fields of one name, a super that is not abstract, the name was imported).
KILN_API Result<TypeRef> define_type(World &world, const TypeDefinition &definition);
/// The part of it for a type name whose fields are all set: binds it in `module`, unless an equal definition
/// is bound there. `made`: whether it was bound now.
KILN_API Result<TypeRef> bind_type(World &world, Module &module, TypeName &name, Span at,
                                   bool *made = nullptr);

/// Defines a closure: an immutable struct with a field for each name in `captures`, and the method that calls
/// it. The method reads the fields as field(self(), name). `definition.callee` is set here. The closure's
/// name must be unique in the module, and the same in every process for equal text: caches know closures by
/// it. CodeBuilder::new_closure(type(T), values) makes a value. May be called while a method is lowered.
/// Errors: define_method's.
KILN_API Result<TypeRef> define_closure(World &world, std::span<const Symbol> captures,
                                        MethodDefinition definition);

// ---- what stands in the library

/// The value of a name by its path from a root module: "CUDA.threadIdx", "Base.sqrt",
/// "Base.FastMath.add_fast". Errors: Input, with names that are near; the value's own (a deferred one).
KILN_API Result<Value> find_value(World &world, std::string_view path);
/// Val{x}(), the form of constant operands of intrinsics (an alignment, the length of a shared array).
KILN_API Result<Value> val(World &world, const Value &x);
/// CuDeviceArray{element, rank, 1}, the type of a launch's array in a kernel. With `in_any_memory`, for
/// signatures, CuDeviceArray{element, rank, A} where A, which includes shared memory. `element` may be a type
/// variable. Error: Usage, for a null element or a negative rank.
KILN_API Result<TypeRef> array_type(World &world, TypeRef element, int64_t rank, bool in_any_memory = false);
/// The type that a kiln::Argument names in the spelling of Argument::scalar, array and array_of: "Float32",
/// "CuDeviceArray{Vec3, 2, 1}", names looked up in `in`. Null: the text is none of that kind.
KILN_API Result<TypeRef> argument_type(World &world, const Module &in, std::string_view text);

} // namespace kiln
