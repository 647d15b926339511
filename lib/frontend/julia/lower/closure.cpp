// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts closures. A nested function becomes an immutable struct of the variables that it captures.
// Where-variables of the enclosing method that it uses become parameters of its type, carried by fields of
// type Static{T}.
#include "lowerer.h"

namespace kiln::julia {

TypeRef close_signature(TypeContext &types, TypeRef tuple,
                        std::vector<std::pair<Symbol, const TypeVar *>> &vars) {
  std::vector<std::pair<Symbol, const TypeVar *>> kept;
  TypeRef type = tuple;
  for (size_t i = vars.size(); i-- > 0;) {
    TypeRef wrapped = types.union_all(vars[i].second, type);
    if (wrapped != type) kept.insert(kept.begin(), vars[i]);
    type = wrapped;
  }
  // Interning the type may rename its variables: return those of the interned type.
  std::vector<const TypeVar *> actual;
  TypeRef body = nullptr;
  types.unwrap_all(type, actual, body);
  assert(actual.size() == kept.size() && "a signature has the variables it was closed with");
  for (size_t i = 0; i < kept.size() && i < actual.size(); ++i) kept[i].second = actual[i];
  vars = std::move(kept);
  return type;
}

bool may_hold_closures(const Syntax &node) {
  switch (node.head) {
  case Head::Arrow:
  case Head::Function:
  case Head::Do:
  case Head::Generator:
  case Head::Comprehension:
  case Head::TypedComprehension: return true;
  case Head::Assign:
    if (is_function_definition(node)) return true;
    break;
  case Head::MacroCall: {
    // A macro of the user may expand to a function. The macros listed here do not.
    static constexpr std::string_view Plain[] = {
        "@inbounds",  "@inline", "@noinline",     "@boundscheck",       "@assert",
        "@simd",      "@unroll", "@fastmath",     "@cuassert",          "@view",
        "@isdefined", "@static", "@nospecialize", "@cuStaticSharedMem", "@cuDynamicSharedMem",
        "@atomic"};
    if (std::find(std::begin(Plain), std::end(Plain), macro_name(node).text()) == std::end(Plain))
      return true;
    break;
  }
  case Head::Quote: return false;
  default: break;
  }
  for (const Syntax *child : node.args)
    if (may_hold_closures(*child)) return true;
  return false;
}

namespace {

class ClosureDefiner {
public:
  explicit ClosureDefiner(const std::shared_ptr<Body> &body)
      : body_(body), shared_(*body->source.shared), types_(shared_.types) {}

  void run() {
    Fingerprinter print;
    print.add(body_->source.evaluated ? to_string(body_->source.evaluated) : std::string());
    print.add(to_sexpr(*body_->source.body));
    // A digest of the definition. It tells definitions of one function apart, and is the same in every
    // process.
    suffix_ = print.finish().hex().substr(0, 8);
    for (LocalFunction *function : body_->scopes->functions()) make_type(*function);
    for (LocalFunction *function : body_->scopes->functions())
      for (FunctionScope *method : function->methods)
        if (function->error.empty())
          if (auto defined = define(*function, *method); !defined.ok())
            function->error = defined.error().diagnostics().front().message;
  }

private:
  void make_type(LocalFunction &function) {
    std::string_view own = function.variable ? function.variable->name.text() : std::string_view();
    std::string name = fmt::format("#{}#{}{}{}#{}", body_->source.name.text(), own, own.empty() ? "" : "#",
                                   function.index, suffix_);
    TypeName *type = types_.new_type_name(types_.symbol(name), body_->source.module->full_name());
    std::map<std::string, int, std::less<>> used;
    auto field = [&](std::string_view text) {
      int count = ++used[std::string(text)];
      const TypeVar *var = types_.new_var(types_.symbol(fmt::format("C{}", type->params.size() + 1)),
                                          types_.bottom(), types_.builtins().Any);
      type->params.push_back(var);
      type->field_names.push_back(
          types_.symbol(count == 1 ? std::string(text) : fmt::format("{}#{}", text, count)));
      type->field_types.push_back(var);
    };
    for (const Variable *captured : function.captures) field(captured->name.text());
    for (const StaticParam *param : function.static_captures) field(param->name.text());
    type->super = types_.builtins().Function;
    type->fields_defined = true;
    function.wrapper = types_.finish_type_name(*type);
    type_names_[&function] = type;
  }

