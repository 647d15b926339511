// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of this machine, its processor and this process, for reports.
#pragma once

#include <string>

namespace kiln {

std::string host_name();                 ///< from gethostname(); "localhost" if there is none
std::string cpu_name();                  ///< name of the processor from /proc/cpuinfo; empty if unknown
std::string process_label(long process); ///< "host:4711", a process of this machine

} // namespace kiln
