// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "language_program.h"

#include <kiln/extension/language/internal/code_print.h>
#include <kiln/extension/language/internal/world.h>

#include <cstdlib>

namespace kiln::fuzz {

namespace {

constexpr const char *program =
    "k(x) = x + 1\nfill(y, x) = (y[1] = x; return)\nstruct Both; a::Int8; b::Float64; end\n";

} // namespace

LanguageProgram::LanguageProgram(Decisions decisions, std::function<void(const std::string &)> fault)
    : d_(decisions), fault_(std::move(fault)) {
  types_.push_back(nullptr);
  values_.emplace_back();
  names_.emplace_back();
  for (Pool *pool : {&own_, &other_}) {
    SessionOptions options;
    options.cache_dir = "";
    options.verbosity = LogLevel::Error;
    options.use_environment = false;
    pool->session = std::move(*Session::open(options));
    judge("load", pool->session->load("a.jl", program));
    judge("define", pool->session->define([&](World &world) -> Result<void> {
      pool->world = &world;
      return {};
    }));
    fill(*pool);
  }
}

void LanguageProgram::fill(const Pool &pool) {
  TypeContext &types = pool.world->types();
  const TypeContext::Builtins &b = types.builtins();
  const TypeVar *var = types.new_var(types.symbol("T"), nullptr, nullptr);
  const TypeRef vector[] = {b.Float32, types.constant(int64_t(1)), types.constant(int64_t(1))};
  for (TypeRef type :
       {b.Int64, b.Float32, b.Any, b.Tuple, b.Type, b.NTuple, types.bottom(), TypeRef(var),
        types.vararg(b.Int64), types.vararg(var, types.constant(int64_t(2))), types.tuple({}),
        types.tuple({b.Int64, b.Float32}), types.type_of_type(b.Int64), types.constant(int64_t(-1)),
        types.union_of({b.Nothing, b.Int64}), types.union_all(var, types.tuple({var}))})
    types_.push_back(type);
  for (const char *text : {"k", "1", "2f0", "nothing", ":a", "\"text\"", "Int64", "Both(1, 2.0)", "(1, 2f0)",
                           "zeros(3)", "Main", "x -> x", "CUDA.CuDeviceArray", "[1, \"a\"]"}) {
    auto made = evaluate(*pool.session, "value", text);
    if (judge("evaluate", made)) values_.push_back(*made);
    types_.push_back(types.type_of(values_.back()));
  }
  if (auto wrapper = find_value(*pool.world, "CUDA.CuDeviceArray"); wrapper.ok())
    if (auto made = types.apply(wrapper->as_type(), vector); made.ok()) types_.push_back(*made);
  values_.push_back(Value::expr(types, std::make_shared<ExprObject>()));
  for (const char *text : {"", "k", "x", "Int64", "Base", "+"}) names_.push_back(types.symbol(text));
}

std::vector<TypeRef> LanguageProgram::types() {
  std::vector<TypeRef> all(nulls_ ? 2 : d_.below(4));
  for (TypeRef &each : all) each = type();
  return all;
}

std::vector<Value> LanguageProgram::values() {
  std::vector<Value> all(nulls_ ? 2 : d_.below(4));
  for (Value &each : all) each = value();
  return all;
}

void LanguageProgram::make_types() {
  TypeContext &t = own_.world->types();
  const auto list = types();
  if (takes(0, 11))
    if (auto made = t.apply(type(), list); judge("apply", made)) keep(*made);
  if (takes(1, 11)) keep(t.tuple(list));
  if (takes(2, 11)) keep(t.union_of(list));
  if (takes(3, 11)) keep(t.union_all(var(), type()));
  if (takes(4, 11)) keep(t.vararg(type(), nulls_ || d_.below(2) ? nullptr : type()));
  if (takes(5, 11)) keep(t.constant(value()));
  if (takes(6, 11)) keep(t.type_of_type(type()));
  if (takes(7, 11)) keep(t.new_var(name(), type(), type()));
  if (takes(8, 11)) {
    const std::vector<Symbol> field_names(list.size(), name());
    keep(t.named_tuple(field_names, list));
  }
  if (takes(9, 11)) {
    TypeName *made = t.new_type_name(name(), "Main");
    made->params = {var()};
    keep(t.finish_type_name(*made));
    made->params.clear();
    keep(t.finish_type_name(*made));
    keep(t.new_function_type(name(), ""));
    (void)t.find_type_name("Main", name());
  }
  if (takes(10, 11)) {
    const TypeVar *vars[] = {var()};
    keep(t.substitute(type(), vars, list));
    keep(t.substitute(type(), vars, {}));
  }
}

void LanguageProgram::ask_types() {
  TypeContext &t = own_.world->types();
  const TypeRef a = type(), b = type();
  const DataType *data = data_type();
  (void)t.super(data), (void)t.field_types(data).size(), (void)t.field_names(data).size();
  (void)t.field_index(data, name()), (void)t.field_count(data);
  (void)t.is_concrete(a), (void)t.is_dispatch_element(a), (void)t.is_dispatch_tuple(a),
      (void)t.is_singleton(a);
  (void)t.is_isbits(a), (void)t.is_integer(a), (void)t.is_signed(a), (void)t.is_float(a), (void)t.owns(a);
  (void)to_string(t.singleton_value(a)), (void)t.type_of(value()), (void)t.type_parameter(a);
  std::vector<const TypeVar *> vars;
  TypeRef body = nullptr;
  (void)t.unwrap_all(a, vars, body);
  (void)t.cached_layout(data, nullptr);
  Fingerprinter digest;
  t.digest(digest, a), t.digest(digest, value());
  (void)is_subtype(t, a, b), (void)equal_types(t, a, b), (void)may_intersect(t, a, b);
  (void)match_signature(t, a, b), (void)is_more_specific(t, a, b);
  keep(intersect(t, a, b));
  (void)layout_of(t, a), (void)vector_element(t, data), (void)non_isbits_fields(t, a);
  (void)to_string(a), (void)to_short_string(a), (void)call_to_string(types()), (void)signature_to_string(a);
}

void LanguageProgram::make_values() {
  TypeContext &t = own_.world->types();
  const TypeRef of = type();
  // A payload that fits its type is the caller's to see to: what does not is printed and compared only.
  for (const Value &made :
       {Value::primitive(of, {1, 2}), Value::singleton(of), Value::structure(of, values()),
        Value::mutable_structure(of, values()), Value::type_value(t, of), Value::symbol(t, name()),
        Value::string(t, "text"), Value::module(t, nullptr), Value::array(of, nullptr),
        Value::expr(t, nullptr), Value::object(of, nullptr)}) {
    (void)made.type(), (void)bool(made), (void)made.hash(), (void)(made == value()), (void)made.bits();
    (void)made.low_bits(), (void)made.as_type(), (void)made.as_symbol().str(), (void)made.as_string();
    (void)made.as_module(), (void)made.fields(), (void)made.as_array(), (void)made.as_mutable(),
        (void)made.as_expr();
    (void)made.as_object(), (void)made.shared_array(), (void)made.shared_object();
  }
  (void)to_string(Value::type_value(t, of)), (void)to_string(Value::symbol(t, name()));
}

void LanguageProgram::use_values() {
  TypeContext &t = own_.world->types();
  const Value v = value();
  (void)to_string(v), (void)v.hash(), (void)egal(v, value());
  const bool has_bytes = !v || v.as_type() || layout_of(t, v.type());
  if (has_bytes) judge("to_bytes", to_bytes(t, v));
  const std::byte bytes[256] = {};
  const TypeRef of = type();
  const Layout *layout = layout_of(t, of);
  if (!of || (layout && layout->size <= sizeof bytes)) judge("from_bytes", from_bytes(t, of, bytes));
  if (!of || layout) judge("from_bytes of null", from_bytes(t, of, nullptr));
  judge("val", val(*own_.world, v));
  judge("array_type", array_type(*own_.world, of, nulls_ ? -1 : int64_t(d_.below(5)) - 1, d_.below(2) != 0));
  judge("argument_type", argument_type(*own_.world, *own_.world->main(), nulls_ ? "" : name().text()));
  judge("find_value", find_value(*own_.world, nulls_ ? "" : name().text()));
}

void LanguageProgram::define_things() {
  judge("define", own_.session->define([&](World &w) -> Result<void> {
    Module &m = *w.main();
    const Symbol of = name();
    auto nothing = [](BodyBuilder &body) -> Result<Operand> { return body.nothing(); };
    const BuildBody body = nulls_ || d_.below(3) == 0 ? BuildBody() : BuildBody(nothing);
    MethodDefinition method{
        .module = nulls_ || d_.below(4) == 0 ? nullptr : &m, .name = of, .callee = type(), .body = body};
    for (TypeRef each : types()) method.parameters.push_back({name(), each});
    if (nulls_ || d_.below(3) == 0) method.where = {var()};
    if (takes(0, 12)) judge("define_method", define_method(w, method));
    if (takes(1, 12) && of.text() != "k") judge("define_function", define_function(w, method));
    const Symbol captures[] = {name(), name()};
    if (takes(2, 12)) judge("define_closure", define_closure(w, captures, method));
    TypeDefinition made{.module = method.module, .name = of, .super = type()};
    for (TypeRef each : types()) made.fields.push_back({name(), each});
    if (nulls_ || d_.below(3) == 0) made.params = {var()};
    if (takes(3, 12)) judge("define_type", define_type(w, made));
    TypeName unfinished;
    if (takes(4, 12)) judge("bind_type", bind_type(w, m, unfinished, {}));
    if (takes(5, 12)) judge("set_constant", w.set_constant(m, of, value(), {}));
    if (takes(6, 12)) judge("set_variable", w.set_variable(m, of, value(), {}));
    if (takes(7, 12)) judge("set_deferred", w.set_deferred(m, of, false, nullptr));
    if (takes(8, 12)) judge("import_name", w.import_name(m, *w.base(), of, name()));
    if (takes(9, 12)) judge("function", w.function(m, of, {}));
    if (takes(10, 12)) judge("World::define", compiler_world(w).define(nullptr));
    if (takes(11, 12)) {
      auto bare = std::make_unique<Method>();
      bare->name = of;
      bare->signature = type();
      judge("World::define", compiler_world(w).define(std::move(bare)));
      w.export_name(m, of), w.use_module(m, m);
      (void)w.module(of, nullptr);
      compiler_world(w).postpone(nullptr, nullptr);
    }
    return {};
  }));
}

void LanguageProgram::look_up() {
  CompilerWorld &w = compiler_world(*own_.world);
  const Module &m = *w.main();
  const Symbol of = name();
  const TypeRef a = type();
  judge("lookup", w.lookup(m, of, w.age()));
  (void)w.is_defined(m, of), (void)w.has_own(m, of), (void)w.meaning(m, of, w.age()).name.str();
  (void)w.find_module(of.text()), (void)w.find_root_module(of), (void)w.similar_names(m, of),
      (void)w.undefined_hint(m, of);
  (void)w.missing_of("Main", of);
  judge("lookup_method", w.lookup_method(a, w.age(), of));
  (void)w.has_methods(a), (void)w.methods_of(a, of, w.age()), (void)w.has_dependents(a), (void)w.intrinsic(a);
  (void)w.may_choose_added(nulls_ ? a : w.types().tuple({a}), of);
  (void)w.intrinsic_value(Intrinsic(255));
}

Operand LanguageProgram::operand() {
  return Operand{Operand::Kind(d_.below(6)), uint32_t(nulls_ ? 99 : d_.below(3))};
}

void LanguageProgram::build_code() {
  TypeContext &t = own_.world->types();
  CodeBuilder b(t, name(), {});
  b.add_argument(t.symbol("#self#"));
  if (takes(0, 4)) b.constant(value());
  if (takes(1, 4)) b.global(nulls_ || d_.below(2) ? nullptr : own_.world->main(), name());
  if (takes(2, 4)) {
    const Operand made = b.call(operand(), {operand(), operand()});
    b.declare(made, type()), b.declare_method(made, type()), b.declare_result(type());
  }
  if (takes(3, 4))
    b.new_struct(operand(), {operand()}), b.set_slot(nulls_ ? 99 : uint32_t(d_.below(3)), operand());
  b.return_(operand());
  if (auto code = b.finish(); judge("finish", code)) (void)to_string(*code), (void)code->digest(t);
  BodyBuilder body(*own_.world, name(), {});
  body.type(type()), body.field(operand(), name());
}

void LanguageProgram::call_things() {
  Session &s = *own_.session;
  const CompilerConfig plain{.kernel = false, .opt_level = 0};
  const Value function = value();
  const auto list = types();
  const auto arguments = values();
  if (takes(0, 6))
    if (auto made = s.job(function, list, plain); judge("Session::job", made))
      judge("Job::compile", made->compile(ArtifactKind::Typed));
  if (takes(1, 6)) {
    judge("job of no call", job(s, ResolvedCall{}, plain));
    judge("job", job(s, call_of(*own_.world, function, list), plain));
  }
  if (takes(2, 6)) judge("call_of", call_of(s, function, arguments));
  if (takes(3, 6))
    judge("launch", launch(s, nulls_ || d_.below(4) == 0 ? Device() : s.cpu(), function, {}, {}));
  if (takes(4, 6)) {
    judge("resolve_call", resolve_call(s, nulls_ ? "" : name().text()));
    judge("evaluate", evaluate(s, "", nulls_ ? "" : name().text()));
  }
  if (takes(5, 6))
    judge("define", s.define([&](World &w) -> Result<void> {
      Interpreter interpreter(w);
      judge("Interpreter::call", interpreter.call(function, arguments));
      judge("Interpreter::convert", interpreter.convert(type(), value()));
      (void)interpreter.raise(value());
      (void)interpreter.exception_of(Error(std::vector<Diagnostic>()));
      (void)interpreter.make_exception(name().text(), {{"msg", value()}});
      judge("add_host_function", interpreter.add_host_function(*w.main(), "mine", nullptr));
      judge("run_body", run_body(interpreter, *w.main(), name(), {}, nullptr));
      (void)interpreter.has_host_function(type());
      return {};
    }));
}

void LanguageProgram::step(size_t family) {
  using Family = void (LanguageProgram::*)();
  static constexpr Family all[families] = {&LanguageProgram::make_types,    &LanguageProgram::ask_types,
                                           &LanguageProgram::make_values,   &LanguageProgram::use_values,
                                           &LanguageProgram::look_up,       &LanguageProgram::build_code,
                                           &LanguageProgram::define_things, &LanguageProgram::call_things};
  (this->*all[family])();
}

void LanguageProgram::run(size_t max_steps) {
  for (size_t i = 0; i < max_steps && !d_.done(); i++) {
    const size_t family = d_.below(families);
    chosen_ = d_.byte();
    step(family);
    constexpr size_t most_types = 200;
    if (types_.size() > most_types) types_.erase(types_.begin() + 60, types_.begin() + 120);
  }
}

void LanguageProgram::run_on_nulls() {
  nulls_ = all_ = true;
  for (size_t family = 0; family < families; family++) step(family);
  nulls_ = all_ = false;
}

} // namespace kiln::fuzz
