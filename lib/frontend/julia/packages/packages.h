// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Component packages (layer 1): which files a package is, as Julia finds them. It reads folders, Project.toml
// and Manifest.toml, and knows no World.
//   toml        a file's tables as plain values
//   project     what Project.toml and Manifest.toml say of packages
//   slug        the folder of a depot in which a version lies
//   preferences the environments' preferences
//   resolver    names to packages, along the load path
#pragma once

#include "project.h"
#include "resolver.h"
#include "slug.h"
