import Foundation
import TapReading

/// The tiles of a region: at each zoom the squares of 8 × 8 that touch its box, by which taps are
/// stored.
struct RegionTiles: Sendable {
  /// A part of a zoom, in columns eastward and rows southward.
  struct Span: Hashable, Sendable {
    let zoom: Int
    let columns: ClosedRange<Int>
    let rows: ClosedRange<Int>

    /// The rows northward from the south edge, as archives count them.
    var storedRows: ClosedRange<Int> {
      let last = (1 << zoom) - 1
      return (last - rows.upperBound)...(last - rows.lowerBound)
    }
  }

  let spans: [Span]

  /// The most squares of a region.
  private static let blockLimit = 1 << 20

  init(_ box: MapBox, zooms: ClosedRange<Int>) throws(ClientError) {
    let limit = MapCoordinate.maxLatitude
    func row(_ latitude: Double) -> Double {
      MapCoordinate(longitude: 0, latitude: min(max(latitude, -limit), limit)).world?.y ?? 0
    }
    let west = TileBox.modulo(box.west + 180, 360) / 360
    let width = box.east - box.west >= 360 ? 1 : TileBox.modulo(box.east - box.west, 360) / 360
    guard west.isFinite, width.isFinite, box.south <= box.north else {
      throw ClientError.boxTooLarge(blocks: 0)
    }
    let edges =
      width == 1
      ? [0...1] : west + width > 1 ? [west...1, 0...west + width - 1] : [west...west + width]
    var (spans, blocks) = ([Span](), 0)
    for zoom in zooms.clamped(to: 0...TileAddress.maxZoom) {
      let (count, side) = (1 << zoom, TapBlock.side)
      func squares(_ first: Double, _ last: Double) -> ClosedRange<Int> {
        let first = min(Int(first * Double(count)), count - 1) / side * side
        let last = min(Int(last * Double(count)), count - 1) / side * side
        return first...min(last + side, count) - 1
      }
      let rows = squares(row(box.north), row(box.south))
      var columns = edges.map { squares($0.lowerBound, $0.upperBound) }
      if columns.count == 2, columns[0].overlaps(columns[1]) { columns = [0...count - 1] }
      for columns in columns {
        spans.append(Span(zoom: zoom, columns: columns, rows: rows))
        blocks += max(columns.count / side, 1) * max(rows.count / side, 1)
      }
    }
    guard blocks <= Self.blockLimit else { throw ClientError.boxTooLarge(blocks: blocks) }
    self.spans = spans
  }

  /// The number of the first tile of a zoom.
  static func firstNumber(_ zoom: Int) -> Int { ((1 << (2 * zoom)) - 1) / 3 + 1 }

  /// The numbers of the rows of the tiles, ascending: those of a square follow each other.
  var numbers: [ClosedRange<Int>] {
    var starts: [ClosedRange<Int>] = []
    for span in spans {
      let side = min(TapBlock.side, 1 << span.zoom)
      for row in stride(from: span.rows.lowerBound, through: span.rows.upperBound, by: side) {
        for column in stride(
          from: span.columns.lowerBound, through: span.columns.upperBound, by: side)
        {
          let key = DigestTree.key(TileAddress(zoom: 0, column: column, row: row))
          let first = Self.firstNumber(span.zoom) + Int(key)
          starts.append(first...first + side * side - 1)
        }
      }
    }
    return starts.sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { runs, run in
      if let last = runs.last, last.upperBound + 1 == run.lowerBound {
        runs[runs.count - 1] = last.lowerBound...run.upperBound
      } else {
        runs.append(run)
      }
    }
  }
}
