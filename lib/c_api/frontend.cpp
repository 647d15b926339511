// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Languages that live in C, as a session calls them.
#include "language.h"
#include "supplied.h"

#include <kiln/c_frontend.h>
#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/library.h>

#include <sstream>

using namespace kiln;
using namespace kiln::c;

namespace {

/// While it lives, this thread's calls of the session come from its language.
class LanguageScope {
public:
  explicit LanguageScope(const SessionObject &session)
      : before_(std::exchange(language_of_thread, &session)) {}
  LanguageScope(const LanguageScope &) = delete;
  LanguageScope &operator=(const LanguageScope &) = delete;
  ~LanguageScope() { language_of_thread = before_; }

private:
  const SessionObject *before_;
};

/// What one call of a language gives, and what it finds wrong.
struct LanguageCall {
  const ValueTable &table;
  std::shared_ptr<const SourceFile> file;
  std::vector<Value> values = {};
  std::vector<Diagnostic> faults = {};

  Location at(uint32_t begin, uint32_t end) const {
    const auto size = uint32_t(file->text().size());
    begin = std::min(begin, size);
    return {file, begin, std::clamp(end, begin, size)};
  }
  void fail(std::string message, Location at) {
    faults.push_back({.code = ErrorCode::Input, .message = std::move(message), .at = std::move(at)});
  }
  static void fail_from_c(void *context, const char *message, uint32_t begin, uint32_t end) noexcept {
    auto &call = *static_cast<LanguageCall *>(context);
    try {
      call.fail(message ? message : "failed", call.at(begin, end));
    } catch (...) { // no memory: the function's status is what is left
    }
  }
  static void give_from_c(void *context, const kiln_value *handle) noexcept {
    auto &call = *static_cast<LanguageCall *>(context);
    try {
      Result<Value> value = value_of(call.table, handle, "kiln_language_call.give");
      if (value.ok())
        call.values.push_back(std::move(*value));
      else
        call.fail(value.error().diagnostics()[0].message, call.at(0, 0));
    } catch (...) {
    }
  }
};

class CLanguage final : public Frontend {
public:
  CLanguage(const kiln_language &given, const World &world) : c_(given), name_(given.name), world_(world) {
    std::istringstream words(text_or_empty(given.extensions));
    for (std::string word; words >> word;) extensions_.push_back(word);
  }
  ~CLanguage() override {
    if (c_.closed) c_.closed(c_.user);
    free_handle(HandleKind::Session, own_);
  }

  std::string_view name() const override { return name_; }
  std::vector<std::string_view> file_extensions() const override {
    return {extensions_.begin(), extensions_.end()};
  }

  Result<LoadReport> load(World &world, Module &into, std::shared_ptr<const SourceFile> file) override {
    const size_t before = world.method_count();
    KILN_CHECK(call(world, into, std::move(file), c_.load, "load"));
    LoadReport report;
    report.methods = uint32_t(world.method_count() - before);
    return report;
  }

  Result<Value> evaluate(World &world, Module &in, std::string_view name, std::string_view text) override {
    auto file = world.sources().add(std::string(name), std::string(text));
    KILN_TRY(std::vector<Value> values, call(world, in, std::move(file), c_.evaluate, "evaluate"));
    if (values.size() != 1)
      return usage_error(
          fmt::format("evaluate of the language {} gave {} values: give one", name_, values.size()));
    return std::move(values[0]);
  }

  Result<ResolvedCall> resolve_call(World &world, Module &in, std::string_view name, std::string_view text,
                                    std::span<const Capture> captures) override {
    if (!captures.empty())
      return usage_error(fmt::format("calls of the language {} take no captured values", name_));
    auto file = world.sources().add(std::string(name), std::string(text));
    KILN_TRY(const std::vector<Value> values, call(world, in, file, c_.resolve, "resolve"));
    if (values.empty()) return usage_error(fmt::format("resolve of the language {} gave no function", name_));
    std::vector<TypeRef> types;
    for (const Value &value : std::span(values).subspan(1))
      types.push_back(value.as_type() ? value.as_type() : world.types().type_of(value));
    ResolvedCall resolved = call_of(world, values[0], types);
    resolved.at = {file, 0, uint32_t(text.size())};
    return resolved;
  }