  Result<void> define(LocalFunction &function, FunctionScope &method) {
    TypeEvaluator evaluator(body_->source.shared, *body_->source.module);
    std::vector<std::pair<Symbol, const TypeVar *>> vars;
    std::vector<StaticParam *> params;
    // Type of the closure itself: any types for captured values, and Static{T} for where-variables.
    std::vector<TypeRef> self_params;
    std::vector<const TypeVar *> anonymous;
    const TypeName &type = *type_names_[&function];
    for (size_t i = 0; i < function.captures.size(); ++i) {
      anonymous.push_back(types_.new_var(type.params[i]->name(), types_.bottom(), types_.builtins().Any));
      self_params.push_back(anonymous.back());
    }
    for (StaticParam *param : function.static_captures) {
      if (!param->var)
        return shared_.error(
            ErrorCode::Input,
            fmt::format("type variable `{}`, which the arguments do not determine", param->name.text()), {});
      evaluator.bind(param->name, param->var);
      TypeRef parameter = param->var;
      KILN_TRY(TypeRef carried,
               evaluator.apply(shared_.static_wrapper, std::span<const TypeRef>(&parameter, 1), {}));
      self_params.push_back(carried);
      vars.emplace_back(param->name, param->var);
      params.push_back(param);
    }
    TypeRef self = types_.data(type, self_params);
    for (size_t i = anonymous.size(); i-- > 0;) self = types_.union_all(anonymous[i], self);
    size_t own = 0;
    for (const Syntax *where : method.signature.wheres) {
      KILN_TRY(const TypeVar *var, evaluator.variable(*where));
      evaluator.bind(var->name(), var);
      vars.emplace_back(var->name(), var);
      method.own_statics[own]->var = var;
      params.push_back(method.own_statics[own++]);
    }
    std::vector<TypeRef> elements{self};
    for (Parameter &parameter : method.signature.positional) {
      TypeRef element = types_.builtins().Any;
      if (parameter.type) {
        KILN_TRY(element, evaluator.type(*parameter.type));
      }
      if (element->is<VarargType>())
        parameter.vararg = true;
      else if (parameter.vararg)
        element = types_.vararg(element);
      elements.push_back(element);
    }
    std::vector<std::pair<Symbol, const TypeVar *>> kept = vars;
    TypeRef signature = close_signature(types_, types_.tuple(std::span<const TypeRef>(elements)), kept);
    // Keep the static parameters whose variables close_signature() kept. Both lists have the same order.
    for (size_t i = 0; i < vars.size(); ++i)
      if (occurs(elements, vars, i)) method.code_statics.push_back(params[i]);
    for (auto &[name, var] : kept) method.code_vars.push_back(var);
    auto defined = std::make_unique<Method>();
    defined->name =
        function.variable ? function.variable->name : types_.symbol(fmt::format("#{}", function.index));
    defined->module = body_->source.module;
    defined->signature = signature;
    for (auto &[name, var] : kept) defined->static_params.push_back(var);
    for (const Parameter &parameter : method.signature.positional)
      defined->argument_names.push_back(parameter.name ? parameter.name : types_.symbol("#unused#"));
    defined->nargs = uint32_t(elements.size());
    defined->is_vararg = !method.signature.positional.empty() && method.signature.positional.back().vararg;
    defined->at = method.definition->at;
    defined->of_fresh_type = true;
    defined->lower = [body = body_, scope = &method] { return lower_function(*body, *scope); };
    KILN_TRY(const Method *made, shared_.world.define(std::move(defined)));
    (void)made;
    const std::vector<Parameter> &positional = method.signature.positional;
    const Syntax *first = positional.empty() ? nullptr : positional[0].type;
    if (first && first->is(Head::Literal) && first->literal.as_type() == shared_.keyword_sorter)
      return define_keyword_call(function);
    return {};
  }

