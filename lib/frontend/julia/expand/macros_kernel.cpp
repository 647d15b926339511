// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands @kernel of KernelAbstractions, and the macros inside of a kernel. A kernel gets the iteration space
// as a hidden argument. Its statements run only in threads with a valid index. Barriers run in every thread
// of the group.
#include "expander.h"

#include <set>

namespace kiln::julia {

static constexpr std::string_view ContextName = "__ctx__";
static constexpr std::string_view ActiveName = "__active_lane__";

Syntax *Expander::abstractions(std::string_view name, Span at) {
  Module *module = shared_->world.find_root_module(shared_->symbol("KernelAbstractions"));
  if (!module)
    return error(at,
                 fmt::format("KernelAbstractions.{} where module KernelAbstractions is not loaded", name));
  return dot(literal(Value::module(shared_->types, module), at), name, at);
}

/// Qualifies @atomic in a @kernel by KernelAbstractions, which exports Atomix's macro of that name.
static void qualify_atomics(Syntax &node, Syntax &module, SyntaxArena &arena) {
  if (node.is(Head::Quote)) return;
  if (node.is(Head::MacroCall) && node.args[0]->args.empty() && node.args[0]->name.text() == "@atomic")
    node.args[0] = arena.make(Head::MacroName, node.args[0]->at, {&module, node.args[0]});
  for (Syntax *child : node.args) qualify_atomics(*child, module, arena);
}

static bool is_macro(const Syntax &node, std::string_view name) {
  return node.is(Head::MacroCall) && macro_name(node).text() == name;
}

static bool has_barrier(const Syntax &node) {
  if (is_macro(node, "@synchronize")) return true;
  for (const Syntax *child : node.args)
    if (has_barrier(*child)) return true;
  return false;
}

/// True for a statement that allocates memory of the group, or a value per thread: @localmem, @private,
/// @uniform. Every thread runs it, even without a valid index.
static bool is_allocation(const Syntax &node) {
  const Syntax *value = &node;
  while (value->is(Head::Assign) && value->args.size() == 2) value = value->args[1];
  if (value == &node) return is_macro(node, "@uniform") || is_macro(node, "@private");
  return is_macro(*value, "@localmem") || is_macro(*value, "@uniform") || is_macro(*value, "@private");
}

/// Collects the names that a statement assigns by `=`, alone or in a tuple on the left side.
static void assigned_names(const Syntax &node, std::set<std::string_view> &into) {
  if (node.is(Head::Assign) && node.args.size() == 2) {
    const Syntax &target = *node.args[0];
    if (target.is(Head::Identifier)) into.insert(target.name.text());
    if (target.is(Head::Tuple))
      for (const Syntax *each : target.args)
        if (each->is(Head::Identifier)) into.insert(each->name.text());
  }
  for (const Syntax *child : node.args) assigned_names(*child, into);
}

static const Syntax *use_of(const std::set<std::string_view> &names, const Syntax &node) {
  if (node.is(Head::Identifier) && names.contains(node.name.text())) return &node;
  for (const Syntax *child : node.args)
    if (const Syntax *found = use_of(names, *child)) return found;
  return nullptr;
}

/// Finds a name in the size of an allocation that an earlier statement assigns; null: none. Such a size is an
/// error, since memory is allocated before the statements run.
static const Syntax *late_size(const Syntax &allocation, const std::vector<Syntax *> &before) {
  const Syntax *value = &allocation;
  while (value->is(Head::Assign) && value->args.size() == 2) value = value->args[1];
  const bool has_size =
      is_macro(*value, "@localmem") || (is_macro(*value, "@private") && value->args.size() == 3);
  if (!has_size || value->args.size() < 3) return nullptr;
  std::set<std::string_view> assigned;
  for (const Syntax *statement : before) assigned_names(*statement, assigned);
  return use_of(assigned, *value->args[2]);
}

/// Splits a body at its barriers. The statements between barriers run only if the thread's index is valid.
void Expander::split_at_barriers(const Syntax &block, std::vector<Syntax *> &out) {
  std::vector<Syntax *> allocations, guarded;
  auto flush = [&] {
    out.insert(out.end(), allocations.begin(), allocations.end());
    if (!guarded.empty()) {
      Span at = guarded.front()->at;
      Syntax *active = identifier(ActiveName, 0, at);
      out.push_back(make(Head::If, at, {active, make(Head::Block, at, std::move(guarded))}));
    }
    allocations.clear();
    guarded.clear();
  };
  for (const Syntax *statement : block.args) {
    if (!has_barrier(*statement)) {
      const bool allocates = is_allocation(*statement);
      const Syntax *name = allocates ? late_size(*statement, guarded) : nullptr;
      if (name)
        allocations.push_back(
            error(name->at,
                  fmt::format("a size that is known when the kernel runs: memory of a @kernel is allocated "
                              "before its statements run, and one of them assigns `{}`; use a constant, "
                              "@groupsize() or a static parameter",
                              name->name.text())));
      else
        (allocates ? allocations : guarded).push_back(copy_tree(arena_, *statement));
      continue;
    }
    flush();
    out.push_back(with_barriers_split(*statement));
  }
  flush();
}

Syntax *Expander::with_barriers_split(const Syntax &node) {
  if (is_macro(node, "@synchronize") || !has_barrier(node)) return copy_tree(arena_, node);
  Syntax *copy = copy_node(arena_, node);
  if (node.is(Head::Block))
    split_at_barriers(node, copy->args);
  else
    for (const Syntax *child : node.args) copy->args.push_back(with_barriers_split(*child));
  return copy;
}

/// Converts keyword parameters to arguments that pass them on: f(; a=1, b, c...) to f(; a=a, b=b, c...).
Syntax *Expander::forwarded_keywords(const Syntax &parameters) {
  std::vector<Syntax *> keywords;
  for (const Syntax *parameter : parameters.args) {
    const Syntax *name = parameter;
    if ((name->is(Head::Kw) || name->is(Head::Assign)) && !name->args.empty()) name = name->args[0];
    if (name->is(Head::TypeAssert)) name = name->args[0];
    keywords.push_back(name->is(Head::Splat)
                           ? copy_tree(arena_, *name)
                           : make(Head::Kw, name->at, {copy_tree(arena_, *name), copy_tree(arena_, *name)}));
  }
  return make(Head::Parameters, parameters.at, std::move(keywords));
}

/// Makes the functions that @kernel [option=true...] function f(args...) body end defines:
///   gpu_f(ctx, args...)            the kernel, as CUDA.jl compiles it;
///   f(args...)                     calls the kernel for all threads of the launch;
///   f(ctx::Context, args...)       calls the kernel for the iteration space of a context;
///   f(backend, sizes...)           in programs: returns an object that launches the kernel.
Syntax *Expander::kernel_definitions(const Syntax &node) {
  bool unsafe_indices = false, inbounds = false;
  if (node.args.size() < 2) return error(node.at, "@kernel without a function");
  for (size_t i = 1; i + 1 < node.args.size(); ++i) {
    const Syntax &option = *node.args[i];
    const Value *value =
        option.args.size() == 2 && option.args[1]->is(Head::Literal) ? &option.args[1]->literal : nullptr;
    std::string_view name = value && option.args[0]->is(Head::Identifier) ? option.args[0]->name.text() : "";
    bool known = name == "unsafe_indices" || name == "inbounds" || name == "cpu";
    if (!known || value->type() != shared_->types.builtins().Bool)
      return error(option.at,
                   fmt::format("@kernel takes unsafe_indices, inbounds or cpu = true or false, not `{}`",
                               brief(option)));
    bool on = value->low_bits() & 1;
    unsafe_indices = name == "unsafe_indices" ? on : unsafe_indices;
    inbounds = name == "inbounds" ? on : inbounds;
  }
  const Syntax &definition = *node.args.back();
  if (!is_function_definition(definition) || definition.args.size() < 2)
    return error(definition.at, "@kernel is for a function with a name and a body");

  Syntax *signature = copy_tree(arena_, signature_of(definition));
  Syntax *head = signature; // f(args...), below `where`
  while (!head->is(Head::Call) && !head->args.empty()) head = head->args[0];
  if (!head->is(Head::Call) || !head->args[0]->is(Head::Identifier))
    return error(definition.at, fmt::format("@kernel is for a function with a plain name, not `{}`",
                                            brief(signature_of(definition))));
  Span at = definition.at;
  const Syntax &name = *head->args[0];
  std::vector<Syntax *> constants, passed;
  for (size_t i = 1; i < head->args.size(); ++i) {
    Syntax **place = &head->args[i];
    if ((*place)->is(Head::Parameters)) { // pass keywords on: a launch gives none, so that the defaults hold
      passed.push_back(forwarded_keywords(**place));
      continue;
    }
    bool constant = is_macro(**place, "@Const") && (*place)->args.size() == 2;
    if (constant) *place = (*place)->args[1];
    if ((*place)->is(Head::Kw) || ((*place)->is(Head::Assign) && (*place)->args.size() == 2))
      place = &(*place)->args[0];
    bool splat = (*place)->is(Head::Splat);
    if (splat) place = &(*place)->args[0];
    if ((*place)->is(Head::TypeAssert)) {
      if ((*place)->args.size() == 1) // ::T
        (*place)->args.insert((*place)->args.begin(),
                              identifier(fmt::format("__argument{}__", i), 0, (*place)->at));
      place = &(*place)->args[0];
    }
    Syntax *argument = copy_tree(arena_, **place);
    if (constant)
      constants.push_back(
          make(Head::Assign, at,
               {copy_tree(arena_, *argument), call(abstractions("constify", at), {argument}, at)}));
    passed.push_back(splat ? make(Head::Splat, at, {copy_tree(arena_, *argument)})
                           : copy_tree(arena_, *argument));
  }

  // The kernel itself.
  auto context = [&] { return identifier(ContextName, 0, at); };
  Syntax *kernel_name = identifier(fmt::format("gpu_{}", name.name.text()), name.scope, name.at);
  auto with_context = [&](Syntax *callee, Syntax *first) {
    Syntax *copy = copy_tree(arena_, *signature);
    Syntax *inner = copy;
    while (!inner->is(Head::Call)) inner = inner->args[0];
    inner->args[0] = callee;
    if (first) inner->args.insert(inner->args.begin() + 1, first);
    return copy;
  };
  std::vector<Syntax *> statements;
  const Syntax &body = body_of(definition);
  Syntax *block =
      body.is(Head::Block) ? copy_tree(arena_, body) : make(Head::Block, at, {copy_tree(arena_, body)});
  if (Module *module = shared_->world.find_root_module(shared_->symbol("KernelAbstractions"));
      module && !shared_->find_macro(*module_, shared_->symbol("@atomic")))
    qualify_atomics(*block, *literal(Value::module(shared_->types, module), at), arena_);
  if (!unsafe_indices) {
    statements.push_back(
        make(Head::Assign, at,
             {identifier(ActiveName, 0, at), call(abstractions("__validindex", at), {context()}, at)}));
    split_at_barriers(*block, statements);
  } else {
    statements.push_back(block);
  }
  statements.push_back(make(Head::Return, at, {literal(shared_->types.nothing(), at)}));
  Syntax *kernel_body = make(Head::Block, at, std::move(statements));
  if (inbounds) {
    Syntax *macro = arena_.make(Head::MacroName, at);
    macro->name = shared_->symbol("@inbounds");
    kernel_body = make(Head::Block, at, {make(Head::MacroCall, at, {macro, kernel_body})});
  }
  if (!constants.empty())
    kernel_body = make(Head::Block, at,
                       {make(Head::Let, at, {make(Head::Block, at, std::move(constants)), kernel_body})});
  Syntax *kernel = make(Head::Function, at, {with_context(kernel_name, context()), kernel_body});

  // The ways to call it.
  auto forward = [&](Syntax *first_parameter, Syntax *first_argument) {
    std::vector<Syntax *> arguments{first_argument};
    for (const Syntax *argument : passed) arguments.push_back(copy_tree(arena_, *argument));
    Syntax *forwarded = call(copy_tree(arena_, *kernel_name), std::move(arguments), at);
    return make(Head::Function, at,
                {with_context(copy_tree(arena_, name), first_parameter),
                 make(Head::Block, at, {make(Head::Return, at, {forwarded})})});
  };
  Syntax *over_launch = forward(nullptr, call(abstractions("LaunchContext", at), {}, at));
  Syntax *over_context =
      forward(make(Head::TypeAssert, at, {context(), abstractions("Context", at)}), context());
  std::vector<Syntax *> all{kernel, over_launch, over_context};
  // In programs define f(backend), f(backend, workgroupsize) and f(backend, workgroupsize, ndrange).
  const Module *module = shared_->world.find_root_module(shared_->symbol("KernelAbstractions"));
  static constexpr std::string_view Sizes[] = {"__workgroupsize__", "__ndrange__"};
  for (size_t sizes = 0;
       module && shared_->world.is_defined(*module, shared_->symbol("kernel_for")) && sizes <= 2; sizes++) {
    auto backend = [&] { return identifier("__backend__", 0, at); };
    std::vector<Syntax *> parameters{make(Head::TypeAssert, at, {backend(), abstractions("Backend", at)})},
        arguments{backend(), copy_tree(arena_, *kernel_name)};
    for (std::string_view size : std::span(Sizes).first(sizes)) {
      parameters.push_back(identifier(std::string(size), 0, at));
      arguments.push_back(identifier(std::string(size), 0, at));
    }
    Syntax *made = call(abstractions("kernel_for", at), std::move(arguments), at);
    all.push_back(make(Head::Function, at,
                       {call(copy_tree(arena_, name), std::move(parameters), at),
                        make(Head::Block, at, {make(Head::Return, at, {made})})}));
  }
  return make(Head::Block, node.at, std::move(all));
}

Syntax *Expander::kernel(const Syntax &node, std::span<Syntax *const>) {
  return expand(*kernel_definitions(node));
}

// ---- in bodies

Syntax *Expander::kernel_index(const Syntax &node, std::span<Syntax *const> args) {
  auto word = [&](size_t i) {
    return i < args.size() && args[i]->is(Head::Identifier) ? args[i]->name.text() : std::string_view();
  };
  std::string_view place = word(0), kind = args.size() > 1 ? word(1) : "Linear";
  if (place != "Global" && place != "Local" && place != "Group")
    return error(node.at, "@index takes Global, Local or Group first");
  if (args.size() > 2 || (kind != "Linear" && kind != "Cartesian" && kind != "NTuple"))
    return error(node.at, "@index takes Linear, Cartesian or NTuple second");
  return call(abstractions(fmt::format("__index_{}_{}", place, kind), node.at),
              {identifier(ContextName, 0, node.at)}, node.at);
}

Syntax *Expander::kernel_query(const Syntax &node, std::span<Syntax *const> args) {
  std::string_view name = macro_name(node).text();
  if (!args.empty()) return error(node.at, fmt::format("{} takes no arguments", name));
  Syntax *context = identifier(ContextName, 0, node.at);
  if (name == "@context") return context;
  Syntax *queried = call(abstractions(name.substr(1), node.at), {context}, node.at);
  return name == "@ndrange" ? call(base("size", node.at), {queried}, node.at) : queried;
}

Syntax *Expander::kernel_memory(const Syntax &node, std::span<Syntax *const> args) {
  bool is_private = macro_name(node).text() == "@private";
  // In @private x = 1, x is a local variable, which each thread has anyway.
  if (is_private && args.size() == 1) return expand(*args[0]);
  if (args.size() != 2)
    return error(node.at, fmt::format("{} takes a type and dimensions", macro_name(node).text()));
  Syntax *type = expand(*args[0]), *dims = call(base("Val", node.at), {expand(*args[1])}, node.at);
  if (is_private)
    return call(abstractions("Scratchpad", node.at), {identifier(ContextName, 0, node.at), type, dims},
                node.at);
  return call(abstractions("SharedMemory", node.at), {type, dims}, node.at);
}

/// Expands @cuda dynamic=true [threads=...] f(args...), by which a kernel launches a grid
/// (runtime/library/device/launches.jl).
Syntax *Expander::kernel_launch(const Syntax &node, std::span<Syntax *const> args) {
  bool is_dynamic = false, launches = true;
  std::vector<Syntax *> keywords;
  for (const Syntax *option : args.first(args.empty() ? 0 : args.size() - 1)) {
    const bool is_named = (option->is(Head::Assign) || option->is(Head::Kw)) && option->args.size() == 2 &&
                          option->args[0]->is(Head::Identifier);
    const std::string_view name = is_named                       ? option->args[0]->name.text()
                                  : option->is(Head::Identifier) ? option->name.text()
                                                                 : std::string_view();
    Syntax *value = is_named ? option->args[1] : nullptr;
    if (name == "dynamic" || name == "launch") {
      if (!value || !value->is(Head::Literal) || value->literal.type() != shared_->types.builtins().Bool)
        return error(option->at,
                     fmt::format("`{}` keyword argument to @cuda should be a constant value", name));
      (name == "dynamic" ? is_dynamic : launches) = value->literal.low_bits() & 1;
    } else if (name == "threads" || name == "blocks" || name == "shmem" || name == "stream") {
      keywords.push_back(
          make(Head::Kw, option->at,
               {identifier(std::string(name), 0, option->at), copy_tree(arena_, value ? *value : *option)}));
    } else {
      keywords.push_back(
          error(option->at, fmt::format("the keyword argument `{}` of @cuda dynamic=true", brief(*option))));
    }
  }
  if (!is_dynamic) return no_macro(node, args);
  const Syntax &launched = *args.back();
  if (!launched.is(Head::Call)) return error(node.at, "@cuda of something that is no call");
  for (Syntax *keyword : keywords)
    if (keyword->is(Head::Error)) return keyword;
  if (!launches && !keywords.empty())
    return error(
        node.at,
        "launch-time keyword arguments of @cuda with launch=false: give them to the call of the kernel");
  std::vector<Syntax *> given;
  for (const Syntax *argument : std::span(launched.args).subspan(1)) {
    if (argument->is(Head::Parameters) || argument->is(Head::Kw))
      return error(argument->at, "keyword arguments of a kernel");
    given.push_back(copy_tree(arena_, *argument));
  }
  Syntax *mode = call(base("Val", node.at), {literal(shared_->types.boolean(launches), node.at)}, node.at);
  std::vector<Syntax *> passed{copy_tree(arena_, *launched.args[0]),
                               make(Head::Tuple, node.at, std::move(given)), mode};
  passed.insert(passed.end(), keywords.begin(), keywords.end());
  return expand(*call(cuda("launch_dynamic", node.at), std::move(passed), node.at));
}

Syntax *Expander::kernel_barrier(const Syntax &node, std::span<Syntax *const>) {
  return call(abstractions("__synchronize", node.at), {}, node.at);
}

} // namespace kiln::julia
