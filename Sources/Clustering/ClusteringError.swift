package import Failures

/// An error for invalid cluster options.
package struct ClusteringError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Sendable {
    case cellSize, tileSize, radius, zoom
  }

  package let code: Code

  /// A sentence that gives the problem and its remedy.
  package let message: String
}

extension ClusteringError: WordedFailure {
  package var failureCode: FailureCode { .definition }
}
