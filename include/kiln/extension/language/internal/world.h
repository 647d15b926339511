// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CompilerWorld: the part of World for Kiln's own components, with method tables, edges, postponed
// definitions and sweeps.
#pragma once

#include <kiln/extension/language/embedded.h>
#include <kiln/extension/language/internal/call_shape.h>
#include <kiln/extension/language/internal/method.h>
#include <kiln/extension/language/world.h>

#include <unordered_set>

namespace kiln {

/// A dependency of a code instance (typed code) on a definition. Inference records edges; the World uses them
/// for invalidation.
struct Edge {
  enum class Kind : uint8_t { Call, Binding, TypeLayout };
  Kind kind = Kind::Call;
  TypeRef arguments = nullptr;    ///< Call: the tuple of argument types that was looked up
  Symbol overlay;                 ///< Call: the overlay table that was searched first; empty: none
  const Method *method = nullptr; ///< Call: the chosen method; null: no method matched
  /// Call: the code only asks if a method exists, and does not call it.
  bool asks_only = false;
  GlobalName binding;     ///< Binding
  TypeRef type = nullptr; ///< TypeLayout
};

/// An object whose validity depends on definitions: a code instance. Opaque to component world.
class KILN_API Dependent {
public:
  virtual ~Dependent();
  /// Ends the object's validity before world age `world`, since a definition that it relied on changed. The
  /// World calls it at most once, under its lock; it must not call the World.
  virtual void invalidate(WorldAge world) = 0;
};

/// Defines names of a library file when they are first needed (CompilerWorld::add_names).
class KILN_API NameDefiner {
public:
  virtual ~NameDefiner();
  /// Binds the name with this index in the file's list, and postpones its methods. The World calls it at most
  /// once for each name, and holds the evaluation lock meanwhile.
  virtual Result<void> define(size_t name) = 0;
};

struct Callee;

/// Form in which evaluated code passes a host array to a method for AbstractArray.
enum class ArrayPolicy : uint8_t {
  DeviceView, ///< as a CuDeviceArray, as in kernels (Interpreter::set_array_adapter)
  HostArray   ///< the array itself
};

/// The implementation of World; every World object is a CompilerWorld. A lock serialises definitions;
/// look-ups share the lock and are memoised.
class KILN_API CompilerWorld final : public World {
public:
  CompilerWorld(TypeContext &types, SourceMap &sources) : World(types, sources) {}

  // ---- bindings
  bool has_own(const Module &module, Symbol name) const; ///< true if the module itself defines the name
  /// Meaning of a name in a module, as known without evaluating deferred values.
  struct Meaning {
    enum class Kind : uint8_t { Undefined, Ambiguous, Library, Value } kind = Kind::Undefined;
    const Module *owner = nullptr; ///< Library: module that owns the name
    Symbol name;                   ///< there
  };
  /// Returns the meaning of a name. Library: bound before library_is_loaded() to a value that is the same in
  /// every process of one build.
  Meaning meaning(const Module &module, Symbol name, WorldAge world) const;
  /// Returns the value of a name that keeps it until the next world age. No value: the name is undefined,
  /// ambiguous, a variable, or not evaluated yet.
  std::optional<Value> constant(const Module &module, Symbol name, WorldAge world) const;
  /// As World::set_deferred(), for a constant of the library whose value differs between machines. Inference
  /// records compare its value, since machines share a cache.
  Result<void> set_machine_value(Module &module, Symbol name, std::function<Result<Value>()> evaluate);
  /// Marks all bindings so far as those of Kiln's own library.
  void library_is_loaded() { library_end_ = age(); }
  WorldAge library_end() const { return library_end_; }
  /// Adds names that `definer` defines when code first looks them up, in any module. Their bindings hold in
  /// every world age. Names that were looked up before are defined at once, from the current age on. The
  /// texts of the names must outlive the World.
  Result<void> add_names(std::shared_ptr<NameDefiner> definer, std::span<const EmbeddedName> names);
  /// Defines all names that wait.
  Result<void> define_names() const;
  /// Returns all names visible in the module, including those of used modules, Base and Core; sorted by text.
  std::vector<Symbol> visible_names(const Module &module) const;
  /// Returns the names that a module exports and defines, sorted by text.
  std::vector<Symbol> exported_names(const Module &module) const;
  /// Records the reason why definitions of `module` may be missing, such as an included file that was not
  /// found. With a name: only that name or its methods are missing.
  void note_missing(const Module &module, std::string why, Symbol name = {});
  /// Returns at most three notes about a missing name. `module` is the module's full name.
  std::vector<std::string> missing_of(std::string_view module, Symbol name);

