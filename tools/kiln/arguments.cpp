// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"

#include "npy_values.h"
#include <filesystem>

namespace kiln::tool {

namespace {

constexpr std::string_view extension = ".npy";

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '!' ||
         uint8_t(c) >= 0x80;
}

size_t name_end(std::string_view text, size_t at) {
  while (at < text.size() && (is_name_character(text[at]) || text[at] == '.')) at++;
  return at;
}

/// Returns the end of the type name that starts at position `at`, with its type parameters: Name,
/// Module.Name, Name{Float32, 2}. Returns `at` if no name starts there.
size_t type_end(std::string_view text, size_t at) {
  size_t end = name_end(text, at);
  if (end == at || end == text.size() || text[end] != '{') return end;
  size_t depth = 0;
  for (size_t i = end; i < text.size(); i++) {
    depth += text[i] == '{';
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return end; // the closing brace is missing: the parser will report that
}

/// Returns the end of the .npy path that starts at position `at`. The path ends after the last ".npy" before
/// the next separator. Returns npos if there is no ".npy".
size_t path_end(std::string_view text, size_t at) {
  size_t end = std::min(text.find_first_of(" \t\n,;()[]{}\"'`=@", at), text.size());
  // If the path is the whole expression, it may also contain separators, such as spaces.
  std::string_view whole = text.substr(at);
  size_t last = whole.rfind(extension);
  if (last != std::string_view::npos && whole.find('@') == std::string_view::npos &&
      text.find_first_not_of(" \t") + 1 == at) {
    size_t after = at + last + extension.size();
    if (after == text.size() ||
        (text[after] == ':' && type_end(text, after + 1) == text.size() && after + 1 < text.size()))
      return after;
  }
  for (size_t found = text.substr(0, end).rfind(extension); found != std::string_view::npos && found > at;
       found = text.substr(0, found).rfind(extension)) {
    size_t after = found + extension.size();
    if (after == text.size() || !is_name_character(text[after])) return after;
  }
  return std::string_view::npos;
}

size_t string_end(std::string_view text, size_t at) { // text[at] is the first quote
  for (size_t i = at + 1; i < text.size(); i++) {
    if (text[i] == '\\')
      i++;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

} // namespace

std::string literal_of(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\' || c == '$') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string with_npy_calls(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      size_t end = string_end(text, i);
      out += text.substr(i, end - i);
      i = end;
      continue;
    }
    if (text[i] != '@') {
      out += text[i++];
      continue;
    }
    std::string_view path;
    size_t end = std::string_view::npos;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      end = string_end(text, i + 1);
      path = text.substr(i + 2, end - i - 3);
    } else if (end = path_end(text, i + 1); end != std::string_view::npos) {
      path = text.substr(i + 1, end - i - 1);
    }
    if (!path.ends_with(extension)) { // the @ begins a macro call, which stays as it is
      out += text[i++];
      continue;
    }
    out += "__npy(" + literal_of(path);
    if (end + 1 < text.size() && text[end] == ':' && type_end(text, end + 1) > end + 1) {
      size_t name = end + 1;
      end = type_end(text, name);
      out += fmt::format(", {}", text.substr(name, end - name));
    }
    out += ')';
    i = end;
  }
  return out;
}

Result<void> check_argument_texts(const std::vector<std::string> &expressions) {
  for (const std::string &text : expressions) {
    if (text.starts_with("--"))
      return usage_error(
          fmt::format("--arg needs an expression, and the option {} stands in its place", text));
    const bool is_path = text.find_first_of("(){}[]\"', ") == text.npos;
    if (is_path && !text.starts_with("@") && text.ends_with(extension))
      return usage_error(fmt::format("--arg {0}: an array of a file is written @{0}", text));
    std::error_code unknown;
    if (is_path && text.starts_with("@") && text.find(extension) == text.npos &&
        std::filesystem::is_regular_file(text.substr(1), unknown))
      return usage_error(fmt::format("--arg {}: arrays come from NumPy files, x.npy", text));
  }
  return {};
}

Result<void> Arguments::start() {
  if (std::exchange(started_, true)) return {};
  auto read = [this](Interpreter &, std::span<const Value> args) -> Result<Value> {
    const std::string *path = args.empty() ? nullptr : args[0].as_string();
    if (!path || args.size() > 2)
      return make_error(ErrorCode::ArgumentError,
                        "a NumPy file is written @x.npy, @x.npy:Name or @x.npy:Name{T}");
    TypeRef element = args.size() == 2 ? args[1].as_type() : nullptr;
    if (args.size() == 2 && !element)
      return make_error(ErrorCode::TypeError,
                        fmt::format("@{}:Name takes the name of a type, not {}", *path, spell(args[1])));
    KILN_TRY(NpyArray array, read_npy(*path));
    return array_from_npy(world_, std::move(array), element, *path);
  };
  Module &base = *world_.base();
  Interpreter &interpreter = interpreter_of(session_);
  KILN_CHECK(interpreter.add_host_function(base, "__npy", read));
  world_.export_name(base, world_.types().symbol("__npy"));
  // A wrapper such as Const(A) holds only a pointer to the array's data, so `shared_` keeps the array alive.
  interpreter.set_array_adapter([this](const Value &array) {
    shared_.push_back(array.shared_array());
    return kernel_value(session_, array);
  });
  return {};
}

