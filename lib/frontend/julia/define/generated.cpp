// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// @generated methods: the body runs on the arguments' types, and what it returns is the code for them.
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
      KILN_TRY(body_, analyse(source_));
      define_closures(body_);
      KILN_TRY(body_code_, lower_function(*body_, *body_->root));
    }
    std::span<const TypeRef> types = arguments->as<DataType>()->params();
    std::vector<Value> slots;
    size_t fixed = body_code_.is_vararg ? body_code_.nargs - 1 : body_code_.nargs;
    for (TypeRef type : types.first(std::min(fixed, types.size())))
      slots.push_back(Value::type_value(shared.types, type));
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
          "unsupported feature",
          fmt::format(
              "the code that the @generated function `{}` makes holds a function, a generator or a comprehension",
              source_.name.text()),
          source_.signature.at, "define it outside, as Julia asks for");
    return lower_function(*expanded, *expanded->root);
  }

private:
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
