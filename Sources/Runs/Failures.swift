// Code that handles a `PipelineError` also handles its code and its place.
@_exported public import Failures