  /// Defines the method kwcall(keywords, f, args...) = f(sorter, keywords, args...).
  Result<void> define_keyword_call(const LocalFunction &function) {
    auto method = std::make_unique<Method>();
    method->name = types_.symbol("kwcall");
    method->module = body_->source.module;
    method->signature = types_.tuple({shared_.kwcall.type(), types_.builtins().NamedTuple, function.wrapper,
                                      types_.vararg(types_.builtins().Any)});
    method->argument_names = {types_.symbol("keywords"), types_.symbol("f"), types_.symbol("args")};
    method->of_fresh_type = true; // the type of argument 2, a new closure, owns the method
    method->hints.inline_ = true;
    method->nargs = 4;
    method->is_vararg = true;
    method->lower = [body = body_]() -> Result<CodeInfo> {
      Shared &shared = *body->source.shared;
      CodeBuilder b(shared.types, shared.symbol("kwcall"), {});
      b.add_argument(shared.symbol("#self#"));
      Operand keywords = Operand::slot(b.add_argument(shared.symbol("keywords")));
      Operand f = Operand::slot(b.add_argument(shared.symbol("f")));
      Operand args = Operand::slot(b.add_argument(shared.symbol("args")));
      b.code().is_vararg = true;
      Operand sorter = b.constant(shared.types.singleton_value(shared.keyword_sorter));
      Operand first = b.call(b.constant(shared.intrinsic(Intrinsic::tuple)), {sorter, keywords});
      Operand splat = b.constant(shared.intrinsic(Intrinsic::_apply_iterate));
      b.return_(b.call(splat, {b.global(shared.world.base(), shared.symbol("iterate")), f, first, args}));
      return b.finish();
    };
    KILN_TRY(const Method *made, shared_.world.define(std::move(method)));
    (void)made;
    return {};
  }

  /// True if close_signature() keeps variable i, that is if the signature contains it.
  bool occurs(const std::vector<TypeRef> &elements,
              const std::vector<std::pair<Symbol, const TypeVar *>> &vars, size_t i) {
    TypeRef type = types_.tuple(std::span<const TypeRef>(elements));
    for (size_t k = vars.size(); k-- > i + 1;) type = types_.union_all(vars[k].second, type);
    return types_.union_all(vars[i].second, type) != type;
  }

  std::shared_ptr<Body> body_;
  Shared &shared_;
  TypeContext &types_;
  std::string suffix_;
  std::unordered_map<const LocalFunction *, TypeName *> type_names_;
};

} // namespace

void define_closures(const std::shared_ptr<Body> &body) {
  if (!body->scopes->functions().empty()) ClosureDefiner(body).run();
}

void Lowerer::unpack_captures() {
  LocalFunction *self = function_.function;
  if (!self || !self->wrapper) return;
  std::vector<const TypeVar *> vars;
  TypeRef data = nullptr;
  shared_.types.unwrap_all(self->wrapper, vars, data);
  const DataType *type = data->as<DataType>();
  for (size_t i = 0; i < self->captures.size(); ++i) {
    Operand captured =
        b_.call(intrinsic(Intrinsic::getfield), {Operand::slot(0), symbol(type->name().field_names[i])});
    b_.set_slot(slot_of(*self->captures[i]), captured);
  }
}

Operand Lowerer::closure(const Syntax &node) {
  if (node.is(Head::Function) && node.args.size() < 2) return nothing(); // function f end
  if (node.is(Head::Function) && node.args[0]->is(Head::Identifier)) return nothing();
  LocalFunction *function = body_.scopes->function(node);
  if (!function) return missing(node, "this nested function");
  if (!function->error.empty() || !function->wrapper)
    return missing(node, fmt::format("this nested function: {}", function->error));
  if (function->variable && function->methods.front()->definition != &node)
    return read(*function->variable); // a further method of it
  std::vector<Operand> captured;
  for (const Variable *variable : function->captures) {
    const Operand slot = read(*variable);
    if (variable->owner != &function_)
      captured.push_back(slot.index == 0 ? slot : b_.cell(slot.index, flags::Outer));
    else
      captured.push_back(b_.cell(slot.index, variable->assigned_inside ? flags::AssignedInside : 0));
  }
  b_.set_span(node.at);
  for (StaticParam *param : function->static_captures) {
    uint32_t index = 0;
    while (index < function_.code_statics.size() && function_.code_statics[index] != param) ++index;
    if (index == function_.code_statics.size())
      return missing(
          node, fmt::format("type variable `{}`, which the arguments do not determine", param->name.text()));
    Operand wrapper = b_.constant(Value::type_value(shared_.types, shared_.static_wrapper));
    Operand type = b_.call(intrinsic(Intrinsic::apply_type), {wrapper, Operand::static_param(index)});
    captured.push_back(b_.new_struct(type, {}));
  }
  Operand wrapper = b_.constant(Value::type_value(shared_.types, function->wrapper));
  Operand made = b_.new_closure(wrapper, std::move(captured));
  if (function->variable) {
    if (function->variable->owner != &function_)
      return missing(node, "a nested function that is a variable of an enclosing function");
    b_.set_slot(slot_of(*function->variable), made);
  }
  return made;
}

} // namespace kiln::julia
