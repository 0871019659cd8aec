// Whoever handles a `PipelineError` handles its code and its place.
@_exported public import Failures
