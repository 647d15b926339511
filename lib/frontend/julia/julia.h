// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component julia (layer 5): the in-tree kernel language, a subset of Julia, as a client of the frontend
// seam.
//   syntax, parser   text -> syntax tree (lexer, parser)
//   library          Kiln's own library: what of it is read when
//   definitions*     top level: modules, imports, types, methods, constants; @eval loops by substitution
//   type_expr        type expressions of signatures and type definitions, evaluated on syntax
//   macros*          expansion: built-in macros, the user's, and sugar (broadcasts, generators, do-blocks)
//   scope            which variable a name means; what closures capture
//   lower*           expanded syntax -> lowered code
//   quote            syntax <-> values of type Expr
//   evaluate         expressions and job signatures from outside
#pragma once

#include <frontend/frontend.h>
#include <interp/interp.h>
#include <support/support.h>
#include <world/world.h>

namespace kiln::julia {

struct Shared;

class JuliaFrontend final : public Frontend {
public:
  /// `timer` and `log` may be null. All four must outlive the World's methods.
  JuliaFrontend(World &world, Interpreter &interpreter, Timer *timer = nullptr, Log *log = nullptr);
  ~JuliaFrontend() override;

  std::string_view name() const override { return "julia"; }
  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override;
  Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) override;
  Result<LoadReport> load_overlay(World &world, Module &into, Symbol overlay,
                                  std::shared_ptr<const SourceFile> file) override;

  /// A file of Kiln's own library, of which only what its index says is evaluated now. `overlay` empty: as
  /// load, else as load_overlay. `source` itself need not outlive the call; what it refers to must outlive
  /// the World.
  Result<LoadReport> load_embedded(Symbol overlay, const EmbeddedSource &source);
  /// Files of the library with many names that few programs use: loaded when a file of the program is that
  /// has `word` in its text. As load_embedded else.
  void load_when_named(std::initializer_list<std::string_view> words,
                       std::span<const EmbeddedSource> sources);
  /// For making such an index: the statements of a file of the library.
  struct TopLevel {
    Span at;
    std::string module;        ///< the full name of the one that it stands in
    bool only_defines = false; ///< a function, or functions in a loop
  };
  Result<std::vector<TopLevel>> top_level(const Module &into, const SourceFile &file);

  /// What "f(T1, T2, ...)" names: the function and the types of the arguments. An argument is a type, or a
  /// value that stands for its own type: Val(3), typeof(+) as a type, `+` as a value.
  struct ParsedSignature {
    Value function;
    std::vector<TypeRef> arguments;
    TypeRef tuple = nullptr; ///< Tuple{typeof(f), T1, T2, ...}
    Location at;             ///< the whole text
  };
  /// The value of a captured variable or where-variable, by its name.
  using Capture = std::pair<std::string, Value>;
  /// `name` is the text's name in diagnostics ("job"). A bare "f" means f(). "host/kernel(T...)" is the
  /// function `kernel` defined inside the function `host`, with `captures` in the place of what it captures
  /// of it. Errors: Input, with the place.
  Result<ParsedSignature> parse_job(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture> captures = {});

private:
  std::shared_ptr<Shared> shared_;
};

} // namespace kiln::julia
