import Columns
import PNG
import Painting
package import Reuse
import Runs

extension PainterFactory {
  /// A writer of the palette and codes on which the style's sparse tiles were trained, so that other
  /// runs and processes need not train.
  ///
  /// - Throws: as ``PainterFactory/sparseStyle()``.
  func palette() throws -> ArtifactWriter {
    var writer = ArtifactWriter()
    if let training = try sparseStyle()?.training {
      writer.append(Column(CollectionOfOne(training.background)))
      writer.append(Column(training.colors))
      writer.append(Column(training.frequencies.literals))
      writer.append(Column(training.frequencies.distances))
    }
    return writer
  }

  /// Takes the columns of ``palette()`` instead of training.
  func adoptPalette(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    var training: SparseStyle.Training?
    if !reader.isAtEnd {
      let background = try reader.column(of: UInt32.self)
      let colors = Array(try reader.column(of: UInt32.self))
      let literals = Array(try reader.column(of: UInt64.self))
      let distances = Array(try reader.column(of: UInt64.self))
      guard background.count == 1 else { throw ArtifactDamage("a palette has no background") }
      training = SparseStyle.Training(
        background: background[0], colors: colors,
        frequencies: SymbolFrequencies(literals: literals, distances: distances))
    }
    guard adopt(training) else { throw ArtifactDamage("it is no palette") }
  }

  /// Takes the palette that an earlier run trained on the same style, or trains and keeps it.
  ///
  /// - Parameters:
  ///   - inputs: the inputs of the archive: what the style follows from is among them.
  ///   - isForced: whether to train in any case.
  func takePalette(
    of inputs: Provenance, in cache: ArtifactCache, isForced: Bool
  ) throws(PipelineError) {
    var style = inputs
    // A style is compiled before any record is read.
    style.sources = []
    let key = cache.key(.palette, style.lines)
    if !isForced, cache.value(key, adoptPalette) != nil { return }
    cache.store(key, try PipelineError.wrapping { try palette() })
  }
}

extension PlannedTiles {
  /// See ``Painting/PainterFactory/palette()``.
  package func palette() throws -> ArtifactWriter { try painters.palette() }

  /// See ``Painting/PainterFactory/adoptPalette(_:)``.
  package func adoptPalette(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
    try painters.adoptPalette(&reader)
  }
}
