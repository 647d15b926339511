// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>

namespace kiln {

namespace {

std::atomic<HintDoor> door{HintDoor::Library};

/// Writes a value for a hint: quoted, unless it is a number.
std::string quoted(std::string_view value) {
  const bool is_number =
      std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c) || c == '-'; });
  return is_number ? std::string(value) : fmt::format("\"{}\"", value);
}

} // namespace

void KILN_API_VERSION::set_hint_door(HintDoor of_process) {
  door.store(of_process, std::memory_order_relaxed);
}
// Relaxed: the pointer leads to code, which was complete before the process started.
HintDoor hint_door() { return door.load(std::memory_order_relaxed); }

std::string_view by_door(std::string_view program, std::string_view library, std::string_view python) {
  switch (hint_door()) {
  case HintDoor::Program: return program;
  case HintDoor::Python: return python;
  case HintDoor::Library: break;
  }
  return library;
}

std::string option_hint(std::string_view name, std::string_view value) {
  switch (hint_door()) {
  case HintDoor::Program:
    return fmt::format("{}{}{}{}", name.size() == 1 ? "-" : "--", name, value.empty() ? "" : " ", value);
  case HintDoor::Python: {
    std::string keyword(name);
    std::ranges::replace(keyword, '-', '_');
    return value.empty() ? keyword : fmt::format("{}={}", keyword, quoted(value));
  }
  case HintDoor::Library: break;
  }
  return value.empty() ? fmt::format("\"{}\"", name) : fmt::format("\"{}\": {}", name, quoted(value));
}

std::string product_hint(std::string_view name) {
  return hint_door() == HintDoor::Program ? fmt::format("--emit {}", name)
                                          : fmt::format("the product \"{}\"", name);
}

std::string device_hint(std::string_view name) {
  switch (hint_door()) {
  case HintDoor::Program: return fmt::format("--device {}", name);
  case HintDoor::Python: return fmt::format("device=\"{}\"", name);
  case HintDoor::Library: break;
  }
  return fmt::format("the device \"{}\"", name);
}

} // namespace kiln
