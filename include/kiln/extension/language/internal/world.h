// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The World as Kiln's own components use it: method tables, edges, postponed definitions, sweeps.
#pragma once

#include <kiln/extension/language/internal/method.h>
#include <kiln/extension/language/world.h>

#include <unordered_set>

namespace kiln {

/// Dependency of a code instance. Inference records it; the World indexes it for invalidation.
struct Edge {
  enum class Kind : uint8_t { Call, Binding, TypeLayout };
  Kind kind = Kind::Call;
  TypeRef arguments = nullptr;    ///< Call: the tuple that was looked up
  Symbol overlay;                 ///< Call: the overlay that was searched first; empty: none
  const Method *method = nullptr; ///< Call: the chosen method; null: none matched
  bool asks_only = false; ///< Call: nothing is called; the result follows from whether there is a method
  GlobalName binding;     ///< Binding
  TypeRef type = nullptr; ///< TypeLayout
};

/// Something whose validity depends on definitions: a code instance. Opaque to this component.
class KILN_API Dependent {
public:
  virtual ~Dependent();
  /// Its worlds end before `world`: a definition it relied on changed. Called at most once by a World, under
  /// its lock: it must not call back into the World.
  virtual void invalidate(WorldAge world) = 0;
};

struct Callee;

/// Form of a host array that evaluated code passes to a method of AbstractArray.
enum class ArrayPolicy : uint8_t {
  DeviceView, ///< the CuDeviceArray that kernels see (Interpreter::set_array_adapter)
  HostArray   ///< the array itself
};

/// Every World is one. Definitions are serialised by a lock; look-ups share it and are memoised.
class KILN_API CompilerWorld final : public World {
public:
  CompilerWorld(TypeContext &types, SourceMap &sources) : World(types, sources) {}

  // ---- bindings
  bool has_own(const Module &module, Symbol name) const; ///< defined in this module itself
  /// Meaning of a name, as far as it is known without evaluating code.
  struct Meaning {
    enum class Kind : uint8_t { Undefined, Ambiguous, Library, Value } kind = Kind::Undefined;
    const Module *owner = nullptr; ///< Library: whose name it is
    Symbol name;                   ///< there
  };
  /// Library: bound before library_is_loaded(), and not by a value that waits: the same in every process of
  /// one build.
  Meaning meaning(const Module &module, Symbol name, WorldAge world) const;
  /// Marks all bindings so far as those of Kiln's own library.
  void library_is_loaded() { library_end_ = age(); }
  /// Names visible in a module, also those of used modules, of Base and of Core; sorted by text.
  std::vector<Symbol> visible_names(const Module &module) const;
  /// Records why definitions of `module` may be missing: an included file was not found. With a name: only
  /// its value, or a method of it, is missing.
  void note_missing(const Module &module, std::string why, Symbol name = {});
  /// Notes for a missing name of a module, which is given by its full name. At most three.
  std::vector<std::string> missing_of(std::string_view module, Symbol name);

  // ---- functions and methods
  /// Adds a method; replaces one of equal signature in the same table. Raises the world age, and ends the
  /// worlds of the code instances that the definition affects.
  Result<const Method *> define(std::unique_ptr<Method> method);
  /// Postpones definitions of methods of a generic function, or of constructors of a type, until its methods
  /// are needed or another one is defined. Then `define` runs, once. Its definitions count as existing in
  /// every world, so nothing may have been looked up for the function before. For libraries, most of whose
  /// functions are never used. `since_now`: worlds before this one do not see the definitions; nothing may
  /// depend on the function's methods yet (has_dependents).
  void postpone(TypeRef callee, std::function<Result<void>()> define, bool since_now = false);
  /// Returns true if there is an edge on a call of this function, or of a constructor of this type.
  bool has_dependents(TypeRef callee) const;
  /// The methods defined after the first `count`, and their number. Postponed definitions that nobody needed
  /// are not included.
  std::vector<const Method *> methods_from(size_t count) const;
  /// The most specific method for a dispatch tuple at `world`; `overlay`'s table is searched first.
  /// Memoised; errors only from component types (Internal).
  Result<MethodMatch> lookup_method(TypeRef arguments, WorldAge world, Symbol overlay);
  /// Returns true if a method outside Kiln's library might take a call with these arguments in any world. It
  /// only compares signatures. False means that the library chooses, and it need not be read to know that.
  bool may_choose_added(TypeRef arguments, Symbol overlay) const;
  /// All methods that a callee of this type may reach, in the order of their definition, the overlay's first.
  std::vector<const Method *> methods_of(TypeRef function_type, Symbol overlay, WorldAge world) const;
  /// Returns true if the callee has methods, overlays aside.
  bool has_methods(TypeRef function_type) const;
  /// All methods, in the order of their definition. Runs all postponed definitions first.
  Result<std::vector<const Method *>> all_methods();
  /// The function that a method belongs to, or the type whose constructor or callable it is; null if it names
  /// no one of them: (::Type{T})(x) where T.
  const TypeName *owner(const Method &method) const;
  /// The method itself, or, of a @generated one, the method with the code that it makes for these arguments;
  /// made once. Errors: Input, of the code that makes it.
  Result<const Method *> expanded(const Method &method, TypeRef arguments,
                                  std::span<const TypeRef> static_params);
  const MethodInstance *instance(const Method &method, TypeRef arguments, std::vector<TypeRef> static_params);

  // ---- the host library (kiln/extension/language/internal/host_library.h)
  /// The overlay table that plain functions and evaluated programs search first; empty: none. Set it before
  /// anything is looked up.
  void set_host_overlay(Symbol overlay) { host_overlay_ = overlay; }
  Symbol host_overlay() const { return host_overlay_; }
  void set_array_policy(ArrayPolicy policy); ///< DeviceView until it is set

  // ---- invalidation
  /// Registers the edges of `dependent` (valid at `world`). Returns false if one of them has changed since
  /// `world`: the dependent is then not registered but ended there (invalidate(world + 1)).
  bool add_edges(std::shared_ptr<Dependent> dependent, std::span<const Edge> edges, WorldAge world);

  // ---- what old worlds leave behind
  /// Number of replaced methods and values still in memory.
  size_t retired() const;
  /// The oldest usable world: nothing that it or a later one sees was forgotten.
  WorldAge oldest() const;
  /// Frees everything that no world from `oldest_needed` (or the newest one, if that is older) on sees:
  /// replaced methods with their instances and code, old values of names, backedges of dead dependents. It
  /// also frees the SSA form of every method except `in_use`. The caller ensures that no thread uses methods
  /// meanwhile, and that no remaining dependent names one of them.
  void forget(const std::unordered_set<const Method *> &in_use, WorldAge oldest_needed = EndOfTime);

private:
  friend class World;
  Location locate(Span at) const { return sources_.locate(at); }
  Result<void> complete(Callee &callee) const; ///< runs postponed definitions; no lock held
  Callee &callee_of(const TypeName *name) const;
  Result<void> bind(Module &module, Symbol name, Binding::Version version, Span at); // with the lock held
  WorldAge library_end_ = 0;
  Symbol host_overlay_;
};

/// The World that a public interface hands over.
inline CompilerWorld &compiler_world(World &world) { return static_cast<CompilerWorld &>(world); }
inline const CompilerWorld &compiler_world(const World &world) {
  return static_cast<const CompilerWorld &>(world);
}

} // namespace kiln
