// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search space, checked, and its points.
#pragma once

#include "expression.h"

#include <kiln/tune.h>

#include <map>

namespace kiln {

/// Elements of an argument along a dimension, as ExpressionScope::size.
using ArgumentSizes = std::function<Result<int64_t>(int64_t argument, int64_t dimension)>;

/// A shape's expressions, parsed.
struct ShapePlan {
  std::array<Expression, 3> threads, blocks;
  Expression shared_bytes;
  static Result<ShapePlan> parse(const TuneShape &shape,
                                 const std::function<bool(std::string_view)> &is_known);
  /// Errors: Input ("expression error"), also for what is no extent.
  Result<LaunchShape> evaluate(const ExpressionScope &scope) const;
};

/// One choice of values.
using PointValues = std::vector<std::string>;

class SpacePlan {
public:
  static constexpr size_t max_points = 100'000;
  /// Errors: Input ("space error", "expression error"): a parameter without values or named twice, more than
  /// max_points, a candidate that leaves a parameter out.
  static Result<SpacePlan> make(const TuneSpace &space);

  /// Evaluates the sizes. Before what follows. Errors: "expression error".
  Result<void> measure(const ArgumentSizes &arguments);
  /// The candidates in their order, each once; `excluded`: those that a constraint forbids.
  Result<std::vector<PointValues>> points(size_t &excluded) const;
  Result<LaunchShape> shape(const PointValues &values) const;
  /// Of another shape than the space's own, over sizes alone.
  Result<LaunchShape> shape_of(const TuneShape &shape) const;
  Result<std::string> filled(std::string_view text, const PointValues &values) const;
  /// The values by parameter. Error: "space error", for a name that is none, or a parameter without a value.
  Result<PointValues> values_of(const std::vector<TuneSetting> &settings) const;
  const std::vector<TuneParameter> &parameters() const { return space_.parameters; }
  const TuneSpace &space() const { return space_; }
  /// For messages: "TILE=8 N=2".
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
