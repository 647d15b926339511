// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component packages (layer 1): finds the files of a package, as Julia does. It reads folders, Project.toml
// and Manifest.toml, and knows no World.
//   toml        a TOML file as plain values
//   project     contents of Project.toml and Manifest.toml
//   slug        a version's folder in a depot
//   preferences preferences of the environments
//   resolver    names to packages, along the load path
#pragma once

#include "project.h"
#include "resolver.h"
#include "slug.h"
