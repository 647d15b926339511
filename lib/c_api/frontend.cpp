// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adapts languages implemented in C (kiln_language) to the class Frontend of the C++ API.
#include "language.h"
#include "supplied.h"

#include <kiln/c_frontend.h>
#include <kiln/extension/language/calls.h>
#include <kiln/extension/language/library.h>

#include <map>
#include <mutex>
#include <optional>
#include <sstream>

using namespace kiln;
using namespace kiln::c;

namespace {

/// While an object of this class exists, API calls on this thread count as made by the session's language.
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

/// Outcome of one call of a language implemented in C: its values and its diagnostics.
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
    } catch (...) { // Without memory for the message, only the status of the call reports the failure.
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

/// Printer for a language implemented in C. If the language does not spell a type or value, Julia's spelling
/// is used.
class CPrinter final : public Printer {
public:
  /// `own` contains the language's own session handle, which is null if it does not need one.
  CPrinter(const kiln_language &c, World &world, std::shared_ptr<const std::atomic<kiln_session *>> own)
      : c_(c), world_(world), own_(std::move(own)) {}

  std::string type(TypeRef type) const override {
    return spelled(KILN_SPELL_TYPE, std::span(&type, 1), [&] { return Printer::type(type); });
  }
  std::string value(const Value &value) const override {
    if (const TypeRef held = value.as_type()) return type(held);
    return spelled_values(KILN_SPELL_VALUE, {value}, [&] { return Printer::value(value); });
  }
  std::string function(TypeRef callee) const override {
    return spelled(KILN_SPELL_FUNCTION, std::span(&callee, 1), [&] { return Printer::function(callee); });
  }
  std::string call(std::span<const TypeRef> types) const override {
    return spelled(KILN_SPELL_CALL, types, [&] { return Printer::call(types); });
  }
  std::string job(std::span<const TypeRef> types) const override {
    return spelled(KILN_SPELL_JOB, types, [&] { return Printer::job(types); });
  }

private:
  template <class Julia>
  std::string spelled(int what, std::span<const TypeRef> types, const Julia &julia) const {
    if (is_spelling) return julia();
    std::vector<Value> values;
    for (TypeRef type : types) {
      // A type with free type variables is spelled as in Julia, since a C handle cannot refer to their scope.
      if (!type || type->has_free_vars()) return julia();
      values.push_back(Value::type_value(world_.types(), type));
    }
    return spelled_values(what, values, julia);
  }
  template <class Julia>
  std::string spelled_values(int what, const std::vector<Value> &values, const Julia &julia) const {
    Pinned<SessionObject> object(handle());
    if (!object || is_spelling) return julia();
    ValueTable &table = values_of(*object, world_);
    std::vector<const kiln_value *> handles;
    for (const Value &value : values) {
      kiln_value *handle = nullptr;
      if (!table.give(&handle, value).ok()) return julia();
      handles.push_back(handle);
    }
    std::optional<std::string> given;
    is_spelling = true;
    const int status = c_.spell(what, handles.data(), handles.size(), take_text, &given, c_.user);
    is_spelling = false;
    return status == 0 && given ? *given : julia();
  }

  kiln_session *handle() const {
    if (kiln_session *own = own_->load()) return own;
    Session *session = session_of(world_);
    return session ? handle_of(*session) : nullptr;
  }

  const kiln_language c_;
  World &world_;
  const std::shared_ptr<const std::atomic<kiln_session *>> own_;
  static thread_local bool is_spelling; ///< in `spell`, kiln_value_text prints Julia
};
thread_local bool CPrinter::is_spelling = false;

class CLanguage final : public Frontend {
public:
  CLanguage(const kiln_language &given, World &world) : c_(given), name_(given.name), world_(world) {
    std::istringstream words(text_or_empty(given.extensions));
    for (std::string word; words >> word;) extensions_.push_back(word);
    std::lock_guard lock(all_mutex());
    all()[this] = c_.user;
  }
  ~CLanguage() override {
    {
      std::lock_guard lock(all_mutex());
      all().erase(this);
    }
    if (c_.closed) c_.closed(c_.user);
    free_handle(HandleKind::Session, own_->load());
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

  std::shared_ptr<const Printer> printer() const override {
    return c_.spell ? std::make_shared<CPrinter>(c_, world_, own_) : nullptr;
  }

  /// Returns the user data of a language for kiln_session_language; null if it is not implemented in C.
  static void *user_of(const Frontend &language) {
    std::lock_guard lock(all_mutex());
    auto found = all().find(&language);
    return found == all().end() ? nullptr : found->second;
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
    ValueTable &table = values_of(*object, world);
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

  /// Returns the session's handle for a call of the language: the caller's handle, or a new one if C++ code
  /// opened the session. The session serialises calls of this function.
  Result<kiln_session *> handle() {
    if (kiln_session *own = own_->load()) return own;
    Session *session = session_of(world_);
    if (!session) return usage_error(fmt::format("the language {} is used while its session closes", name_));
    if (kiln_session *of_caller = handle_of(*session)) return of_caller;
    auto object = std::make_unique<SessionObject>();
    object->session = {session, [](Session *) {}};
    auto *own = static_cast<kiln_session *>(make_handle(HandleKind::Session, std::move(object)));
    if (!own) return machine_error("there are as many handles as there can be");
    own_->store(own);
    return own;
  }

  static std::mutex &all_mutex() {
    static std::mutex mutex;
    return mutex;
  }
  /// Map from a language of any session to its user data. The caller must hold all_mutex().
  static std::map<const Frontend *, void *> &all() {
    static std::map<const Frontend *, void *> languages;
    return languages;
  }

  const kiln_language c_;
  const std::string name_;
  World &world_;
  const std::shared_ptr<std::atomic<kiln_session *>> own_ =
      std::make_shared<std::atomic<kiln_session *>>(nullptr);
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
    // The strings are taken from this lambda's copies, since the caller may have freed its own.
    kiln_language own = read;
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

void *kiln_session_language(const kiln_session *session, const char *name) {
  Pinned<SessionObject> object(session);
  if (!object || !name) return nullptr;
  const Frontend *language = object->session->language(name);
  return language ? CLanguage::user_of(*language) : nullptr;
}
}
