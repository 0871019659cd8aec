/// The place on a line that is nearest to each pixel of a picture; the scratch memory of one worker.
///
/// Distances come from whole-number differences between pixels and vertices: the same line moved by
/// whole pixels gives the moved places.
package final class LinePlaces {
  /// A place on a line.
  package struct Place: BitwiseCopyable {
    /// The square of the distance of the pixel from the line, in px².
    fileprivate var square = Double.infinity

    /// The distance of the place along the line, in px.
    package fileprivate(set) var along = 0.0

    /// The distance of the pixel to the right of the line, in px.
    package fileprivate(set) var across = 0.0

    /// The length of the whole line, in px.
    package fileprivate(set) var length = 0.0
  }

  private var places = ContiguousArray<Place>()
  private var width = 0
  private var height = 0
  private var rows = 0..<0

  package init() {}

  package subscript(x: Int, y: Int) -> Place { places[y &* width &+ x] }

  /// Forgets all places.
  package func begin(width: Int, height: Int) {
    if width * height != places.count || width != self.width {
      places = ContiguousArray(repeating: Place(), count: width * height)
    } else {
      for index in rows.lowerBound * width..<rows.upperBound * width { places[index] = Place() }
    }
    self.width = width
    self.height = height
    rows = 0..<0
  }

  /// Finds the places of the pixels near a run of vertices.
  ///
  /// - Parameters:
  ///   - reach: the distance from the line, in px, within which places are needed.
  ///   - length: the length of the whole line, in 1/256 px.
  /// - Complexity: O(pixels near the edges).
  package func add(_ run: StrokeRun, reach: Double, length: Int64) {
    var distance = run.startDistance
    let count = run.points.count
    guard count > 1 else { return }
    for index in 0..<(run.isClosed ? count : count - 1) {
      let (from, to) = (run.points[index], run.points[(index + 1) % count])
      add(
        from, to, start: run.distances.map { $0[index] } ?? distance, reach: reach, length: length)
      distance += StrokeRun.length(from: from, to: to)
    }
  }

  private func add(
    _ from: Path.Point, _ to: Path.Point, start: Int64, reach: Double, length: Int64
  ) {
    guard var edge = StrokeEdge(from: from, to: to, startDistance: start) else { return }
    // The pixels around the ends, too.
    edge.start = .cut(reach)
    edge.end = .cut(reach)
    guard let scan = StrokeScan(edge, reach: reach, height: height) else { return }
    rows =
      rows.isEmpty
      ? scan.rows
      : min(rows.lowerBound, scan.rows.lowerBound)..<max(rows.upperBound, scan.rows.upperBound)
    let first = Double(start) / 256
    let whole = Double(length) / 256
    for row in scan.rows {
      let py = row &* 256 &+ 128 &- edge.y
      for column in scan.columns(row: row, width: width) {
        let px = column &* 256 &+ 128 &- edge.x
        let dot = Double(px &* edge.dx &+ py &* edge.dy) * edge.inverseLength
        let side = Double(py &* edge.dx &- px &* edge.dy) * edge.inverseLength
        let along = min(max(dot, 0), edge.length)
        let beyond = dot - along
        let square = (side * side + beyond * beyond) / 65_536
        let index = row &* width &+ column
        let known = places[index]
        let way = first + along / 256
        guard square < known.square || (square == known.square && way < known.along) else {
          continue
        }
        let distance = beyond == 0 ? side.magnitude / 256 : square.squareRoot()
        places[index] = Place(
          square: square, along: way, across: side < 0 ? -distance : distance, length: whole)
      }
    }
  }
}
