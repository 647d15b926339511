// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Host functions for reflection: list of methods, existence of a method for argument types, deep copies of
// values.
#include "library.h"

#include <algorithm>
#include <unordered_map>

namespace kiln {

namespace {

/// Prints a method's signature, such as f(x::Int64, rest::String...) where T.
std::string signature_text(TypeContext &types, const Method &method, std::string_view name) {
  TypeRef signature = method.signature;
  std::string where;
  while (const auto *all = signature->as<UnionAllType>()) {
    const TypeRef upper = all->var()->upper();
    where += (where.empty() ? "" : ", ") + to_string(all->var());
    if (upper && upper != types.builtins().Any) where += "<:" + type_text(types, upper);
    signature = all->body();
  }
  std::string text;
  const auto params = signature->as<DataType>()->params();
  for (size_t i = 1; i < params.size(); ++i) {
    TypeRef type = params[i];
    const auto *rest = type->as<VarargType>();
    if (rest) type = rest->element();
    text += i > 1 ? ", " : "";
    if (i - 1 < method.argument_names.size() && !method.argument_names[i - 1].text().starts_with('#'))
      text += method.argument_names[i - 1].text();
    if (type != types.builtins().Any) text += "::" + type_text(types, type);
    if (rest) text += "...";
  }
  const bool is_one = where.find_first_of(",<") == where.npos;
  return fmt::format("{}({}){}", name, text,
                     where.empty() ? ""
                     : is_one      ? " where " + where
                                   : " where {" + where + "}");
}

/// The copies that a deepcopy has made, by the original's address. They preserve sharing and end cycles.
struct Copies {
  std::unordered_map<const void *, Value> of;
  size_t depth = 0;
};

Result<Value> deep_copy(Library &l, Copies &copies, const Value &x) {
  struct Deeper {
    Copies &copies;
    explicit Deeper(Copies &c) : copies(c) { ++copies.depth; }
    ~Deeper() {
      if (--copies.depth == 0) copies.of.clear();
    }
  } deeper(copies);
  auto copy_all = [&](std::vector<Value> &values) -> Result<void> {
    for (Value &value : values)
      if (value && !value.is_primitive()) {
        KILN_TRY(value, l.program.call("deepcopy", std::span(&value, 1)));
      }
    return {};
  };
  const HostArray *array = x.as_array();
  const MutableObject *object = x.as_mutable();
  if (array || object) {
    const void *at = array ? static_cast<const void *>(array) : object;
    if (auto known = copies.of.find(at); known != copies.of.end()) return known->second;
    if (array) {
      KILN_TRY(Value made, copy_array(l.interpreter, x));
      copies.of[at] = made;
      KILN_CHECK(copy_all(made.as_array()->values));
      return made;
    }
    Value made = Value::mutable_structure(x.type(), object->fields);
    copies.of[at] = made;
    KILN_CHECK(copy_all(made.as_mutable()->fields));
    return made;
  }
  if (const ExprObject *expr = x.as_expr()) {
    if (auto known = copies.of.find(expr); known != copies.of.end()) return known->second;
    auto made = std::make_shared<ExprObject>(*expr);
    copies.of[expr] = Value::expr(l.types, made);
    KILN_CHECK(copy_all(made->args));
    return Value::expr(l.types, std::move(made));
  }
  const std::vector<Value> *fields = x.as_type() || x.is_primitive() ? nullptr : x.fields();
  if (!fields || fields->empty() || l.types.is_isbits(x.type())) return x;
  std::vector<Value> copied = *fields;
  KILN_CHECK(copy_all(copied));
  return Value::structure(x.type(), std::move(copied));
}

/// Code of a call as the CPU runs it, as `kiln compile --emit FORM` prints it. Errors: Session::job's.
Result<Value> code_text(Library &l, Args a) {
  struct Form {
    std::string_view name;
    ArtifactKind kind;
  };
  static constexpr Form forms[] = {{"lowered", ArtifactKind::Lowered},
                                   {"typed", ArtifactKind::Typed},
                                   {"warntype", ArtifactKind::Typed},
                                   {"llvm", ArtifactKind::LlvmOpt},
                                   {"native", ArtifactKind::Assembly}};
  const std::string *form = a[0].as_string();
  const std::vector<Value> *arguments = a[2].fields();
  if (!form) return Value();
  const Form *found = std::ranges::find(forms, std::string_view(*form), &Form::name);
  if (found == std::end(forms)) return Value();
  std::vector<TypeRef> types;
  if (arguments)
    for (const Value &argument : *arguments) types.push_back(l.types.type_of(argument));
  Session &session = l.program.session;
  KILN_TRY(CompilerConfig config, session.config_for(session.cpu()));
  config.kernel = false;
  JobService &jobs = jobs_of(session);
  auto use = jobs.use();
  KILN_TRY(const CompilerJob job, jobs.job(a[1], types, config));
  if (*form == "warntype") {
    KILN_TRY(const CodeInstance *code, jobs.typed(job));
    return l.text(to_string(l.types, *code, &l.world.sources(), true));
  }
  KILN_TRY(const auto artifact, jobs.compile(job, found->kind));
  return l.text(artifact->bytes);
}

} // namespace

/// Text of the signature, module, file, line and signature of a method.
static Value method_row(Library &l, const Method &method, std::string_view name) {
  TypeContext &types = l.types;
  const Location at = l.world.sources().locate(method.at);
  const Value signature = Value::type_value(types, method.signature);
  TypeRef parts[] = {types.builtins().String, types.builtins().String, types.builtins().String,
                     types.builtins().Int64, signature.type()};
  return Value::structure(types.tuple(parts),
                          {l.text(signature_text(types, method, name)),
                           l.text(method.module ? std::string(method.module->full_name()) : ""),
                           l.text(at ? std::string(at.file_name()) : ""),
                           types.int64(at ? int64_t(at.line()) : 0), signature});
}

/// Finds the method that a call of f with arguments of the given types runs.
static Result<const Method *> method_for(Library &l, const Value &f, const DataType &given) {
  std::vector<TypeRef> all{l.types.type_of(f)};
  all.insert(all.end(), given.params().begin(), given.params().end());
  KILN_TRY(MethodMatch match,
           l.world.lookup_method(l.types.tuple(all), l.world.age(), l.world.host_overlay()));
  return match.method;
}

/// Makes a type such as T{A, <:B, >:C}. `kinds` has '=', '<' or '>' for each parameter.
static Result<Value> bounded_type(TypeContext &types, TypeRef base, std::string_view kinds, Args params) {
  std::vector<TypeRef> applied;
  std::vector<const TypeVar *> vars;
  for (size_t i = 0; i < params.size(); ++i) {
    TypeRef param = params[i].as_type();
    if (kinds[i] != '=') {
      if (!param)
        return make_error(ErrorCode::TypeError,
                          fmt::format("{} is not a type, so it is no bound", spell(params[i])));
      vars.push_back(types.new_var(types.symbol(fmt::format("#s{}", vars.size() + 1)),
                                   kinds[i] == '>' ? param : nullptr, kinds[i] == '<' ? param : nullptr));
      param = vars.back();
    }
    applied.push_back(param ? param : types.constant(params[i]));
  }
  KILN_TRY(TypeRef made, types.apply(base, applied));
  for (size_t i = vars.size(); i-- > 0;) made = types.union_all(vars[i], made);
  return Value::type_value(types, made);
}

void add_reflection(Library &l) {
  TypeContext &types = l.types;
  l.add_any("__bounded_type", [&](Interpreter &, Args a) -> Result<Value> {
    if (a.size() < 3 || !a[0].as_type() || a[1].as_symbol().text().size() != a.size() - 2) return Value();
    return bounded_type(types, a[0].as_type(), a[1].as_symbol().text(), a.subspan(2));
  });
  // __methods(f, name): a row for each method, in order of definition
  l.add("__methods", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *name = a[1].as_string();
    if (!name) return Value();
    std::vector<const Method *> methods = l.world.methods_of(types.type_of(a[0]), Symbol(), l.world.age());
    std::ranges::stable_sort(methods, {}, [](const Method *m) { return m->begin; });
    std::vector<Value> all;
    for (const Method *method : methods) all.push_back(method_row(l, *method, *name));
    return make_array_from(l.interpreter, all, types.builtins().Any);
  });
  l.add("__code_text", 3, [&](Interpreter &, Args a) -> Result<Value> { return code_text(l, a); });
  // __find_name(text): (value, module that was searched) of "CUDA.zeros" as Main sees it, or nothing. A name
  // that Main does not see is searched in Base and CUDA.
  l.add("__find_name", 1, [&](Interpreter &, Args a) -> Result<Value> {
    const std::string *text = a[0].as_string();
    if (!text) return Value();
    const size_t dot = text->rfind('.', text->size() - 2); // an operator may end with a dot
    const bool is_path = dot != text->npos && dot > 0;
    const std::string path = is_path ? text->substr(0, dot + 1) : std::string();
    const Symbol name = types.symbol(text->substr(path.size()));
    std::vector<const Module *> searched{module_at(l.world, path)};
    if (!is_path)
      searched.insert(searched.end(), {l.world.base(), l.world.find_root_module(types.symbol("CUDA"))});
    for (const Module *module : searched) {
      if (!module) continue;
      KILN_TRY(auto found, l.world.lookup(*module, name, l.world.age()));
      if (!found || !*found) continue;
      TypeRef parts[] = {types.type_of(*found), types.builtins().String};
      return Value::structure(types.tuple(parts), {*found, l.text(std::string(module->full_name()))});
    }
    return l.nothing();
  });
  auto copies = std::make_shared<Copies>();
  l.add("__deep_copy", 1,
        [&l, copies](Interpreter &, Args a) -> Result<Value> { return deep_copy(l, *copies, a[0]); });
  auto unwrapped = [](const Value &type) {
    TypeRef of = type.as_type();
    while (const auto *all = of ? of->as<UnionAllType>() : nullptr) of = all->body();
    return of ? of->as<DataType>() : nullptr;
  };
  l.add("isprimitivetype", 1, [&types, unwrapped](Interpreter &, Args a) -> Result<Value> {
    const DataType *data = unwrapped(a[0]);
    return types.boolean(data && data->is_primitive());
  });
  l.add("isstructtype", 1, [&types, unwrapped](Interpreter &, Args a) -> Result<Value> {
    const DataType *data = unwrapped(a[0]);
    return types.boolean(data && !data->is_abstract() && !data->is_primitive());
  });
  // Finds an extension under the name that the frontend bound in the module of the extended package.
  l.add("get_extension", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const Module *parent = a[0].as_module();
    const Symbol name = a[1].as_symbol();
    if (!parent || !name) return Value();
    const Symbol bound = types.symbol("#extension " + std::string(name.text()));
    if (!l.world.is_defined(*parent, bound)) return l.nothing();
    KILN_TRY(auto found, l.world.lookup(*parent, bound, l.world.age()));
    return found ? *found : l.nothing();
  });
  // __module_of(x): module of a type, function or module
  l.add("__module_of", 1, [&, unwrapped](Interpreter &, Args a) -> Result<Value> {
    const Module *found = a[0].as_module();
    if (found) {
      found = found->parent() ? found->parent() : found;
    } else if (const DataType *data = unwrapped(a[0])) {
      found = module_at(l.world, data->name().module + ".");
    } else {
      for (const Method *method : l.world.methods_of(types.type_of(a[0]), Symbol(), l.world.age()))
        if (!found) found = method->module;
    }
    return Value::module(types, found ? found : l.world.main());
  });
  // __module_names(module, all): the module's own names, or those that it exports
  l.add("__module_names", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const Module *module = a[0].as_module();
    if (!module) return Value();
    std::vector<Value> found;
    for (const Symbol name : a[1].low_bits() & 1 ? l.world.names(*module) : l.world.exported_names(*module))
      if (!name.text().starts_with("#")) found.push_back(Value::symbol(types, name));
    return make_array_from(l.interpreter, found, types.builtins().Symbol);
  });
  // __union_all(variable, body)
  l.add("__union_all", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const TypeVar *var = a[0].as_type() ? a[0].as_type()->as<TypeVar>() : nullptr;
    return var && a[1].as_type() ? Value::type_value(types, types.union_all(var, a[1].as_type())) : Value();
  });
  // __has_method(f, Tuple{...})
  l.add("__has_method", 2, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *given = a[1].as_type() ? a[1].as_type()->as<DataType>() : nullptr;
    if (!given || !given->is_tuple()) return Value();
    KILN_TRY(const Method *method, method_for(l, a[0], *given));
    return types.boolean(method != nullptr);
  });
  // __which(f, Tuple{...}, name): the method's row, or nothing
  l.add("__which", 3, [&](Interpreter &, Args a) -> Result<Value> {
    const DataType *given = a[1].as_type() ? a[1].as_type()->as<DataType>() : nullptr;
    const std::string *name = a[2].as_string();
    if (!given || !given->is_tuple() || !name) return Value();
    KILN_TRY(const Method *method, method_for(l, a[0], *given));
    return method ? method_row(l, *method, *name) : l.nothing();
  });
}

} // namespace kiln
