#pragma once

namespace hedgerow::models {

// What predictions come from: the last predictor; the average of all; the average of all divided by their
// norms; the majority of all.
enum class Averaging { none, average, normalized, vote };

}  // namespace hedgerow::models
