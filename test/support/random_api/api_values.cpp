// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values that an ApiProgram's bytes decide on: what it passes to the calls of api_program.cpp.
#include "api_values.h"

#include "api_program.h"
#include "no_target.h"

#include <array>

namespace kiln::fuzz {

Session *ApiProgram::session() {
  if (sessions_.empty()) open();
  return sessions_.empty() ? nullptr : sessions_[d_.below(sessions_.size())].get();
}

Device ApiProgram::device() {
  if (size_t at = d_.below(devices_.size() + 2); at < devices_.size()) return devices_[at];
  return d_.below(4) ? session()->cpu() : Device();
}

std::string ApiProgram::call() {
  if (d_.below(4) == 0) return d_.of(functions); // no arguments, no parentheses
  if (d_.below(2)) return "scale(CuDeviceVector{Float32,1}, Float32)";
  std::string text = d_.of(functions) + "(";
  for (size_t n = d_.below(3), i = 0; i < n; i++) text += (i ? ", " : "") + d_.of(types);
  return text + ")";
}

CompilerConfig ApiProgram::config() {
  CompilerConfig c;
  c.opt_level = 0; // quick
  for (size_t n = d_.below(4); n > 0; n--) switch (d_.below(16)) {
    case 0:
      c.target = std::vector<TargetSpec>{NativeOptions(), PtxOptions(), test::NoTarget()}[d_.below(3)];
      break;
    case 1: c.target.edit<PtxOptions>().sm = d_.of(numbers); break;
    case 2: c.opt_level = d_.of(numbers); break;
    case 3: c.debug_level = d_.of(numbers); break;
    case 4: c.entry_abi = EntryAbi(d_.below(3)); break;
    case 5: c.kernel = false; break;
    case 6: c.name = d_.of(functions); break;
    case 7: c.check = true; break;
    case 8: c.interruptible = true; break;
    case 9: c.target.edit<NativeOptions>().cpu = d_.of(functions); break;
    case 10: c.target.edit<PtxOptions>().max_threads = {d_.of(sizes), d_.of(sizes), d_.of(sizes)}; break;
    case 11: c.target = PtxOptions(); break;
    case 12: c.linked.push_back({.kind = LinkedKind(d_.below(9)), .name = d_.of(functions)}); break;
    case 13: c.target.edit<NativeOptions>().features = d_.of(functions); break;
    case 14: c.invariant_arguments = true; break;
    case 15: c.optimize = c.cleanup = false; break;
    }
  return c;
}

LaunchShape ApiProgram::shape() {
  if (d_.below(3)) return {.threads = {32, 1, 1}};
  uint32_t blocks = d_.of(sizes);
  if (blocks == 65536) blocks = 200; // quick
  return {.blocks = {blocks, d_.of(sizes) % 3, 1},
          .threads = {d_.of(sizes), d_.of(sizes) % 4, 1},
          .shared_bytes = d_.of(amounts)};
}

LaunchOptions ApiProgram::options() {
  LaunchOptions o;
  switch (d_.below(8)) {
  case 0: o.time_limit = std::chrono::nanoseconds(int64_t(d_.of(numbers))); break;
  case 1: o.cluster = {uint32_t(d_.below(3)), uint32_t(d_.below(3)), uint32_t(d_.below(3))}; break;
  case 2: o.cooperative = true; break;
  case 3: o.programmatic_serialization = true; break;
  }
  return o;
}

Argument ApiProgram::argument() {
  switch (d_.below(8)) {
  case 0: return Argument::scalar(2.0f);
  case 1: return Argument::scalar(int64_t(d_.of(lengths)));
  case 2: return Argument::symbol(d_.of(functions));
  case 3: return Argument{d_.of(types), std::vector<std::byte>(d_.below(50))};
  case 4: return Argument::array_of(d_.of(types), arena, {int64_t(d_.below(16))}, d_.below(17));
  case 5: return Argument::array(static_cast<float *>(nullptr), {d_.of(lengths)});
  case 6: {
    std::vector<int64_t> dims;
    for (size_t n = d_.below(4); n > 0; n--) dims.push_back(d_.of(lengths));
    uint64_t elements = 1;
    bool lies = false; // about the arena: more than it has, though there might be as much elsewhere
    for (int64_t n : dims) lies |= __builtin_mul_overflow(elements, uint64_t(n), &elements);
    bool fits = !lies && elements <= arena_floats, is_refused = lies || elements > (uint64_t(1) << 61);
    for (int64_t n : dims) is_refused |= n < 0;
    if (fits || is_refused) return Argument::array(arena, dims);
    return Argument::array(arena, {int64_t(arena_floats)});
  }
  default: return Argument::array(arena, {int64_t(1 + d_.below(64))});
  }
}

// Bytes that are right for a vector of floats and for numbers, and last as long as the process.
std::vector<const void *> ApiProgram::pointers() {
  static const std::array<uint64_t, 16> vector{uint64_t(reinterpret_cast<uintptr_t>(arena)), 4 * 64, 64, 64},
      negative{uint64_t(reinterpret_cast<uintptr_t>(arena)), 4 * 64, uint64_t(-3), 3},
      null{0, 4 * 64, 64, 64}, none{};
  std::vector<const void *> list;
  if (d_.below(2)) return {vector.data(), vector.data()};
  for (size_t n = d_.below(4); n > 0; n--)
    list.push_back(std::array<const void *, 5>{vector.data(), negative.data(), null.data(), none.data(),
                                               nullptr}[d_.below(5)]);
  return list;
}

} // namespace kiln::fuzz
