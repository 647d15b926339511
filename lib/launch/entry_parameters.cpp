// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch.h"

namespace kiln {

namespace {

Error wrong_size(std::string_view call, size_t index, const Argument &argument, uint64_t wanted) {
  return usage_error(fmt::format("argument {} of {}: {} is {} bytes, got {}", index + 1, call, argument.type,
                                 wanted, argument.bytes.size()));
}

} // namespace

void EntryParameters::reserve(size_t parameters) {
  count_ = 0;
  if (parameters <= few_.size()) [[likely]]
    return;
  many_.resize(parameters);
  all_ = many_.data();
}

Result<void> EntryParameters::read(std::string_view call, const LoadedKernel &kernel,
                                   std::span<const Argument> arguments) {
  const std::span<const Artifact::Parameter> parameters = kernel.artifact->parameters;
  reserve(parameters.size());
  if (arguments.size() == parameters.size()) [[likely]] { // each argument has bytes
    for (size_t i = 0; i < arguments.size(); i++) {
      if (arguments[i].bytes.size() != parameters[i].size) [[unlikely]]
        return wrong_size(call, i, arguments[i], parameters[i].size);
      add(arguments[i].bytes);
    }
    return check_arrays(call, *kernel.artifact, kernel.memory, addresses());
  }
  for (size_t i = 0; i < arguments.size(); i++) {
    const bool is_taken = count_ < parameters.size() && parameters[count_].argument == i + 1;
    const uint64_t wanted = is_taken ? parameters[count_].size : 0;
    if (wanted != arguments[i].bytes.size()) return wrong_size(call, i, arguments[i], wanted);
    if (is_taken) add(arguments[i].bytes);
  }
  if (count_ != parameters.size()) // its message reports the counts
    return check_arguments(call, *kernel.artifact, kernel.memory, addresses());
  return check_arrays(call, *kernel.artifact, kernel.memory, addresses());
}

Result<void> EntryParameters::read(const Artifact &artifact, const ParameterBytes &bytes) {
  const std::span<const Artifact::Parameter> parameters = artifact.parameters;
  reserve(parameters.size());
  bool fits = bytes.size() == parameters.size();
  for (size_t i = 0; fits && i < bytes.size(); i++) {
    fits = bytes[i].size() == parameters[i].size;
    add(bytes[i]);
  }
  if (fits) return {};
  return internal_error(
      fmt::format("{} takes {} parameters whose sizes differ from those of the {} values with bytes",
                  artifact.entry, parameters.size(), bytes.size()));
}

} // namespace kiln
