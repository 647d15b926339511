# The Python package (python/), built if Python's headers and nanobind are found. `./x test` installs nanobind in build/python-venv.
option(KILN_PYTHON_WHEEL "Build the Python package alone, for pip" OFF)
if(NOT KILN_BUILD_PYTHON OR KILN_SANITIZE) # a library with sanitizers cannot be loaded into Python
  return()
endif()
if(NOT DEFINED Python_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/build/python-venv/bin/python")
  set(Python_EXECUTABLE "${PROJECT_SOURCE_DIR}/build/python-venv/bin/python")
endif()
find_package(Python 3.10 QUIET COMPONENTS Interpreter Development.Module)
if(Python_FOUND AND NOT DEFINED nanobind_ROOT)
  execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_ROOT
    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT Python_FOUND OR NOT nanobind_ROOT)
  message(STATUS "The Python package is left out: ${PROJECT_SOURCE_DIR}/build/python-venv has no Python with headers and nanobind (./x test makes it)")
  return()
endif()
add_subdirectory(python)
