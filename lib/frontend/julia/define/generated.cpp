// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the code of @generated methods. The generator (the method's body) runs on the types of the arguments,
// and returns the code for them.
#include "define.h"

namespace kiln::julia {

namespace {

class Generator {
public:
  explicit Generator(MethodSource source) : source_(std::move(source)) {}

  Result<CodeInfo> code(TypeRef arguments, std::span<const TypeRef> static_params) {
    Shared &shared = *source_.shared;
    KILN_CHECK(add_macro_library(shared));
    GensymScope names(shared);
    if (!body_) {
      MethodSource generator = source_;
      find_assigned(generator);
      KILN_TRY(body_, analyse(std::move(generator)));
      define_closures(body_);
      KILN_TRY(body_code_, lower_function(*body_, *body_->root));
    }
    std::span<const TypeRef> types = arguments->as<DataType>()->params();
    std::vector<Value> slots;
    size_t fixed = (body_code_.is_vararg ? body_code_.nargs - 1 : body_code_.nargs) - assigned_.size();
    for (TypeRef type : types.first(std::min(fixed, types.size()))) {
      slots.push_back(Value::type_value(shared.types, type));
      if (slots.size() > 1) continue;
      // Static parameters that the body assigns; they follow parameter 0, the function itself.
      for (size_t i : assigned_) {
        const auto *constant = static_params[i]->as<ConstType>();
        slots.push_back(constant ? constant->value()
                        : static_params[i]->is<TypeVar>()
                            ? Value()
                            : Value::type_value(shared.types, static_params[i]));
      }
    }
    if (body_code_.is_vararg) {
      std::vector<Value> rest;
      std::vector<TypeRef> kinds;
      for (TypeRef type : types.subspan(fixed)) {
        rest.push_back(Value::type_value(shared.types, type));
        kinds.push_back(rest.back().type());
      }
      TypeRef tuple = shared.types.tuple(std::span<const TypeRef>(kinds));
      slots.push_back(rest.empty() ? shared.types.singleton_value(tuple)
                                   : Value::structure(tuple, std::move(rest)));
    }
    KILN_TRY(Value made, shared.interpreter.run_on(body_code_, std::move(slots), static_params));
    MethodSource source = source_;
    source.unit = std::make_shared<Unit>();
    source.unit->file = source_.unit ? source_.unit->file : nullptr;
    source.evaluated = arguments;
    KILN_TRY(source.body, value_to_syntax(shared, source.unit->arena, made, source_.body->at));
    KILN_TRY(std::shared_ptr<Body> expanded, analyse(std::move(source)));
    if (!expanded->scopes->functions().empty())
      return shared.error(
          ErrorCode::Unsupported,
          fmt::format(
              "the code that the @generated function `{}` makes holds a function, a generator or a comprehension",
              source_.name.text()),
          source_.signature.at, "define it outside, as Julia asks for");
    KILN_TRY(CodeInfo code, lower_function(*expanded, *expanded->root));
    add_hints(made, code.hints);
    return code;
  }

private:
  static bool assigns(const Syntax &node, Symbol name) {
    if (node.is(Head::Assign) && node.args[0]->is(Head::Identifier) && node.args[0]->name == name)
      return true;
    return std::ranges::any_of(node.args, [&](const Syntax *child) { return assigns(*child, name); });
  }
  /// Finds the static parameters that the generator assigns, and makes them arguments. Julia passes all
  /// static parameters to a generator as arguments, so that its body may assign them.
  void find_assigned(MethodSource &generator) {
    auto &wheres = source_.signature.wheres;
    std::vector<Parameter> hidden;
    for (size_t i = 0; i < wheres.size(); ++i) {
      const Syntax *name = wheres[i];
      while (!name->is(Head::Identifier) && !name->args.empty()) name = name->args[0];
      if (!name->is(Head::Identifier) || !assigns(*source_.body, name->name)) continue;
      Parameter parameter;
      parameter.name = name->name;
      parameter.at = name->at;
      hidden.push_back(parameter);
      assigned_.push_back(i);
    }
    auto &positional = generator.signature.positional;
    positional.insert(positional.begin(), hidden.begin(), hidden.end());
  }
  /// Sets the hints that the generated code begins with: Expr(:meta, :inline), or the macros for these.
  static void add_hints(const Value &made, MethodHints &hints) {
    const ExprObject *block = made.as_expr();
    if (!block || block->head.text() != "block") return;
    for (const Value &statement : block->args) {
      const ExprObject *mark = statement.as_expr();
      if (!mark || mark->args.empty()) continue;
      const Symbol what = mark->args[0].as_symbol();
      const std::string_view text = what ? what.text() : std::string_view();
      if (mark->head.text() == "block") add_hints(statement, hints);
      if (mark->head.text() == "meta" ? text == "noinline" : text == "@_noinline_meta") hints.noinline = true;
      const bool inbounds =
          text == (mark->head.text() == "meta" ? "propagate_inbounds" : "@_propagate_inbounds_meta");
      if (inbounds || text == (mark->head.text() == "meta" ? "inline" : "@_inline_meta"))
        hints.inline_ = true;
      hints.propagate_inbounds |= inbounds;
    }
  }

  std::vector<size_t> assigned_; ///< indices of static parameters
  MethodSource source_;
  std::shared_ptr<Body> body_;
  CodeInfo body_code_;
};

} // namespace

GenerateFunction generator_of(MethodSource source) {
  auto generator = std::make_shared<Generator>(std::move(source));
  return [generator](TypeRef arguments, std::span<const TypeRef> static_params) {
    return generator->code(arguments, static_params);
  };
}

} // namespace kiln::julia
