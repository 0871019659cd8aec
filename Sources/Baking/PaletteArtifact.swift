import Columns
import PNG
import Painting
package import Reuse

extension PlannedTiles {
  /// A writer of the palette and codes on which the style's sparse tiles were trained, so that other
  /// processes need not train.
  ///
  /// - Throws: as ``PainterFactory/sparseStyle()``.
  package func palette() throws -> ArtifactWriter {
    var writer = ArtifactWriter()
    if let training = try painters.sparseStyle()?.training {
      writer.append(Column(CollectionOfOne(training.background)))
      writer.append(Column(training.colors))
      writer.append(Column(training.frequencies.literals))
      writer.append(Column(training.frequencies.distances))
    }
    return writer
  }

  /// Takes the columns of ``palette()`` instead of training.
  package func adoptPalette(_ reader: inout ArtifactReader) throws(ArtifactDamage) {
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
    guard painters.adopt(training) else { throw ArtifactDamage("it is no palette") }
  }
}