Result<Value> Arguments::evaluate(const std::string &name, std::string_view expression) {
  KILN_CHECK(start());
  std::string text = with_npy_calls(expression);
  auto value = kiln::evaluate(session_, name, text);
  if (value.ok() || text == expression) return value;
  // Errors must show the expression as the user wrote it, not the text with __npy calls.
  Error error = value.take_error();
  Location written{world_.sources().add(name, std::string(expression)), 0, uint32_t(expression.size())};
  for (Diagnostic &d : error.diagnostics()) {
    if (d.at && d.at.file->name() == name) d.at = written;
    for (Note &note : d.notes)
      if (note.at && note.at.file->name() == name) note.at = written;
  }
  return error;
}

Result<void> Arguments::evaluate(const std::vector<std::string> &expressions) {
  for (size_t i = 0; i < expressions.size(); i++) {
    KILN_TRY(Value value, evaluate(fmt::format("--arg {}", i + 1), expressions[i]));
    KILN_TRY(Value adapted, kernel_value(session_, value));
    values_.push_back(std::move(value));
    adapted_.push_back(std::move(adapted));
  }
  return {};
}

Result<std::vector<Capture>> Arguments::captures(const std::vector<std::string> &texts) {
  std::vector<Capture> all;
  for (const std::string &text : texts) {
    size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
      return usage_error(fmt::format("--capture takes NAME=EXPR, not `{}`", text));
    std::string name = text.substr(0, equals);
    KILN_TRY(Value value, evaluate("--capture " + name, std::string_view(text).substr(equals + 1)));
    KILN_TRY(Value adapted, kernel_value(session_, value));
    captured_.push_back(std::move(value));
    all.emplace_back(std::move(name), std::move(adapted));
  }
  return all;
}

Arguments::~Arguments() {
  if (!started_) return;
  interpreter_of(session_).set_array_adapter(
      [&session = session_](const Value &array) { return kernel_value(session, array); });
}

std::vector<TypeRef> Arguments::types() const {
  std::vector<TypeRef> all;
  for (const Value &value : adapted_) all.push_back(world_.types().type_of(value));
  return all;
}

std::vector<TypeRef> Arguments::types_with(const Value &function) const {
  std::vector<TypeRef> all = types();
  all.insert(all.begin(), world_.types().type_of(function));
  return all;
}

Result<ParameterBytes> Arguments::encode(const Value &function) const {
  std::vector<Value> all{function};
  all.insert(all.end(), adapted_.begin(), adapted_.end());
  return kiln::encode(world_.types(), all);
}

void Arguments::collect_arrays(const Value &value, std::vector<std::shared_ptr<HostArray>> &into) {
  if (value.as_array()) into.push_back(value.shared_array());
  if (const std::vector<Value> *fields = value.fields())
    for (const Value &field : *fields) collect_arrays(field, into);
}

std::vector<std::shared_ptr<HostArray>> Arguments::arrays() const {
  std::vector<std::shared_ptr<HostArray>> all = shared_;
  for (const auto *values : {&values_, &captured_})
    for (const Value &value : *values) collect_arrays(value, all);
  std::vector<std::shared_ptr<HostArray>> once;
  for (auto &array : all)
    if (std::find(once.begin(), once.end(), array) == once.end()) once.push_back(std::move(array));
  return once;
}

std::shared_ptr<HostArray> Arguments::find_array(const Value &value) const {
  if (value.as_array()) return value.shared_array();
  if (value.is_primitive()) {
    const DataType *data = value.type()->as<DataType>();
    if (!data || &data->name() != world_.types().builtins().LLVMPtrName) return nullptr;
    for (const auto &array : shared_)
      if (uint64_t(reinterpret_cast<uintptr_t>(array->bytes.data())) == value.low_bits()) return array;
    return nullptr;
  }
  if (const std::vector<Value> *fields = value.fields())
    for (const Value &field : *fields)
      if (auto found = find_array(field)) return found;
  return nullptr;
}

Result<std::shared_ptr<HostArray>> Arguments::array(size_t n) const {
  if (auto found = find_array(values_[n - 1])) return found;
  return usage_error(fmt::format("--out {}: argument {} is a value of type {} and holds no array", n, n,
                                 spell(world_.types().type_of(values_[n - 1]))));
}

} // namespace kiln::tool
