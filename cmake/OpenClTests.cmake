# with_opencl(TEST...): they find Intel's OpenCL runtime for CPUs and its oneTBB, which ./x installs; else the machine's drivers. Tests of
# OpenCL alone show as skipped if no device accepts SPIR-V; others say what they leave out.
set(KILN_OPENCL_VENDORS "${PROJECT_SOURCE_DIR}/build/opencl-vendors" CACHE PATH "Folder of OpenCL driver files for tests")
function(with_opencl)
  if(EXISTS "${KILN_OPENCL_VENDORS}")
    set_tests_properties(${ARGN} PROPERTIES ENVIRONMENT_MODIFICATION
      "OCL_ICD_VENDORS=set:${KILN_OPENCL_VENDORS};LD_LIBRARY_PATH=path_list_prepend:${KILN_OPENCL_VENDORS}/lib")
  endif()
endfunction()
