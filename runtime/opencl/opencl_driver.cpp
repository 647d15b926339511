// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl_driver.h"

#include "driver_faults.h"

#include <kiln/extension/language/internal/hint.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

namespace kiln {

namespace {

struct StatusRow {
  int number;
  const char *name;
  ErrorCode code;
  const char *hint;
};
constexpr StatusRow statuses[] = {
#define KILN_OPENCL_ERROR(number, name, code, hint) {number, "CL_" #name, ErrorCode::code, hint},
#include "opencl_errors.def"
};

const StatusRow *find_status(int status) {
  const auto *row = std::ranges::find(statuses, status, &StatusRow::number);
  return row == std::end(statuses) ? nullptr : row;
}

std::string install_hint() {
  return "install an OpenCL driver that accepts SPIR-V (Intel's CPU runtime is intel-opencl-rt on PyPI); "
         "OCL_ICD_VENDORS names a folder of driver files; " +
         device_hint("cpu") + " runs the same kernel on the CPU";
}

/// Explains why the loader found no driver: reads the driver files as the loader does, and opens each
/// library.
Error no_platform() {
  namespace fs = std::filesystem;
  const std::string named = environment_text("OCL_ICD_VENDORS");
  const fs::path folder = named.empty() ? "/etc/OpenCL/vendors" : named;
  std::error_code ignored;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".icd") continue;
    auto text = read_file(entry.path().string());
    if (!text.ok()) continue;
    const std::string library = text->substr(0, text->find_first_of("\r\n"));
    auto opened = DynamicLibrary::open({library});
    if (opened.ok()) continue;
    Error error = opened.take_error();
    Diagnostic &first = error.diagnostics()[0];
    first.message =
        fmt::format("no OpenCL device: the driver of {}: {}", entry.path().string(), first.message);
    first.hint =
        "install what the driver misses; if it misses a symbol of oneTBB (tbb), this process has an older "
        "oneTBB: make a folder with a link to the driver's own libtbb.so.12, and start with "
        "LD_LIBRARY_PATH at that folder";
    return error;
  }
  return machine_error(fmt::format("no OpenCL device: the loader finds no driver in {}", folder.string()),
                       install_hint());
}

/// Process that opened the driver; 0: none yet.
std::atomic<uint64_t> process_of_driver{0};

} // namespace

std::string opencl_status_name(int status) {
  const StatusRow *row = find_status(status);
  return row ? row->name : fmt::format("CL_({})", status);
}

std::string OpenClDriver::library_name() {
  const std::string named = environment_text("KILN_OPENCL_DRIVER");
  return named.empty() ? "libOpenCL.so.1" : named;
}

Result<std::shared_ptr<OpenClDriver>> OpenClDriver::open() {
  if (const uint64_t started = process_of_driver.load(); started && started != process_token())
    return machine_error(
        "this process was forked from one that had started OpenCL, which works in no child of it",
        "fork before the first OpenCL device is opened, or call exec in the child; the CPU can be used here");
  note_driver_settings();
  const std::string name = library_name();
  auto library = DynamicLibrary::open({name});
  if (!library.ok())
    return machine_error(
        name.find('/') == name.npos
            ? fmt::format("no OpenCL: the dynamic linker does not find {}", name)
            : fmt::format("no OpenCL: {}, which KILN_OPENCL_DRIVER names, cannot be opened", name),
        "install the loader (Debian: ocl-icd-libopencl1) and a driver; " + install_hint());
  std::shared_ptr<OpenClDriver> driver(new OpenClDriver(std::move(*library)));
  const char *missing = nullptr;
#define KILN_OPENCL_FUNCTION(result, name, ...)                                                              \
  driver->name = reinterpret_cast<result (*)(__VA_ARGS__)>(driver->library_.symbol("cl" #name));             \
  if (!driver->name && !missing) missing = "cl" #name;
#include "opencl_functions.def"
  if (missing)
    return machine_error(
        fmt::format("{} has no {}: Kiln needs OpenCL 2.1 or newer", driver->library_.path(), missing),
        "update the loader (Debian: ocl-icd-libopencl1)");
  process_of_driver = process_token();
  KILN_CHECK(driver->list_devices());
  return driver;
}

Result<void> OpenClDriver::list_devices() {
  constexpr uint64_t all_types = 0xFFFFFFFF;
  constexpr uint32_t max_platforms = 64, max_devices = 256;
  uint32_t count = 0;
  void *platforms[max_platforms];
  const int status = GetPlatformIDs(max_platforms, platforms, &count);
  if (status == cl::NoPlatform || (status == cl::Success && count == 0)) return no_platform();
  KILN_CHECK(check(status, "listing OpenCL's platforms", "clGetPlatformIDs"));
  std::string others; // devices that accept no SPIR-V
  for (uint32_t p = 0; p < std::min(count, max_platforms); p++) {
    void *devices[max_devices];
    uint32_t found = 0;
    // A platform without devices is no reason to give up the others.
    if (GetDeviceIDs(platforms[p], all_types, max_devices, devices, &found) != cl::Success) continue;
    for (uint32_t d = 0; d < std::min(found, max_devices); d++) {
      OpenClFacts facts = read_opencl_facts(*this, platforms[p], devices[d]);
      if (facts.spirv_version) {
        facts.info.number = int(devices_.size());
        devices_.push_back(std::move(facts));
      } else {
        others += fmt::format("{}{}", others.empty() ? "" : ", ", facts.info.name);
      }
    }
  }
  if (!devices_.empty()) return {};
  return machine_error(others.empty()
                           ? "no OpenCL device: the drivers report none"
                           : fmt::format("no OpenCL device accepts SPIR-V; without it: {}", others),
                       install_hint());
}

Result<const OpenClFacts *> OpenClDriver::device(int number) const {
  if (number >= 0 && size_t(number) < devices_.size()) return &devices_[size_t(number)];
  return machine_error(fmt::format("there is no OpenCL device {}: {}", number,
                                   devices_.size() == 1
                                       ? "there is one, number 0"
                                       : fmt::format("there are 0 to {}", devices_.size() - 1)));
}

OpenClUsmFunctions OpenClDriver::usm_functions(void *platform) const {
  OpenClUsmFunctions usm;
#define KILN_OPENCL_EXTENSION(result, name, ...)                                                             \
  usm.name = reinterpret_cast<result (*)(__VA_ARGS__)>(                                                      \
      GetExtensionFunctionAddressForPlatform(platform, "cl" #name));
#include "opencl_functions.def"
  return usm;
}

Error OpenClDriver::error(int status, std::string_view action, std::string_view call) const {
  const StatusRow *row = find_status(status);
  return make_error(row ? row->code : ErrorCode::Machine,
                    fmt::format("{}: {} returned {} ({})", action, call, opencl_status_name(status), status),
                    {}, row ? row->hint : "");
}

} // namespace kiln
