import Inputs

extension Build {
  /// The build of the part that all frames share.
  package var withoutSeries: Build {
    Build(pipeline.withoutSeries, context: context, recordLimit: recordLimit)
  }
}
