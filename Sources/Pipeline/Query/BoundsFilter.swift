import Expressions
import Features
import Ingest
import Tiling

/// `--bbox`: which records touch a box.
///
/// Points follow the rule of all boxes here: the west and the north edge belong to it, the others
/// do not. Lines and polygons touch it as `S_INTERSECTS` has it, edges included.
struct BoundsFilter {
  private let bounds: GeoBounds
  private let shapes: RecordFilter
  private let view: RecordView

  init(_ bounds: GeoBounds, on view: RecordView) throws {
    self.bounds = bounds
    self.view = view
    shapes = RecordFilter(try CompiledFilter.compile(cql2: Self.condition(bounds)), on: view)
  }

  /// Whether the view's record touches the box.
  func matches() -> Bool {
    let geometry = view.batch.geometry
    switch view.kind {
    case .none: return false
    case .point, .multiPoint:
      return geometry.partRange(view.row).contains { part in
        geometry.positionRange(part).contains { bounds.contains(geometry.positions[$0]) }
      }
    default: return shapes.matches()
    }
  }

  /// The box in CQL2, within the range of its coordinates.
  private static func condition(_ bounds: GeoBounds) -> String {
    let isWorld = bounds.east - bounds.west >= 360
    let numbers = [
      isWorld ? -180 : wrapped(bounds.west), clamped(bounds.south),
      isWorld ? 180 : wrapped(bounds.east), clamped(bounds.north),
    ]
    let texts = numbers.map { JSONWriter.text(.number($0)) }
    return "S_INTERSECTS(geometry, BBOX(\(texts.joined(separator: ","))))"
  }

  private static func wrapped(_ longitude: Double) -> Double {
    abs(longitude) <= 540
      ? longitude : LngLat(longitude: longitude, latitude: 0).wrappedLongitude
  }

  private static func clamped(_ latitude: Double) -> Double { min(max(latitude, -90), 90) }
}
