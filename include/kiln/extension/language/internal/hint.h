// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints name options and products as the reader writes them (kiln/log.h: HintDoor).
#pragma once

#include <kiln/export.h>
#include <kiln/log.h>

#include <string>
#include <string_view>

namespace kiln {

KILN_API HintDoor hint_door();

/// The text for the door in use.
KILN_API std::string_view by_door(std::string_view program, std::string_view library,
                                  std::string_view python);
/// An option of a config by its name (kiln/config.def), with a value unless that is empty:
/// --maxregs 32, "maxregs": 32, maxregs=32.
KILN_API std::string option_hint(std::string_view name, std::string_view value = {});
/// A product of a job: --emit asm, the product "asm".
KILN_API std::string product_hint(std::string_view name);
/// A device: --device cpu, the device "cpu", device="cpu".
KILN_API std::string device_hint(std::string_view name);

} // namespace kiln
