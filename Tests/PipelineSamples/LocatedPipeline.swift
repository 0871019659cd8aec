package import Baking
package import Definition
import Foundation
package import Inputs
package import Reuse
package import Runs
import SourceStages
package import Styling
import SystemPackage

extension PipelineDefinition {
  /// The pipeline with its files of this machine; what is elsewhere is missing.
  package func located() throws(PipelineError) -> ResolvedPipeline {
    let folder = FilePath(FileManager.default.temporaryDirectory.path)
    return try InputResolver(of: self, folder: folder).located(self)
  }

  /// Its build from the files of this machine.
  package func build(_ context: RunContext = RunContext()) throws(PipelineError) -> Build {
    try UndecidedBuild(located(), context: context).decided()
  }

  /// Its compiled layers.
  package func style() throws(PipelineError) -> Style { try located().style() }
}
