// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component packages (layer 1): finds the files of a package, as Julia does. It reads folders, Project.toml
// and Manifest.toml, and knows no World.
//   toml        reads a TOML file as plain values
//   project     reads Project.toml and Manifest.toml
//   slug        computes the name of a version's folder in a depot
//   preferences preferences that the environments set for packages
//   resolver    finds the package that a name means, along the load path
#pragma once

#include "project.h"
#include "resolver.h"
#include "slug.h"
