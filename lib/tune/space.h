// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A validated search space: parameters, constraints and shapes, and the points (candidates) in it.
#pragma once

#include "expression.h"

#include <kiln/tune.h>

#include <map>

namespace kiln {

/// Extent of an argument along a dimension, as ExpressionScope::size returns it.
using ArgumentSizes = std::function<Result<int64_t>(int64_t argument, int64_t dimension)>;

/// Parsed expressions of a shape.
struct ShapePlan {
  std::array<Expression, 3> threads, blocks;
  Expression shared_bytes;
  static Result<ShapePlan> parse(const TuneShape &shape,
                                 const std::function<bool(std::string_view)> &is_known);
  /// Computes the launch shape. Errors: Input ("expression error"), also for extents that are no valid shape.
  Result<LaunchShape> evaluate(const ExpressionScope &scope) const;
};

/// Values of all parameters at one point of the space, in parameter order.
using PointValues = std::vector<std::string>;

class SpacePlan {
public:
  static constexpr size_t max_points = 100'000;
  /// Parses and checks a space. Errors: Input ("space error", "expression error"): a parameter without values
  /// or named twice, more than max_points points, a candidate that lacks a parameter.
  static Result<SpacePlan> make(const TuneSpace &space);

  /// Evaluates the sizes of the arguments. Call it before the functions below. Errors: "expression error".
  Result<void> measure(const ArgumentSizes &arguments);
  /// Returns the distinct points that satisfy the constraints, in order. `excluded`: number of points that a
  /// constraint excludes.
  Result<std::vector<PointValues>> points(size_t &excluded) const;
  Result<LaunchShape> shape(const PointValues &values) const;
  /// Evaluates a shape other than the space's own. Its expressions may contain sizes, but no parameters.
  Result<LaunchShape> shape_of(const TuneShape &shape) const;
  Result<std::string> filled(std::string_view text, const PointValues &values) const;
  /// Sorts settings into parameter order. Error: "space error" for an unknown name, or a parameter without a
  /// value.
  Result<PointValues> values_of(const std::vector<TuneSetting> &settings) const;
  const std::vector<TuneParameter> &parameters() const { return space_.parameters; }
  const TuneSpace &space() const { return space_; }
  /// Text for messages: "TILE=8 N=2".
  std::string describe(const PointValues &values) const;

private:
  class Scope;
  TuneSpace space_;
  std::vector<Expression> constraints_;
  std::vector<std::pair<std::string, Expression>> sizes_;
  std::map<std::string, int64_t, std::less<>> size_values_;
  ArgumentSizes arguments_;
  ShapePlan shape_;
  bool is_size(std::string_view name) const;
  std::optional<size_t> parameter(std::string_view name) const;
};

} // namespace kiln
