// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "opencl.h"

#ifndef KILN_BENCH_OPENCL

namespace bench {
std::unique_ptr<OpenCl> OpenCl::open() { return nullptr; }
} // namespace bench

#else

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <cstdio>
#include <cstdlib>

namespace bench {
namespace {

void check(cl_int status, const char *what) {
  if (status == CL_SUCCESS) return;
  std::fprintf(stderr, "OpenCL: %s failed with status %d\n", what, status);
  std::exit(1);
}

class Device final : public OpenCl {
public:
  explicit Device(cl_device_id id) : id_(id) {
    cl_int status;
    context_ = clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &status);
    check(status, "a context");
    queue_ = clCreateCommandQueue(context_, id_, 0, &status);
    check(status, "a queue");
  }
  ~Device() override {
    for (cl_kernel kernel : kernels_) clReleaseKernel(kernel);
    for (cl_mem buffer : buffers_) clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue_);
    clReleaseContext(context_);
  }

  std::string device() const override {
    char name[256] = {}, version[256] = {};
    clGetDeviceInfo(id_, CL_DEVICE_NAME, sizeof(name) - 1, name, nullptr);
    clGetDeviceInfo(id_, CL_DEVICE_VERSION, sizeof(version) - 1, version, nullptr);
    return std::string(name) + ", " + version;
  }

  size_t load(const char *source, const char *name, const std::vector<Argument> &arguments) override {
    cl_int status;
    cl_program program = clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
    check(status, "a program");
    if (clBuildProgram(program, 1, &id_, "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", nullptr,
                       nullptr) != CL_SUCCESS) {
      std::vector<char> log(1 << 16);
      clGetProgramBuildInfo(program, id_, CL_PROGRAM_BUILD_LOG, log.size() - 1, log.data(), nullptr);
      std::fprintf(stderr, "OpenCL: %s\n%s\n", name, log.data());
      std::exit(1);
    }
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    for (cl_uint i = 0; i < arguments.size(); i++) {
      if (!arguments[i].memory) {
        check(clSetKernelArg(kernel, i, arguments[i].size, arguments[i].bytes.data()), "an argument");
        continue;
      }
      cl_mem buffer = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, arguments[i].size,
                                     arguments[i].memory, &status);
      check(status, "a buffer");
      buffers_.push_back(buffer);
      check(clSetKernelArg(kernel, i, sizeof(buffer), &buffer), "an argument");
    }
    clReleaseProgram(program);
    kernels_.push_back(kernel);
    return kernels_.size() - 1;
  }

  void run(size_t kernel, std::array<size_t, 2> items, std::array<size_t, 2> group) override {
    check(clEnqueueNDRangeKernel(queue_, kernels_[kernel], 2, nullptr, items.data(), group.data(), 0, nullptr,
                                 nullptr),
          "a launch");
    check(clFinish(queue_), "a kernel");
  }

private:
  cl_device_id id_;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  std::vector<cl_kernel> kernels_;
  std::vector<cl_mem> buffers_;
};

} // namespace

std::unique_ptr<OpenCl> OpenCl::open() {
  cl_platform_id platforms[8];
  cl_uint count = 0;
  if (clGetPlatformIDs(8, platforms, &count) != CL_SUCCESS) return nullptr;
  for (cl_uint i = 0; i < count && i < 8; i++) {
    cl_device_id id;
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &id, nullptr) == CL_SUCCESS)
      return std::make_unique<Device>(id);
  }
  return nullptr;
}

} // namespace bench

#endif
