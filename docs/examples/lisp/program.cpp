// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.h"

#include <charconv>

namespace lisp {

using namespace kiln;

Result<std::unique_ptr<Program>> Program::open(std::string_view device, SessionOptions options) {
  auto program = std::make_unique<Program>();
  Interpreter *interpreter = nullptr;
  options.languages.push_back([&](const LanguageHost &host) {
    interpreter = &host.interpreter;
    auto language = std::make_unique<Language>(host);
    program->language_ = language.get();
    return language;
  });
  options.language = "lisp";
  KILN_TRY(program->session_, Session::open(options));
  int number = 0;
  if (device.starts_with("cuda:")) std::from_chars(device.data() + 5, device.data() + device.size(), number);
  if (device.starts_with("cuda")) {
    KILN_TRY(program->device_, program->session_->gpu(number));
  } else if (device == "cpu") {
    program->device_ = program->session_->cpu();
  } else {
    return usage_error("the device is cpu, cuda or cuda:N");
  }
  KILN_CHECK(program->add_host_functions(*interpreter));
  return program;
}

Result<void> Program::add_host_functions(Interpreter &interpreter) {
  Names &names = language_->names;
  names.add_to_library(names.types.symbol("print"));
  names.add_to_library(names.types.symbol("launch"));
  KILN_CHECK(interpreter.add_host_function(
      names.library, "print", [this](Interpreter &, std::span<const Value> arguments) -> Result<Value> {
        std::string line;
        for (const Value &argument : arguments)
          line += (line.empty() ? "" : " ") + language_->names.text(argument);
        if (out) out(line + "\n");
        return language_->names.types.nothing();
      }));
  return interpreter.add_host_function(
      names.library, "launch",
      [this](Interpreter &, std::span<const Value> arguments) { return launch(arguments); });
}

/// Implements (launch kernel blocks threads arguments...).
Result<Value> Program::launch(std::span<const Value> arguments) {
  TypeContext &types = language_->names.types;
  auto is_count = [&](const Value &value) {
    return value.type() == types.builtins().Int64 && value.low_bits() <= UINT32_MAX;
  };
  if (arguments.size() < 3 || !is_count(arguments[1]) || !is_count(arguments[2]))
    return make_error(ErrorCode::ArgumentError, "a launch is (launch kernel blocks threads arguments...)");
  const LaunchShape shape{.blocks = {uint32_t(arguments[1].low_bits()), 1, 1},
                          .threads = {uint32_t(arguments[2].low_bits()), 1, 1}};
  CompilerConfig config;
  config.debug_level = 2; // a GPU then reports lines of exceptions
  KILN_CHECK(kiln::launch(*session_, device_, arguments[0], shape, arguments.subspan(3), config));
  return types.nothing();
}

} // namespace lisp
