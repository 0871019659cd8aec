import Definition

extension Build {
  /// The build of the part that all frames share.
  package var withoutSeries: Build {
    Build(
      definition: definition.withoutSeries, context: context, recordLimit: recordLimit)
  }
}
