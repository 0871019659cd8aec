import Definition
import Inputs
package import Raster
import Reuse
import Runs
import SourceStages
package import Styling

/// The style and the fonts that a run draws with.
package struct DrawingSetup {
  package let style: Style
  package let fonts: FontLibrary

  /// Compiles the layers of a pipeline.
  ///
  /// - Parameters:
  ///   - inputs: the digests of the run, see ``Inputs/ResolvedPipeline/style(reading:)``.
  ///   - fonts: the fonts of this machine; `nil` finds them.
  init(
    _ pipeline: ResolvedPipeline, reading inputs: InputDigests, fonts: FontLibrary? = nil
  ) throws(PipelineError) {
    style = try pipeline.style(reading: inputs)
    self.fonts = try PipelineError.wrapping {
      try fonts ?? FontLibrary(named: pipeline.definition.wantedFonts)
    }
  }

  /// The font files that may affect a pixel: all available ones, if any layer shows text, since
  /// font names may come from the data and each file is a fallback for characters that others lack.
  package var fontFiles: [String] {
    style.layers.contains { $0.kind == .symbol } ? fonts.files : []
  }
}