  // ---- functions and methods
  /// Adds a method; it replaces a method of equal signature in the same table. Increases the world age, and
  /// invalidates code instances that the definition affects.
  Result<const Method *> define(std::unique_ptr<Method> method);
  /// Calls Method::generator_inputs. Empty: the digest is unknown.
  std::optional<Fingerprint> generator_inputs(const Method &method, TypeRef arguments);
  /// Postpones the definition of a function's methods or a type's constructors. The first look-up of a method
  /// for this callee runs `define`, once. The postponed methods hold in every world age, so no look-up for
  /// the callee may have happened before. Methods that are defined after this call replace postponed ones.
  /// Libraries use it, since most of their functions are never needed.
  void postpone(TypeRef callee, std::function<Result<void>()> define) { postpone(callee, define, {}); }
  struct Postponement {
    /// True: the methods hold from the current world age on. Nothing may depend on the callee's methods yet
    /// (has_dependents).
    bool since_now = false;
    bool is_of_package = false; ///< the methods are not those of a library (Method::is_library)
    /// Shapes of the postponed methods: only look-ups of calls that one of them may take run `define`. Empty:
    /// every look-up does.
    std::vector<CallShape> shapes = {};
  };
  void postpone(TypeRef callee, std::function<Result<void>()> define, Postponement how);
  /// As postpone(), for methods that any type as callee may match, `(::Type{T})(x) where T`.
  void postpone_for_types(std::function<Result<void>()> define);
  /// Returns true if some code instance depends on a call of this function or of a constructor of this type.
  bool has_dependents(TypeRef callee) const;
  /// Returns the methods defined after the first `count` ones. Postponed methods that nothing needed are not
  /// included.
  std::vector<const Method *> methods_from(size_t count) const;
  /// Finds the most specific method for a dispatch tuple at world age `world`. Searches the table of
  /// `overlay` first. Memoised. Error: Internal, from component types.
  Result<MethodMatch> lookup_method(TypeRef arguments, WorldAge world, Symbol overlay);
  /// Returns true if a method outside Kiln's library may match a call with these arguments in any world age.
  /// False: only library methods match. Runs postponed definitions of packages, but not of the library.
  bool may_choose_added(TypeRef arguments, Symbol overlay) const;
  /// Returns all methods that a callee of this type may reach: the overlay's first, else in the order of
  /// definition.
  std::vector<const Method *> methods_of(TypeRef function_type, Symbol overlay, WorldAge world) const;
  /// Returns true if the callee has methods in the common table.
  bool has_methods(TypeRef function_type) const;
  /// Returns all methods in the order of definition. Runs all postponed definitions first.
  Result<std::vector<const Method *>> all_methods();
  /// Returns the type name of the method's callee: of its function, or of the type that it constructs or
  /// makes callable. Null if the callee is no single type, as in (::Type{T})(x) where T.
  const TypeName *owner(const Method &method) const;
  /// Returns true for a method that any type as callee may match, `(::Type{T})(x) where T`.
  bool is_for_types(const Method &method) const;
  /// Returns the method itself. For a @generated method, returns the method with the code generated for these
  /// arguments, which is made once. Error: Input if generating the code fails.
  Result<const Method *> expanded(const Method &method, TypeRef arguments,
                                  std::span<const TypeRef> static_params);
  const MethodInstance *instance(const Method &method, TypeRef arguments, std::vector<TypeRef> static_params);

  // ---- the host library (kiln/extension/language/internal/host_library.h)
  /// Sets the overlay table that plain functions and evaluated programs search first; empty: none. Call it
  /// before any look-up.
  void set_host_overlay(Symbol overlay) { host_overlay_ = overlay; }
  Symbol host_overlay() const { return host_overlay_; }
  void set_array_policy(ArrayPolicy policy); ///< DeviceView until it is set

  // ---- invalidation
  /// Registers the edges of `dependent`, which is valid at world age `world`. Returns false if the definition
  /// of an edge has changed since `world`; the dependent is then not registered but ended by invalidate(world
  /// + 1).
  bool add_edges(std::shared_ptr<Dependent> dependent, std::span<const Edge> edges, WorldAge world);

  // ---- freeing definitions of old world ages
  /// Returns the number of methods and values replaced since the last forget().
  size_t retired() const;
  /// Returns the oldest usable world age: definitions visible in it or later ones were not forgotten.
  WorldAge oldest() const;
  /// Frees definitions that no world age from `oldest_needed` (or the newest, if older) on sees: replaced
  /// methods with their instances and code, old values of names, backedges of destroyed dependents. Also
  /// frees the SSA form of every method not in `in_use`. The caller must ensure that no thread uses methods
  /// meanwhile, and that no dependent of a freed method is left.
  void forget(const std::unordered_set<const Method *> &in_use, WorldAge oldest_needed = EndOfTime);

private:
  friend class World;
  Location locate(Span at) const { return sources_.locate(at); }
  /// Runs postponed definitions; the caller must not hold the lock. `arguments`: those that may take this
  /// call; empty: those of any call. `of_packages`: not the library's.
  Result<void> complete(Callee &callee, std::span<const TypeRef> arguments, bool of_packages = false) const;
  /// Defines a name that waits; the caller must not hold the lock.
  Result<void> complete(Symbol name) const;
  Callee &callee_of(const TypeName *name) const;
  Result<void> bind(Module &module, Symbol name, Binding::Version version, Span at); // with the lock held
  Result<void> bind_deferred(Module &module, Symbol name, Binding::Version version,
                             std::function<Result<Value>()> evaluate);
  WorldAge library_end_ = 0;
  Symbol host_overlay_;
};

/// Casts the World of a public interface to CompilerWorld.
inline CompilerWorld &compiler_world(World &world) { return static_cast<CompilerWorld &>(world); }
inline const CompilerWorld &compiler_world(const World &world) {
  return static_cast<const CompilerWorld &>(world);
}

} // namespace kiln
