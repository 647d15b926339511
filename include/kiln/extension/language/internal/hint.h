// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text for hints in messages, which write options and products in the notation of the message's reader
// (HintDoor in kiln/log.h).
#pragma once

#include <kiln/export.h>
#include <kiln/log.h>

#include <string>
#include <string_view>

namespace kiln {

KILN_API HintDoor hint_door();

/// Returns the text for the current HintDoor: program, library or Python.
KILN_API std::string_view by_door(std::string_view program, std::string_view library,
                                  std::string_view python);
/// Writes an option of kiln/config.def for the reader, with its value unless that is empty: --maxregs 32,
/// "maxregs": 32, maxregs=32.
KILN_API std::string option_hint(std::string_view name, std::string_view value = {});
/// Writes a product of a job for the reader: --emit asm, the product "asm".
KILN_API std::string product_hint(std::string_view name);
/// Writes a device for the reader: --device cpu, the device "cpu", device="cpu".
KILN_API std::string device_hint(std::string_view name);

} // namespace kiln
