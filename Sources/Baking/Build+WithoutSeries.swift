import Definition

extension Build {
  /// The build of what all frames share.
  package var withoutSeries: Build {
    Build(
      definition: definition.withoutSeries, options: options, cancellation: cancellation,
      progress: progress, inputs: inputs, recordLimit: recordLimit, artifacts: artifacts)
  }
}
