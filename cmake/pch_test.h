// Precompiled header of the unit tests with Catch2.
#include "pch_llvm.h"

#include <catch2/catch.hpp>
