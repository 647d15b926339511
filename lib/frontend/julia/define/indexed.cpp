// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the index of a package or of a large module, and evaluates its postponed statements when they are
// needed.
#include "define.h"

#include <filesystem>

namespace kiln::julia {

namespace {

/// A postponed statement of a package. It is evaluated when methods that it defines are looked up.
struct WaitingStatement {
  std::shared_ptr<Definitions> shared;
  std::shared_ptr<const SourceFile> file;
  Module &module;
  Span at;
  bool is_done = false; ///< several functions may trigger it; under the World's evaluation lock

  Result<void> define() {
    if (std::exchange(is_done, true)) return {};
    StageScope stage(shared->timer, Stage::FrontEnd);
    auto unit = std::make_shared<Unit>();
    unit->file = file;
    Syntax *statement = nullptr;
    {
      StageScope parse(shared->timer, Stage::Parse);
      KILN_TRY(statement, parse_statement(shared->types, unit->arena, *file, at));
    }
    LoadReport report;
    KILN_CHECK(Definer(shared, unit, report, {}).file(module, *statement));
    if (report.unresolved.empty()) return {};
    return Error(std::move(report.unresolved));
  }
};

/// True if running the statement calls a function that may mutate shared state, such as `push!(names, x)`.
/// Calls inside of a definition do not count. `is_code`: the node is code of a definition, of which only
/// interpolations run.
bool may_change(const Syntax &node, bool is_code) {
  if (node.is(Head::Interpolation)) is_code = false;
  if (node.is(Head::Quote) || is_function_definition(node)) is_code = true;
  if (node.is(Head::MacroCall)) is_code = is_code || macro_name(node).text() == "@eval";
  if (!is_code && node.is(Head::Call) && node.args[0]->is(Head::Identifier) &&
      node.args[0]->name.text().ends_with('!'))
    return true;
  return std::ranges::any_of(node.args, [&](const Syntax *child) { return may_change(*child, is_code); });
}

/// Type of an owner of methods, `value` being what its name is bound to: a function's type, or a type with
/// constructors. Null: the name refers to something else, such as a function of Base.
TypeRef type_of_owner(const PackageIndex::Owner &owner, const Value &value) {
  TypeRef type = owner.is_function ? value.type() : value.as_type();
  while (type && type->is<UnionAllType>()) type = type->as<UnionAllType>()->body();
  const auto *data = type ? type->as<DataType>() : nullptr;
  return data && data->name().name.text() == owner.name && data->name().module == owner.module &&
                 data->name().is_function == owner.is_function
             ? type
             : nullptr;
}

/// Null: there is no such owner (a closure, or a name made by a macro).
TypeRef find_owner(CompilerWorld &world, const PackageIndex::Owner &owner) {
  const Module *module = world.find_module(owner.module);
  if (!module) return nullptr;
  auto bound = world.lookup(*module, world.types().symbol(owner.name), world.age());
  return bound.ok() && *bound ? type_of_owner(owner, **bound) : nullptr;
}

/// As find_owner(), but makes a missing function.
TypeRef make_owner(CompilerWorld &world, const PackageIndex::Owner &owner, Span at) {
  if (!owner.is_function) return find_owner(world, owner);
  const Module *module = world.find_module(owner.module);
  if (!module) return nullptr;
  auto function = world.function(Shared::writable(*module), world.types().symbol(owner.name), at);
  return function.ok() ? type_of_owner(owner, *function) : nullptr;
}

/// True if the statement only defines methods, and needs no state: function definitions, @eval of them, loops
/// of them.
bool may_wait(Shared &shared, const Module &module, const Syntax &node) {
  switch (node.head) {
  case Head::Doc: return may_wait(shared, module, *node.args.back());
  case Head::Block:
  case Head::Quote:
    return std::ranges::all_of(node.args,
                               [&](const Syntax *child) { return may_wait(shared, module, *child); });
  case Head::For:
  case Head::Let:
    if (may_change(node, false)) return false;
    // The body may assign local names and define methods, and do nothing else.
    return std::ranges::all_of(node.args.back()->args, [&](const Syntax *child) {
      const bool is_name = child->is(Head::Assign) &&
                           (child->args[0]->is(Head::Identifier) || child->args[0]->is(Head::Tuple));
      return is_name || child->is(Head::Local) || may_wait(shared, module, *child);
    });
  case Head::MacroCall: {
    static constexpr std::string_view marks[] = {"@inline",         "@noinline",  "@propagate_inbounds",
                                                 "@generated",      "@constprop", "@pure",
                                                 "@assume_effects", "@eval"};
    const Symbol name = macro_name(node);
    return node.args.size() > 1 && std::ranges::count(marks, name.text()) > 0 && !may_change(node, false) &&
           !shared.find_macro(module, name) && may_wait(shared, module, *node.args.back());
  }
  default: return is_function_definition(node);
  }
}

} // namespace

static void add_table(Fingerprinter &key, const TomlTable &table);

static void add_value(Fingerprinter &key, const TomlValue &value) {
  key.add(uint64_t(value.value.index()));
  if (const bool *truth = std::get_if<bool>(&value.value)) key.add(*truth);
  if (const auto *number = std::get_if<int64_t>(&value.value)) key.add(*number);
  if (const auto *number = std::get_if<double>(&value.value)) key.add(*number);
  if (const std::string *text = value.text()) key.add(*text);
  if (const TomlArray *list = value.array()) {
    key.add(uint64_t(list->size()));
    for (const TomlValue &each : *list) add_value(key, each);
  }
  if (const TomlTable *table = value.table()) add_table(key, *table);
}

static void add_table(Fingerprinter &key, const TomlTable &table) {
  key.add(uint64_t(table.size()));
  for (const auto &[name, value] : table) {
    key.add(name);
    add_value(key, value);
  }
}

/// Digest of everything that loading a package depends on, except for the included files.
static Fingerprint index_key(const Definitions &shared, const std::string &package, std::string_view text,
                             bool is_nested) {
  Fingerprinter key;
  key.add("package index").add(package).add(text).add(is_nested);
  for (const LoadedPackages::Loaded &each : shared.packages.all) // code may test which packages are loaded
    key.add(each.package->name).add(each.content).add(each.is_loading);
  if (const auto &resolver = shared.packages.resolver) {
    for (const std::string &name : resolver->search().from_source) key.add(name);
    if (auto preferences = resolver->preferences(package); preferences.ok()) add_table(key, *preferences);
  }
  return key.finish();
}

std::unique_ptr<IndexedPackage> Definer::open_index(const std::string &name, const std::string &path,
                                                    std::string_view text, bool is_nested) {
  if (!shared_->find_kept || !shared_->keep || overlay_) return nullptr;
  auto made = std::make_unique<IndexedPackage>();
  made->key = index_key(*shared_, name, text, is_nested);
  made->folder = std::filesystem::path(path).parent_path().string();
  const std::optional<std::string> bytes = shared_->find_kept(made->key);
  if (!bytes) return made;
  auto index = PackageIndex::read(shared_->types, *bytes);
  if (!index.ok() || index->files.empty()) return made;
  for (const PackageIndex::File &file : std::span(index->files).subspan(1)) { // the key covers the first one
    auto content = read_source_file((std::filesystem::path(made->folder) / file.path).string());
    if (!content.ok() || fingerprint_of(*content) != file.text) return made;
    made->texts.emplace(file.path, std::move(*content));
  }
  made->index = std::move(*index);
  made->owner_types.resize(made->index.owners.size());
  made->is_followed = true;
  if (shared_->debug) {
    size_t statements = 0;
    for (const PackageIndex::File &file : made->index.files) statements += file.later.size();
    shared_->debug(fmt::format("`{}` is opened by its index: {} statements of {} files wait", name,
                               statements, made->index.files.size()));
  }
  return made;
}

void Definer::keep_index(IndexedPackage &package, bool is_whole) {
  if (!package.is_followed && is_whole) shared_->keep(package.key, package.index.write());
}

Result<std::string> Definer::package_text(const std::string &path) const {
  if (IndexedPackage *package = shared_->packages.indexed; package && package->is_followed)
    if (auto text = package->texts.find(package->relative(path)); text != package->texts.end())
      return text->second;
  return read_source_file(path);
}

Result<Syntax *> Definer::parse_indexed(Unit &unit, const std::string &path) {
  IndexedPackage *package = shared_->packages.indexed;
  NameWatch names(shared_->watched_names());
  auto read = [&](std::span<const Span> left_out) -> Result<Syntax *> {
    KILN_TRY(Syntax * tree,
             parse_file(shared_->types, unit.arena, *unit.file, {.names = &names, .left_out = left_out}));
    KILN_CHECK(shared_->load_named(names));
    return tree;
  };
  if (!package) return read({});
  const std::string relative = package->relative(path);
  PackageIndex::File *file = package->index.find(relative);
  if (!package->is_followed) {
    auto tree = read({});
    if (file) {
      file->is_included_twice = true;
    } else {
      package->index.files.push_back({.path = relative, .text = fingerprint_of(unit.file->text())});
      package->index.files.back().triggers.assign(names.found().begin(), names.found().end());
      indexed_file_ = package->index.files.size();
    }
    return tree;
  }
  if (!file || file->later.empty() || fingerprint_of(unit.file->text()) != file->text) return read({});
  const std::vector<std::string_view> triggers(file->triggers.begin(), file->triggers.end());
  // Loads the library files that all names in the file trigger, including names in postponed statements.
  KILN_CHECK(shared_->library.load_for(triggers));
  indexed_file_ = size_t(file - package->index.files.data()) + 1;
  std::vector<Span> left_out;
  for (const PackageIndex::Statement &each : file->later)
    left_out.push_back({unit.file->id(), each.begin, each.end});
  return read(left_out);
}

/// True if the file's only statement is a module that does not exist yet.
static bool is_new_module(CompilerWorld &world, const Module &into, const Syntax &file) {
  return file.args.size() == 1 && file.args[0]->is(Head::Module) &&
         !world.is_defined(into, file.args[0]->args[1]->name);
}

Result<void> Definer::whole_file(Module &into) {
  constexpr size_t min_text = 8 << 10; // a smaller module loads faster than its index
  const std::string &path = unit_->file->name();
  std::unique_ptr<IndexedPackage> index;
  if (unit_->file->text().size() >= min_text)
    index = open_index(path, path, unit_->file->text(), /*is_nested=*/false);
  auto parse = [&] {
    shared_->packages.indexed = index.get();
    return parse_indexed(*unit_, path);
  };
  Result<Syntax *> tree = parse();
  if (tree.ok() && index && !is_new_module(shared_->world, into, **tree)) {
    index.reset();
    indexed_file_ = 0;
    tree = parse();
  }
  Result<void> done = tree.ok() ? file(into, **tree) : tree.take_error();
  shared_->packages.indexed = nullptr;
  if (index) keep_index(*index, done.ok() && index->index.files.size() == 1);
  return done;
}

/// Evaluates the statements of a file, module or condition. While the index of a package is made, records
/// which methods each statement defines.
void Definer::statements(Module &module, const Syntax &node) {
  for (const Syntax *child : node.args) {
    IndexedPackage *package = shared_->packages.indexed;
    const bool is_noted = package && !package->is_followed && indexed_file_ && notes_statements_ &&
                          may_wait(*shared_, module, *child);
    if (!is_noted) {
      statement(module, *child);
      continue;
    }
    const size_t methods = shared_->world.method_count(), faults = faults_.size(), failures = failures_,
                 unresolved = report_.unresolved.size(), skipped = report_.skipped.size(),
                 warnings = report_.warnings.size();
    const uint32_t counted = report_.methods;
    statement(module, *child);
    if (faults != faults_.size() || failures != failures_ || unresolved != report_.unresolved.size() ||
        warnings != report_.warnings.size())
      continue;
    PackageIndex::Statement noted{child->at.begin, child->at.end, report_.methods - counted, {}, {}, {}};
    bool waits = child->at.file == unit_->file->id();
    for (size_t i = skipped; i < report_.skipped.size(); ++i) {
      const LoadReport::Skipped &note = report_.skipped[i];
      waits = waits && note.at.file == unit_->file;
      noted.skipped.push_back({note.what, note.at.begin, note.at.end});
    }
    for (const Method *method : shared_->world.methods_from(methods)) {
      // skip methods of other files, which the statement caused to load
      if (method->at.file != child->at.file) continue;
      if (method->at.begin < child->at.begin || method->at.begin >= child->at.end) waits = false;
      const TypeName *owner = shared_->world.owner(*method);
      if (!owner) waits = false; // any function may match
      if (!owner) break;
      PackageIndex::Owner named{owner->module, std::string(owner->name.text()), owner->is_function};
      TypeRef found = find_owner(shared_->world, named);
      if (!found || &found->as<DataType>()->name() != owner)
        continue; // a closure's type exists only after the statement ran
      const uint32_t place = package->index.owner(std::move(named));
      const auto at = std::ranges::find(noted.owners, place) - noted.owners.begin();
      if (size_t(at) == noted.owners.size()) {
        noted.owners.push_back(place);
        noted.shapes.emplace_back();
      }
      std::vector<CallShape> &shapes = noted.shapes[size_t(at)];
      CallShape shape = call_shape(shared_->types, method->signature);
      if (!std::ranges::count(shapes, shape)) shapes.push_back(std::move(shape));
    }
    if (waits && !noted.owners.empty())
      package->index.files[indexed_file_ - 1].later.push_back(std::move(noted));
  }
}

void Definer::postponed(Module &module, const Syntax &node) {
  IndexedPackage &package = *shared_->packages.indexed;
  PackageIndex::File &file = package.index.files[indexed_file_ - 1];
  auto found = std::ranges::lower_bound(file.later, node.at.begin, {}, &PackageIndex::Statement::begin);
  CompilerWorld &world = shared_->world;
  std::vector<TypeRef> owners;
  bool waits = true;
  for (uint32_t place : found->owners) {
    TypeRef &owner = package.owner_types[place];
    if (!owner) owner = make_owner(world, package.index.owners[place], node.at);
    waits = waits && owner && !world.has_dependents(owner);
    owners.push_back(owner);
  }
  auto waiting = std::make_shared<WaitingStatement>(WaitingStatement{shared_, unit_->file, module, node.at});
  if (!waits) {
    check(waiting->define(), node);
    return;
  }
  report_.methods += found->methods;
  for (const auto &[what, begin, end] : found->skipped)
    report_.skipped.push_back({what, shared_->locate({node.at.file, begin, end})});
  for (size_t i = 0; i < owners.size(); ++i)
    world.postpone(owners[i], [waiting] { return waiting->define(); },
                   {.since_now = true,
                    .is_of_package = !unit_->file->is_library(),
                    .shapes = std::move(found->shapes[i])});
}

} // namespace kiln::julia
