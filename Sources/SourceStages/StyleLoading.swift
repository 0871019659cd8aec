import Definition
package import Inputs
package import Reuse
package import Runs
package import Styling

extension ResolvedPipeline {
  /// Compiles the layers, decodes the images that they show, and tries the filters of the sources.
  ///
  /// - Parameter inputs: the digests of the run, which then know the files of the images as they
  ///   were read.
  /// - Throws: ``PipelineError`` with the place of the first fault in the pipeline file and with
  ///   those of other expressions, or the file of an image.
  package func style(
    reading inputs: InputDigests = InputDigests()
  ) throws(PipelineError) -> Style {
    var errors: [PipelineError] = []
    let layers = errors.value { () throws(PipelineError) in try definition.styleLayers() }
    for source in sources where source.records != nil {
      _ = errors.value { () throws(PipelineError) in try source.definition.filters() }
    }
    if let error = PipelineError(errors) { throw error }
    return Style(layers: layers ?? [], images: try images(inputs))
  }
}
