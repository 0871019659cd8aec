extension PipelineDefinition {
  package var hasSeries: Bool { sources.contains { $0.series != nil } }
}
