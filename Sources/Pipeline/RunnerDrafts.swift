package import Drafts
import Reuse
package import Runs

extension PipelineRunner {
  /// Drafts a pipeline from files of data; nothing is written.
  package static func draft(
    _ request: PipelineDraft.Request, cancellation: Cancellation,
    progress: @escaping ProgressHandler
  ) throws(PipelineError) -> PipelineDraft {
    try PipelineDraft(
      request, context: RunContext(cancellation: cancellation, progress: progress))
  }
}
