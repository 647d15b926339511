// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads packages from their sources, and their extensions.
#include "define.h"

#include <array>

namespace kiln::julia {

bool LoadedPackages::is_from_source(Symbol name) const {
  // Kiln's library has a few functions of SpecialFunctions, for programs that lack the package. If a load
  // path exists, the package itself is loaded.
  return resolver && (std::ranges::count(resolver->search().from_source, name.text()) > 0 ||
                      name.text() == "SpecialFunctions");
}

LoadedPackages::Loaded *LoadedPackages::find(Symbol name) {
  for (Loaded &loaded : all)
    if (loaded.package->name == name.text()) return &loaded;
  return nullptr;
}

const LoadedPackages::Loaded *LoadedPackages::owner(const Module &module) {
  for (const Module *at = &module; at; at = at->parent())
    for (const Loaded &loaded : all)
      if (loaded.module == at) return &loaded;
  return nullptr;
}

bool LoadedPackages::is_of_library(const Module &module, const Module &main) {
  const Module *root = &module;
  while (root->parent()) root = root->parent();
  return root != &main && !owner(module);
}

namespace {

/// A package that Kiln's library replaces, and the packages that it loads by its Project.toml.
struct Loads {
  std::string_view package;
  std::array<std::string_view, 12> dependencies;
};
constexpr Loads loads_of_packages[] = {
    {"CUDA",
     {"Adapt", "BFloat16s", "GPUArrays", "KernelAbstractions", "Libdl", "LinearAlgebra", "Logging", "NVTX",
      "Preferences", "Printf", "Random", "Statistics"}},
    {"KernelAbstractions", {"Adapt", "Atomix", "InteractiveUtils", "UnsafeAtomics"}},
    {"GPUArrays", {"Adapt", "GPUArraysCore", "LinearAlgebra", "Printf", "Random", "Statistics"}},
    {"GPUArraysCore", {"Adapt"}},
    {"Atomix", {"UnsafeAtomics"}},
    {"StaticArrays", {"LinearAlgebra", "Random", "StaticArraysCore"}},
    {"Statistics", {"LinearAlgebra"}}};

/// True for packages in Julia's system image, which are always loaded.
bool is_in_system_image(std::string_view name) {
  return name == "LinearAlgebra" || name == "Random" || name == "Libdl";
}

bool loads(std::string_view package, std::string_view name) {
  for (const Loads &each : loads_of_packages)
    if (each.package == package)
      return std::ranges::any_of(each.dependencies, [&](std::string_view dependency) {
        return !dependency.empty() && (dependency == name || loads(dependency, name));
      });
  return false;
}

} // namespace

bool LoadedPackages::is_loaded(Symbol name) {
  if (const Loaded *loaded = find(name)) return !loaded->is_loading;
  return is_in_system_image(name.text()) || brought.contains(name) ||
         std::ranges::any_of(brought, [&](Symbol each) { return loads(each.text(), name.text()); });
}

bool is_empty_package(std::string_view name) {
  static constexpr std::string_view names[] = {"PrecompileTools", "SnoopPrecompile",     "Reexport",
                                               "Requires",        "DocStringExtensions", "OpenLibm_jll",
                                               "OpenSpecFun_jll"};
  return std::ranges::count(names, name) > 0;
}

std::string_view skipped_macro(std::string_view name) {
  for (std::string_view macro : {"@setup_workload", "@compile_workload", "@recompile_invalidations",
                                 "@precompile_setup", "@precompile_all_calls"})
    if (name == macro) return "Kiln compiles no host code ahead";
  if (name == "@require") return "Kiln loads extensions, not what Requires.jl does";
  if (name == "@template") return "Kiln keeps no documentation";
  return {};
}

void Definer::export_name(Module &module, Symbol name) {
  shared_->world.export_name(module, name);
  if (!unit_->file || !unit_->file->is_library()) shared_->packages.exports[&module].push_back(name);
}

/// Evaluates a statement under @reexport and exports its names: using P, M.N; using P: x; import P: x; module
/// ... end; begin ... end.
void Definer::reexport(Module &module, const Syntax &node) {
  if (node.is(Head::Block)) {
    for (const Syntax *child : node.args) reexport(module, *child);
    return;
  }
  statement(module, node);
  auto export_all = [&](const Module *of) {
    if (!of || of == &module) return;
    const auto names = shared_->packages.exports[of];
    for (Symbol name : names) export_name(module, name);
  };
  if (node.is(Head::Module)) {
    const Symbol name = node.args[1]->name;
    export_name(module, name);
    export_all(shared_->world.module(name, &module));
  }
  if (!node.is(Head::Using) && !node.is(Head::Import)) return;
  for (const Syntax *item : node.args) {
    if (item->is(Head::ImportColon)) {
      for (size_t i = 1; i < item->args.size(); ++i) {
        const Syntax *named = item->args[i]->is(Head::As) ? item->args[i]->args[1] : item->args[i];
        Symbol name =
            named->is(Head::ImportPath) && !named->args.empty() ? named->args.back()->name : named->name;
        if (name) export_name(module, name);
      }
    } else if (item->is(Head::ImportPath) && !item->args.empty()) {
      if (Symbol name = item->args.back()->name; shared_->world.is_defined(module, name))
        export_name(module, name);
      if (node.is(Head::Using))
        export_all(find_module(module, std::span<const Syntax *const>(item->args.data(), item->args.size())));
    }
  }
}

/// Imports functions of Kiln's library into packages that must use the same ones. Adapt adds methods to the
/// functions that launches call. IrrationalConstants computes its constants with Kiln's BigFloat functions.
void Definer::share_functions(Module &package) {
  static constexpr std::string_view adapt[] = {"adapt", "adapt_structure", "adapt_storage"};
  static constexpr std::string_view wide[] = {"big", "BigFloat", "precision", "setprecision"};
  const bool is_adapt = package.name().text() == "Adapt";
  const Module *own = is_adapt ? shared_->world.find_root_module(shared_->symbol("CUDA")) : nullptr;
  if (package.name().text() == "IrrationalConstants")
    if (auto found = shared_->world.lookup(*shared_->world.base(), shared_->symbol("WideConstants"),
                                           shared_->world.age());
        found.ok() && *found)
      own = (*found)->as_module();
  if (!own) return;
  const std::span<const std::string_view> names =
      is_adapt ? std::span<const std::string_view>(adapt) : std::span<const std::string_view>(wide);
  for (std::string_view name : names)
    if (const Symbol symbol = shared_->symbol(name); shared_->world.is_defined(*own, symbol))
      (void)shared_->world.import_name(package, *own, symbol, symbol);
}

/// Evaluates the file of a package. Statements inside of the package's module go into that module. Statements
/// around it, normally few, go into Main.
Result<Module *> Definer::package(Symbol name, Module *parent, const Syntax &tree) {
  StageScope stage(shared_->timer, Stage::Evaluate);
  Module *made = nullptr;
  for (const Syntax *child : tree.args) {
    while (child->is(Head::Doc)) child = child->args.back();
    if (!made && child->is(Head::Module) && child->args[1]->name == name) {
      made = shared_->world.module(name, parent);
      // The module is set before its files are loaded, since included files look up their own dependencies.
      shared_->packages.find(name)->module = made;
      share_functions(*made);
      statement(*made, *child->args[2]);
      shared_->packages.made.push_back(made);
    } else {
      statement(*shared_->world.main(), *child);
    }
  }
  if (!faults_.empty()) return Error(std::move(faults_));
  if (!made)
    return input_error(fmt::format("the file of the package `{}` has no module of that name", name.text()));
  return made;
}

Module *Definer::load_package(Module &from, Symbol name, const Syntax &at) {
  LoadedPackages &packages = shared_->packages;
  const LoadedPackages::Loaded *asking = packages.owner(from);
  if (is_empty_package(name.text())) return shared_->world.module(name, nullptr);
  if (!packages.resolver) return nullptr;
  if (asking && asking->package->name == name.text()) return asking->module; // a package may name itself
  auto found = packages.resolver->find(std::string(name.text()), asking ? asking->package.get() : nullptr);
  if (!found.ok()) {
    Error error = found.take_error();
    Diagnostic &why = error.diagnostics().front();
    package_missing_ = why.message;
    if (why.code != ErrorCode::ArgumentError && shared_->is_first_mention(shared_->symbol(why.message))) {
      why.at = shared_->locate(at.at);
      faults_.push_back(std::move(why));
    }
    return nullptr;
  }
  LoadedPackages::Loaded *before = packages.find(name);
  if (!before) return load_package_file(*found, false, at);
  if (before->package->file != (*found)->file) {
    package_missing_ = fmt::format(
        "two packages are named `{}`: {} is loaded, and here {} is meant; a program has one of a name",
        name.text(), before->package->file, (*found)->file);
    return nullptr;
  }
  if (!before->is_loading || before->is_extension) return before->module;
  std::string circle;
  for (const LoadedPackages::Loaded &each : packages.all)
    if (each.is_loading && (!circle.empty() || &each == before))
      circle += fmt::format("`{}` needs ", each.package->name);
  package_missing_ = fmt::format("packages need each other: {}`{}`", circle, name.text());
  return nullptr;
}

Module *Definer::load_package_file(const std::shared_ptr<const Package> &package, bool is_extension,
                                   const Syntax &at) {
  LoadedPackages &packages = shared_->packages;
  const std::string name = package->name, path = package->file;
  auto text = read_source_file(path);
  if (!text.ok()) {
    package_missing_ = text.error().diagnostics().front().message;
    return nullptr;
  }
  const Symbol symbol = shared_->symbol(name);
  // If Kiln's library has a root module of this name, the package's module goes into module Packages.
  Module *parent = shared_->world.find_root_module(symbol)
                       ? shared_->world.module(shared_->symbol("Packages"), nullptr)
                       : nullptr;
  packages.all.push_back({package, nullptr, true, is_extension});
  packages.note_loaded();
  LoadReport report;
  std::vector<Diagnostic> faults;
  Module *made = nullptr;
  auto library = shared_->load_host_library();
  std::optional<Diagnostic> no_host;
  if (!library.ok() && library.error().kind() == ErrorKind::Usage) {
    no_host = library.error().diagnostics().front();
    library = {};
  }
  if (library.ok()) library = shared_->library.load_for_package();
  if (!library.ok()) faults = library.take_error().diagnostics();
  const std::vector<Module *> outer = std::exchange(packages.made, {});
  auto unit = std::make_shared<Unit>();
  unit->file = shared_->world.sources().add(path, std::move(*text));
  Definer definer(shared_, unit, report, overlay_);
  const std::unique_ptr<IndexedPackage> index = open_index(name, path, unit->file->text(), parent != nullptr);
  IndexedPackage *const outer_index = std::exchange(packages.indexed, index.get());
  auto tree = definer.parse_indexed(*unit, path);
  if (tree.ok()) {
    auto done = definer.package(symbol, parent, **tree);
    made = packages.find(symbol)->module; // perhaps partly defined
    if (!done.ok()) {
      Error error = done.take_error();
      for (Diagnostic &fault : error.diagnostics()) faults.push_back(std::move(fault));
    }
  } else {
    faults = tree.take_error().diagnostics();
  }
  packages.indexed = outer_index;
  if (index) keep_index(*index, made && faults.empty() && !no_host);
  LoadedPackages::Loaded &loaded = *packages.find(symbol);
  loaded.is_loading = false;
  loaded.is_indexed = index != nullptr;
  loaded.content = index ? Fingerprinter().add(index->key).add(index->content()).finish()
                         : fingerprint_of(unit->file->text());
  packages.note_loaded();
  const std::vector<Module *> modules = std::exchange(packages.made, outer);
  for (Module *module : modules) initialise(*module, name);
  note_package(name, std::move(report), std::move(faults), at);
  if (no_host) need_host(std::move(*no_host), name, made, at);
  if (!made) package_missing_ = fmt::format("{} could not be read", path);
  if (!is_extension) load_extensions(at);
  return made;
}

/// Reports that statements of a package cannot run, because the session has no host. Reports it once for a
/// package and its dependencies.
void Definer::need_host(Diagnostic no_host, const std::string &name, Module *made, const Syntax &at) {
  LoadedPackages &packages = shared_->packages;
  if (made) shared_->world.note_missing(*made, no_host.message);
  if (!packages.wants_host ||
      std::ranges::any_of(packages.all, [](const auto &each) { return each.is_loading; }))
    return;
  packages.wants_host = false;
  no_host.message = fmt::format("the package `{}` runs code while it loads: {}", name, no_host.message);
  no_host.at = shared_->locate(at.at);
  faults_.push_back(std::move(no_host));
}

/// Reports definitions of a package that could not be evaluated: in one warning, and in detail with -v.
void Definer::note_package(const std::string &name, LoadReport report, std::vector<Diagnostic> faults,
                           const Syntax &at) {
  for (Diagnostic &warning : report.warnings) report_.warnings.push_back(std::move(warning));
  for (Diagnostic &fault : faults) {
    fault.message = fmt::format("the package `{}`: {}: {}; what the file defines from there on is missing",
                                name, fault.name(), fault.message);
    fault.code = ErrorCode::None;
    fault.exception.clear();
    if (!fault.at) fault.at = shared_->locate(at.at);
    report_.warnings.push_back(std::move(fault));
  }
  if (!report.unresolved.empty()) {
    const Diagnostic &first = report.unresolved.front();
    report_.warnings.push_back(
        {ErrorCode::None,
         fmt::format("the package `{}` is loaded without {} of its definitions and statements: {}: {}{}",
                     name, report.unresolved.size(), first.name(), first.message,
                     report.unresolved.size() > 1 ? "; -vv tells the others" : ""),
         first.at ? first.at : shared_->locate(at.at),
         {},
         {},
         {}});
  }
  // Dependencies count their own.
  std::vector<Diagnostic> &all = shared_->packages.unresolved;
  for (Diagnostic &each : report.unresolved) all.push_back(std::move(each));
  if (std::ranges::none_of(shared_->packages.all, [](const auto &each) { return each.is_loading; })) {
    for (Diagnostic &each : all) {
      if (!program_) // its `using` statement succeeded
        report_.unresolved.push_back(std::move(each));
      else if (shared_->debug)
        shared_->debug(Error(std::move(each)).what());
    }
    all.clear();
  }
  for (LoadReport::Skipped &each : report.skipped) report_.skipped.push_back(std::move(each));
  report_.methods += report.methods;
  report_.types += report.types;
}

void Definer::initialise(Module &module, const std::string &package) {
  if (shared_->world.meaning(module, shared_->symbol("__init__"), shared_->world.age()).owner != &module)
    return;
  auto unit = std::make_shared<Unit>();
  unit->file = shared_->world.sources().add(fmt::format("{}.__init__()", module.full_name()), "__init__()");
  auto run = [&]() -> Result<Value> {
    KILN_TRY(Syntax * call, shared_->read_expression(*unit));
    return shared_->interpret(module, *call);
  };
  auto done = run();
  if (done.ok()) return;
  const Diagnostic &why = done.error().diagnostics().front();
  report_.warnings.push_back(
      {ErrorCode::None,
       fmt::format("`__init__` of the package `{}` ends in {}: {}; what it sets up is missing", package,
                   why.name(), why.message),
       why.at,
       {},
       {},
       {}});
}

/// Loads each package extension whose package and triggers are all loaded.
void Definer::load_extensions(const Syntax &at) {
  LoadedPackages &packages = shared_->packages;
  for (size_t i = 0; i < packages.all.size(); ++i) {
    if (packages.all[i].is_loading || packages.all[i].is_extension) continue;
    const std::shared_ptr<const Package> parent = packages.all[i].package;
    for (const PackageExtension &extension : parent->extensions) {
      const bool all_loaded = std::ranges::all_of(extension.triggers, [&](const std::string &trigger) {
        return packages.is_loaded(shared_->symbol(trigger));
      });
      if (!all_loaded || !packages.extensions.insert(parent->name + "." + extension.name).second) continue;
      auto file = parent->extension_file(extension.name);
      if (!file.ok()) {
        report_.warnings.push_back({ErrorCode::None,
                                    file.error().diagnostics().front().message,
                                    shared_->locate(at.at),
                                    {},
                                    {},
                                    {}});
        continue;
      }
      auto package = std::make_shared<Package>(*parent);
      package->name = extension.name;
      package->file = *file;
      package->extensions.clear();
      package->deps[parent->name] = parent->uuid;
      Module *made = load_package_file(package, true, at);
      const LoadedPackages::Loaded *of = packages.find(shared_->symbol(parent->name));
      if (made && of && of->module) // for Base.get_extension
        check(shared_->world.set_constant(*of->module, shared_->symbol("#extension " + extension.name),
                                          Value::module(shared_->types, made), {}),
              at);
    }
  }
}

} // namespace kiln::julia
