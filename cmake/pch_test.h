// Precompiled for the tests that Catch2 runs.
#include "pch_llvm.h"

#include <catch2/catch.hpp>
