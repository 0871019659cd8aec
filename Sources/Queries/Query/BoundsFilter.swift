import Expressions
import Features
import Ingest
import JSON
import Tiling

/// The filter of `--bbox`: records that touch a box, its edges included.
///
/// It is `S_INTERSECTS(geometry, BBOX(…))`, so the two always agree. A cell, tile or pixel owns
/// only two of its edges so that each point is counted once; that does not apply to a query for one
/// box.
struct BoundsFilter {
  private let filter: RecordFilter
  private let view: RecordView

  /// - Parameter bounds: the box, with longitudes within ±180, see ``GeoBounds/wrapped``.
  init(_ bounds: GeoBounds, on view: RecordView) throws {
    self.view = view
    filter = RecordFilter(try CompiledFilter.compile(cql2: Self.condition(bounds)), on: view)
  }

  /// Whether the view's record touches the box.
  func matches() -> Bool { view.kind != .none && filter.matches() }

  /// Returns the box in CQL2, within the range of its coordinates.
  private static func condition(_ bounds: GeoBounds) -> String {
    let numbers = [bounds.west, clamped(bounds.south), bounds.east, clamped(bounds.north)]
    let texts = numbers.map { JSONWriter.text(.number($0)) }
    return "S_INTERSECTS(geometry, BBOX(\(texts.joined(separator: ","))))"
  }

  private static func clamped(_ latitude: Double) -> Double { min(max(latitude, -90), 90) }
}
