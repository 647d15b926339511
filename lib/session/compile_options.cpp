// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compile_options.h"

#include "call_scope.h"
#include "config_fields.h"

#include <kiln/device_options.h>
#include <targets/targets.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

namespace kiln {

namespace {

using Kind = JsonValue::Kind;

template <class T> std::optional<T> number(std::string_view text) {
  T value{};
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Reader {
public:
  /// `arch` overrides the object's "arch"; null keeps it.
  Reader(const JsonValue &object, const TargetList &targets, const NamedHooks *hooks,
         const CompilerConfig *base = nullptr, const std::string *arch = nullptr)
      : object_(object), targets_(targets), hooks_(hooks), base_(base), arch_(arch) {}

  Result<CompilerConfig> read() {
    CompilerConfig config = base_ ? *base_ : CompilerConfig();
    const bool fast_math = config.target.fast_math;
    const Contraction contract = config.target.contract;
    std::string target(config.target.name());
    text("target", target);
    auto known = targets_.find(target);
    if (!known.ok())
      fault(*object_.find("target"), known.error().diagnostics()[0].message,
            known.error().diagnostics()[0].hint);
    else
      read_target(**known, config);

    auto read_field = [&](std::string_view field, auto &place) {
      for (const ConfigOption &option : config_options)
        if (option.field == field) read_option(option, place);
    };
    visit_fields(config, read_field);
    config.target.fast_math = fast_math;
    read_field("fast_math", config.target.fast_math);
    config.target.contract = contract;
    read_field("contract", config.target.contract);
    if (const JsonValue *value = take("link")) read_linked(*value, config);
    read_hooks(config);
    if (const JsonValue *value = take("nested")) read_nested(*value, config);
    for (const JsonValue::Name &name : object_.names)
      if (!taken_.contains(name.text))
        fault(
            name.at, fmt::format("there is no option \"{}\" for the target {}", name.text, target),
            "options are kiln compile's, without their dashes: target, arch, O, g, fastmath, maxthreads ...");
    if (!faults_.empty()) return Error(std::move(faults_));
    return config;
  }

private:
  const JsonValue &object_;
  const TargetList &targets_;
  const NamedHooks *hooks_;          ///< null: there is no session
  const CompilerConfig *const base_; ///< null: the defaults
  const std::string *const arch_;
  std::set<std::string_view> taken_;
  std::vector<Diagnostic> faults_;

  void fault(const Location &at, std::string message, std::string hint = {}) {
    faults_.push_back({ErrorCode::OptionError, std::move(message), at, {}, {}, std::move(hint)});
  }
  void fault(const JsonValue &value, std::string message, std::string hint = {}) {
    fault(value.at, std::move(message), std::move(hint));
  }
  void mismatch(std::string_view name, const JsonValue &value, std::string_view wanted) {
    fault(value, fmt::format("\"{}\" takes {}, not {}", name, wanted, value.kind_name()));
  }
  const JsonValue *take(std::string_view name) {
    taken_.insert(name);
    return object_.find(name);
  }

  void read_option(const ConfigOption &option, bool &field) {
    bool given = option.is_inverse ? false : field;
    flag(option.option, given);
    field = option.is_inverse ? field && !given : given;
  }
  void read_option(const ConfigOption &option, std::string &field) { text(option.option, field); }
  void read_option(const ConfigOption &option, int &field) {
    integer(option.option, field, option.least, option.most);
  }
  void read_option(const ConfigOption &, EntryAbi &) {} // no option sets it
  void read_option(const ConfigOption &option, Contraction &field) {
    const JsonValue *value = take(option.option);
    if (value && !set_field(field, *value))
      fault(*value, fmt::format("\"{}\" takes \"on\", \"off\" or \"default\"", option.option));
  }

  void flag(std::string_view name, bool &field) {
    if (const JsonValue *value = take(name); value && !set_field(field, *value))
      mismatch(name, *value, "true or false");
  }
  void text(std::string_view name, std::string &field) {
    if (const JsonValue *value = take(name); value && !set_field(field, *value))
      mismatch(name, *value, "a string");
  }
  /// A number may be written as a string, as on the command line.
  template <class T> void integer(std::string_view name, T &field, T least, T most) {
    const JsonValue *given = take(name);
    if (!given) return;
    JsonValue value = *given;
    if (value.is(Kind::String)) value.kind = Kind::Number;
    if (!set_field(field, value, least, most))
      fault(*given, fmt::format("\"{}\" takes a whole number from {} to {}", name, least, most));
  }
  /// "16,16", 256, or [16, 16].
  void extents(std::string_view name, std::array<uint32_t, 3> &field) {
    const JsonValue *value = take(name);
    if (!value) return;
    std::string joined = value->text;
    for (const JsonValue &item : value->items) joined += (joined.empty() ? "" : ",") + item.text;
    auto read = read_extents(name, joined);
    if (!read.ok()) return fault(*value, read.error().diagnostics()[0].message);
    field = *read;
  }

  /// Options of the target: those of Kiln's own as the command line has them, others by their names.
  void read_target(const Target &target, CompilerConfig &config) {
    const JsonValue *at = object_.find("arch");
    if (target.name() == PtxOptions::target_name) {
      std::string arch, isa;
      if (arch_)
        take("arch"), arch = *arch_;
      else if (at && at->is(Kind::Array))
        return take("arch"), fault(*at, "\"arch\" names one architecture here, not a list of them",
                                   "read_configs (kiln_compile_each in C) takes a list");
      else
        text("arch", arch);
      text("ptx-isa", isa);
      auto read = read_ptx_options(arch, isa);
      if (!read.ok()) return fault(at ? *at : object_, read.error().diagnostics()[0].message);
      PtxOptions options = *read;
      if (base_ && base_->target.is<PtxOptions>()) {
        options = base_->target.get<PtxOptions>();
        if (!arch.empty()) set_arch(options, arch_of(*read));
        if (!arch.empty() || !isa.empty()) options.ptx_isa = read->ptx_isa;
      }
      extents("maxthreads", options.max_threads);
      extents("cluster", options.cluster);
      integer("minblocks", options.min_blocks, decltype(options.min_blocks)(0),
              decltype(options.min_blocks)(1024));
      integer("maxregs", options.max_registers, decltype(options.max_registers)(0),
              decltype(options.max_registers)(1024));
      flag("invariant-arguments", config.invariant_arguments);
      flag("coarsen", config.coarsen);
      integer("coarsen-bytes", options.coarse_bytes, decltype(options.coarse_bytes)(16),
              decltype(options.coarse_bytes)(32));
      config.target = options;
    } else if (target.name() == NativeOptions::target_name) {
      NativeOptions options;
      if (base_ && base_->target.is<NativeOptions>()) options = base_->target.get<NativeOptions>();
      text("arch", options.cpu);
      text("features", options.features);
      if (options.cpu.starts_with("sm_"))
        return fault(*at, fmt::format("the architecture {} is the ptx target's", options.cpu));
      config.target = options;
    } else {
      auto spec = target.read_spec([&](std::string_view name, TargetOptionPlace place) -> Result<void> {
        std::visit([&](auto *field) { own(name, *field); }, place);
        return {};
      });
      if (!spec.ok())
        return fault(object_, spec.error().diagnostics()[0].message, spec.error().diagnostics()[0].hint);
      config.target = *spec;
    }
  }
  void own(std::string_view name, bool &field) { flag(name, field); }
  void own(std::string_view name, std::string &field) { text(name, field); }
  void own(std::string_view name, int &field) { integer(name, field, INT_MIN, INT_MAX); }
  void own(std::string_view name, uint32_t &field) { integer(name, field, 0u, UINT32_MAX); }
  void own(std::string_view name, std::array<uint32_t, 3> &field) { extents(name, field); }

  void read_hooks(CompilerConfig &config) {
    std::string name;
    text("hooks", name);
    if (name.empty()) return;
    const JsonValue &at = *object_.find("hooks");
    if (!hooks_) return fault(at, "hooks are a session's: Session::add_hooks, Session::read_config");
    auto found = hooks_->find(name);
    if (!found.ok()) return fault(at, found.error().diagnostics()[0].message);
    config.hooks = std::move(*found);
  }

  void read_linked(const JsonValue &value, CompilerConfig &config) {
    auto add = [&](const JsonValue &one) {
      if (!one.is(Kind::String)) return mismatch("link", one, "a path, or a list of them");
      auto file = read_linked_file(one.text);
      if (!file.ok())
        fault(one, file.error().diagnostics()[0].message, file.error().diagnostics()[0].hint);
      else
        config.linked.push_back(std::move(*file));
    };
    if (!value.is(Kind::Array)) return add(value);
    for (const JsonValue &one : value.items) add(one);
  }

  /// {"name": {options}, ...}
  void read_nested(const JsonValue &value, CompilerConfig &config) {
    if (!value.is(Kind::Object)) return mismatch("nested", value, "an object of configs by their names");
    for (const JsonValue::Name &name : value.names) {
      const JsonValue &options = *value.find(name.text);
      if (!options.is(Kind::Object)) {
        mismatch(fmt::format("nested.{}", name.text), options, "an object of options");
        continue;
      }
      auto read = Reader(options, targets_, hooks_).read();
      if (read.ok())
        config.nested.push_back({name.text, std::make_shared<const CompilerConfig>(std::move(*read))});
      else
        faults_.insert(faults_.end(), read.error().diagnostics().begin(), read.error().diagnostics().end());
    }
  }
};

} // namespace

Result<std::array<uint32_t, 3>> read_extents(std::string_view option, std::string_view text) {
  std::array<uint32_t, 3> all{1, 1, 1};
  std::string_view rest = text;
  for (size_t i = 0;; i++) {
    size_t comma = rest.find(',');
    auto n = number<uint32_t>(rest.substr(0, comma));
    if (i == 3 || !n || *n == 0)
      return usage_error(fmt::format("{} takes X[,Y[,Z]], numbers above 0, not `{}`", option, text));
    all[i] = *n;
    if (comma == std::string_view::npos) return all;
    rest.remove_prefix(comma + 1);
  }
}

Result<PtxOptions> read_ptx_options(std::string_view arch, std::string_view isa, PtxOptionNames names) {
  PtxOptions options;
  if (!arch.empty()) {
    const auto named = parse_arch(arch);
    if (!named && arch.find(',') != arch.npos)
      return usage_error(fmt::format("{} takes one architecture here, not `{}`", names.arch, arch));
    if (!named)
      return usage_error(
          fmt::format("{} takes sm_<number> for {}, such as sm_90, sm_90a or sm_100f, not `{}`", names.arch,
                      names.target, arch));
    set_arch(options, *named);
  }
  if (!isa.empty()) {
    size_t dot = isa.find('.');
    auto major = number<int>(isa.substr(0, dot));
    auto minor = dot == std::string_view::npos ? std::optional<int>(0) : number<int>(isa.substr(dot + 1));
    if (!major || !minor || *major < 0 || *major > 99 || *minor < 0 || *minor > 9)
      return usage_error(fmt::format("{} takes a version such as 8.5, not `{}`", names.isa, isa));
    options.ptx_isa = *major * 10 + *minor;
  }
  return options;
}

bool set_architecture(TargetSpec &target, GpuArch arch) {
  if (!target.is<PtxOptions>()) return false;
  PtxOptions &options = target.edit<PtxOptions>();
  // A recorded job names the default that the target filled in.
  const bool is_default = options.ptx_isa == default_isa(arch_of(options));
  set_arch(options, arch);
  if (is_default)
    options.ptx_isa = default_isa(arch);
  else if (options.ptx_isa)
    options.ptx_isa = std::max(options.ptx_isa, least_isa(arch));
  return true;
}

/// The object of options; an empty text is an object without any.
static Result<JsonValue> parse_options(std::string_view json) {
  auto file = std::make_shared<const SourceFile>(0, "options", std::string(json.empty() ? "{}" : json));
  KILN_TRY(JsonValue object, parse_json(file));
  if (!object.is(Kind::Object))
    return make_error(ErrorCode::OptionError,
                      fmt::format("options are an object of JSON, not {}", object.kind_name()), object.at);
  return object;
}

Result<CompilerConfig> read_compile_options(std::string_view json, const TargetList &targets,
                                            const NamedHooks *hooks, const CompilerConfig *base) {
  KILN_TRY(const JsonValue object, parse_options(json));
  return Reader(object, targets, hooks, base).read();
}

Result<std::vector<CompilerConfig>> read_each_architecture(std::string_view json, const TargetList &targets,
                                                           const NamedHooks *hooks) {
  KILN_TRY(const JsonValue object, parse_options(json));
  const JsonValue *given = object.find("arch"), *target = object.find("target");
  std::vector<std::string> archs;
  if (given && target && target->text == PtxOptions::target_name) {
    const std::span<const JsonValue> items =
        given->is(Kind::Array) ? std::span<const JsonValue>(given->items) : std::span(given, 1);
    for (const JsonValue &item : items) {
      if (!item.is(Kind::String))
        return make_error(ErrorCode::OptionError, "\"arch\" takes a string, or a list of strings", item.at);
      auto named = parse_archs("arch", item.text);
      if (!named.ok())
        return make_error(ErrorCode::OptionError, named.error().diagnostics()[0].message, item.at);
      for (GpuArch arch : *named)
        if (std::ranges::find(archs, arch_name(arch)) == archs.end()) archs.push_back(arch_name(arch));
    }
    if (archs.empty()) return make_error(ErrorCode::OptionError, "\"arch\" has no value", given->at);
  }
  std::vector<CompilerConfig> configs;
  if (archs.empty()) {
    KILN_TRY(CompilerConfig config, Reader(object, targets, hooks).read());
    configs.push_back(std::move(config));
  }
  for (const std::string &arch : archs) {
    KILN_TRY(CompilerConfig config, Reader(object, targets, hooks, nullptr, &arch).read());
    configs.push_back(std::move(config));
  }
  return configs;
}

Result<CompilerConfig> Session::read_config(std::string_view json) const {
  return read_compile_options(json, state_->targets, &state_->hooks);
}

Result<std::vector<CompilerConfig>> Session::read_configs(std::string_view json) const {
  return read_each_architecture(json, state_->targets, &state_->hooks);
}

Result<CompilerConfig> read_config(Session &session, std::string_view json, const Device &device) {
  Session::State &s = session.state();
  CallScope call(s);
  KILN_CHECK(call.check());
  KILN_CHECK(s.devices.check(device));
  CompilerConfig of_device;
  if (device.is_gpu()) of_device.target = device.target();
  return read_compile_options(json, s.targets, &s.hooks, &of_device);
}

Result<CompilerConfig> read_config(std::string_view json) {
  TargetList targets;
  for (const Target *target : all_targets()) KILN_CHECK(targets.add(*target));
  return read_compile_options(json, targets);
}

Result<std::vector<CompilerConfig>> read_configs(std::string_view json) {
  TargetList targets;
  for (const Target *target : all_targets()) KILN_CHECK(targets.add(*target));
  return read_each_architecture(json, targets);
}

Result<ArtifactKind> read_stage(std::string_view name) {
  static constexpr std::pair<std::string_view, ArtifactKind> stages[] = {
      {"lowered", ArtifactKind::Lowered},  {"typed", ArtifactKind::Typed},  {"llvm", ArtifactKind::Llvm},
      {"llvm-opt", ArtifactKind::LlvmOpt}, {"asm", ArtifactKind::Assembly}, {"obj", ArtifactKind::Object},
      {"cubin", ArtifactKind::Cubin}};
  for (const auto &[stage, kind] : stages)
    if (stage == name) return kind;
  return usage_error(
      fmt::format("a product is lowered, typed, llvm, llvm-opt, asm, obj or cubin, not `{}`", name));
}

} // namespace kiln