  Result<LoadReport> load_overlay(World &, Module &, Symbol, std::shared_ptr<const SourceFile>) override {
    return usage_error(fmt::format("the language {} has no overlays", name_));
  }

private:
  Result<std::vector<Value>> call(World &world, Module &in, std::shared_ptr<const SourceFile> file,
                                  int (*function)(const kiln_language_call *, void *),
                                  std::string_view what) {
    KILN_TRY(kiln_session * session, handle());
    Pinned<SessionObject> object(session);
    if (!object) return usage_error(fmt::format("the language {} is used while its session closes", name_));
    {
      std::lock_guard lock(object->values_mutex);
      if (!object->values) object->values = std::make_unique<ValueTable>(world);
    }
    ValueTable &table = *object->values;
    kiln_value *module = nullptr;
    KILN_CHECK(table.give(&module, Value::module(world.types(), &in)));
    LanguageCall answers{.table = table, .file = file};
    const std::string name(file->name()), text(file->text());
    const kiln_language_call given{.struct_size = sizeof(kiln_language_call),
                                   .session = session,
                                   .module = module,
                                   .file = file->id(),
                                   .name = name.c_str(),
                                   .text = text.c_str(),
                                   .size = text.size(),
                                   .fail = LanguageCall::fail_from_c,
                                   .give = LanguageCall::give_from_c,
                                   .context = &answers};
    int status = 0;
    {
      const LanguageScope scope(*object);
      status = function(&given, c_.user);
    }
    if (status && answers.faults.empty())
      answers.fail(fmt::format("{} of the language {} returned {}", what, name_, status), answers.at(0, 0));
    if (!answers.faults.empty()) return Error(std::move(answers.faults));
    return std::move(answers.values);
  }

  /// The caller's, or one of the language's own for a session that was opened in C++. One call at a time.
  Result<kiln_session *> handle() {
    if (own_) return own_;
    Session *session = session_of(world_);
    if (!session) return usage_error(fmt::format("the language {} is used while its session closes", name_));
    if (kiln_session *of_caller = handle_of(*session)) return of_caller;
    auto object = std::make_unique<SessionObject>();
    object->session = {session, [](Session *) {}};
    own_ = static_cast<kiln_session *>(make_handle(HandleKind::Session, std::move(object)));
    if (!own_) return machine_error("there are as many handles as there can be");
    return own_;
  }

  const kiln_language c_;
  const std::string name_;
  const World &world_;
  kiln_session *own_ = nullptr;
  std::vector<std::string> extensions_;
};

} // namespace

namespace kiln::c {

Result<FrontendFactory> read_language(const kiln_language &given) {
  KILN_TRY(const kiln_language read, read_struct(&given, "kiln_language"));
  if (!read.name || !*read.name) return usage_error("kiln_language.name is a null pointer, or empty");
  if (!read.load || !read.evaluate || !read.resolve)
    return usage_error(
        fmt::format("the language {} lacks one of load, evaluate and resolve: all are needed", read.name));
  return FrontendFactory([read, name = std::string(read.name), extensions = text_or_empty(read.extensions)](
                             const LanguageHost &host) -> std::unique_ptr<Frontend> {
    kiln_language own = read; // whose strings the caller may have freed
    own.name = name.c_str();
    own.extensions = extensions.c_str();
    return std::make_unique<CLanguage>(own, host.world);
  });
}

} // namespace kiln::c

extern "C" {

int kiln_language_list_add(kiln_language_list *list, const kiln_language *language, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_language_list_add", list);
    auto &languages = *reinterpret_cast<LanguageList *>(list);
    auto read = language ? read_language(*language)
                         : Result<FrontendFactory>(null_argument("kiln_language_list_add", "language"));
    if (read.ok())
      languages.add(std::move(*read));
    else
      languages.fail(read.error().diagnostics()[0].message);
    return read.ok() ? Result<void>() : read.take_error();
  });
}

int kiln_language_list_fail(kiln_language_list *list, const char *message, kiln_error **error) {
  return call(error, [&]() -> Result<void> {
    KILN_NOT_NULL("kiln_language_list_fail", list);
    KILN_NOT_NULL("kiln_language_list_fail", message);
    reinterpret_cast<LanguageList *>(list)->fail(message);
    return {};
  });
}
}
