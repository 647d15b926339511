// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that define a method, a struct, an abstract type or a closure in one call. They call World and
// TypeContext in the right order and check a language's mistakes.
//
// Errors about a definition have its place (`at`). Any thread that may define (Session::define) may call
// these functions. Kiln calls a body once, when the method's code is first needed.
#pragma once

#include <kiln/extension/language/code_builder.h>
#include <kiln/extension/language/world.h>

#include <functional>
#include <string_view>
#include <vector>

namespace kiln {

/// A CodeBuilder with access to the World, and shortcuts that most languages need in bodies.
class KILN_API BodyBuilder : public CodeBuilder {
public:
  BodyBuilder(World &world, Symbol name, Span at) : CodeBuilder(world.types(), name, at), world_(world) {}
  World &world() { return world_; }

  /// Returns the i-th parameter, from 0; the function itself does not count.
  Operand argument(uint32_t i) const { return Operand::slot(i + 1); }
  /// Returns the function itself; a closure's captured values are its fields.
  Operand self() const { return Operand::slot(0); }
  Operand intrinsic(Intrinsic intrinsic, const Operands &args) {
    return call(constant(world_.intrinsic_value(intrinsic)), args);
  }
  Operand field(Operand object, Symbol name);
  Operand int64(int64_t value) { return constant(types().int64(value)); }
  Operand nothing() { return constant(types().nothing()); }
  /// Returns a type as a constant. For null, which argument_type returns for an unknown type, finish()
  /// reports an error.
  Operand type(TypeRef type);

private:
  World &world_;
};

/// Function that appends a body's statements and returns the body's result. A None operand means `nothing`.
/// The result is ignored after a Return statement. An error fails the compile or evaluation that needed the
/// code.
using BuildBody = std::function<Result<Operand>(BodyBuilder &)>;
/// Function that builds a body for each list of concrete argument types, without the function's own type.
/// `static_params` holds the values of the where-variables.
using GenerateBody = std::function<Result<Operand>(BodyBuilder &, std::span<const TypeRef> arguments,
                                                   std::span<const TypeRef> static_params)>;

struct Parameter {
  Symbol name;
  /// Null: Any. A Vararg type, for a method's last parameter, collects the rest in a tuple.
  TypeRef type = nullptr;
};

struct MethodDefinition {
  Module *module = nullptr;
  Symbol name; ///< name of the function in messages, stack traces and symbols
  /// Type of the callee: that of a function (World::function(...).type()), Type{T} for constructors of T
  /// (TypeContext::type_of_type), or a struct type for calls of its values.
  TypeRef callee = nullptr;
  std::vector<Parameter> parameters = {};
  /// Type variables in the parameters' types, outermost first. The body reads their values by
  /// Operand::static_param(i).
  std::vector<const TypeVar *> where = {};
  Span at;
  MethodHints hints = {};
  /// The overlay method table that gets the method (Target::overlay, override_overlay); empty: the common
  /// table.
  Symbol overlay = {};
  BuildBody body = {}; ///< set either `body` or `generate`
  GenerateBody generate = {};
};
/// Adds a method from the next world age on. It replaces a method of the same signature in the same table.
/// Errors: Usage (no name, module, callee or body, or both bodies); Input (a `where` variable that no
/// parameter's type uses, a builtin function).
KILN_API Result<const Method *> define_method(World &world, MethodDefinition definition);
/// Defines a method of the function `name` of `definition.module`; sets `callee` itself and makes a missing
/// function. Errors: those of define_method; Input if the name is bound to something else.
KILN_API Result<const Method *> define_function(World &world, MethodDefinition definition);
/// Returns a method's signature, Tuple{typeof(f), A, B...} where {...}, for CodeBuilder::declare_method.
KILN_API TypeRef signature_of(const Method &method);

struct TypeDefinition {
  Module *module = nullptr;
  Symbol name;
  std::vector<const TypeVar *> params = {}; ///< type variables that `super` and `fields` may use
  TypeRef super = nullptr;                  ///< an abstract type; null: Any
  std::vector<Parameter> fields = {};       ///< of a struct
  bool is_mutable = false;
  bool is_abstract = false;
  Span at;
};
/// Makes a type and binds its name. A struct also gets the constructor Name(fields...) for values of exactly
/// the fields' types. A parametric struct's parameters follow from these values; if fields do not determine
/// them, the language must define constructors itself. Returns Name, or Name where {params...}. If an
/// identical definition exists, returns the existing type. Errors: Usage (no name or module), Input (two
/// fields of one name, a super that is not abstract, the name was imported).
KILN_API Result<TypeRef> define_type(World &world, const TypeDefinition &definition);
/// The last step of define_type, for a type name whose fields are all set: binds the name in `module`, unless
/// an equal definition is bound there. *made becomes true if the name was bound now.
KILN_API Result<TypeRef> bind_type(World &world, Module &module, TypeName &name, Span at,
                                   bool *made = nullptr);

/// Defines a closure: an immutable struct with a field for each name in `captures`, and the method that calls
/// of its values run. The body reads captured values by field(self(), name). Sets `definition.callee` itself.
/// The name must be unique among the module's closures, and the same in every process for equal text, since
/// cache keys contain it. CodeBuilder::new_closure(type(T), values) makes a value. May be called while a
/// method is lowered. Errors: those of define_method.
KILN_API Result<TypeRef> define_closure(World &world, std::span<const Symbol> captures,
                                        MethodDefinition definition);

// ---- look-ups in Kiln's library

/// Finds the value of a name by its path from a root module: "CUDA.threadIdx", "Base.sqrt",
/// "Base.FastMath.add_fast". Errors: Input, with similar names; errors of evaluating the value if it was
/// deferred.
KILN_API Result<Value> find_value(World &world, std::string_view path);
/// Makes Val{x}(), the form in which intrinsics take constants (an alignment, the length of a shared array).
KILN_API Result<Value> val(World &world, const Value &x);
/// Makes CuDeviceArray{element, rank, 1}, the type of array arguments in kernels. With `in_any_memory`, makes
/// CuDeviceArray{element, rank, A} where A, which includes shared memory, for signatures. `element` may be a
/// type variable. Error: Usage for a null `element` or a negative rank.
KILN_API Result<TypeRef> array_type(World &world, TypeRef element, int64_t rank, bool in_any_memory = false);
/// Reads the type name of a kiln::Argument in the notation of Argument::scalar, array and array_of:
/// "Float32", "CuDeviceArray{Vec3, 2, 1}". Looks names up in module `in`. Returns null for a text in another
/// notation.
KILN_API Result<TypeRef> argument_type(World &world, const Module &in, std::string_view text);

} // namespace kiln
