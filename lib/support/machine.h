// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of this machine, its processor and its processes, for reports.
#pragma once

#include <string>

namespace kiln {

std::string host_name();                 ///< as gethostname() has it; "localhost": it has none
std::string cpu_name();                  ///< of /proc/cpuinfo; empty: it has none
std::string process_label(long process); ///< "host:4711", a process of this machine

} // namespace kiln
