"""Label sequences: their spans and scores, features of tokens, the problem and its estimator."""
