import Columns
import Definition
import Features
import Inputs
import Overlays
import Runs
import Scenes
import SourceStages
import Tiling

/// A box of the map in which nothing of the data lies, most often since its longitudes and latitudes are
/// exchanged.
struct MissedBox {
  /// The data of all sources.
  let sources: [ClusteredSource]

  /// Returns the note on the bounds of a pipeline's tiles; `nil` where some data lies in them, or there is
  /// none at all.
  func note(on bounds: GeoBounds, file: String) -> String? {
    guard isMissed(bounds) else { return nil }
    let numbers = [bounds.west, bounds.south, bounds.east, bounds.north]
    let exchanged = GeoBounds(
      west: bounds.south, south: bounds.west, east: bounds.north, north: bounds.east)
    let isMeant =
      abs(bounds.west) <= 90 && abs(bounds.east) <= 90 && bounds.west < bounds.east
      && holdsData(exchanged)
    return
      "\(DocumentPlace(file: file)): nothing of the data lies in the 'bounds' of tiles, "
      + "[\(Self.text(numbers))]: \(extent)"
      + (isMeant
        ? " They are west, south, east, north; exchanged, [\(Self.text([1, 0, 3, 2].map { numbers[$0] }))], "
          + "they hold data." : "")
  }

  /// Returns the note on a view; `nil` where it shows some of the places of the data.
  ///
  /// - Parameter box: returns what a view around a centre shows, in degrees.
  func note(on center: LngLat, box: (LngLat) -> GeoBounds) -> String? {
    guard isMissed(box(center)) else { return nil }
    let exchanged = LngLat(longitude: center.latitude, latitude: center.longitude)
    let isMeant = abs(center.longitude) <= 90 && holdsData(box(exchanged))
    let numbers = [center.longitude, center.latitude]
    return
      "nothing of the data lies in the view around longitude, latitude \(Self.text(numbers)): \(extent)"
      + (isMeant
        ? " The longitude comes first; exchanged, around \(Self.text(numbers.reversed())), the view shows "
          + "data." : "")
  }

  private static func text(_ numbers: [Double]) -> String {
    numbers.map { number in
      let text = ReportNumber.decimal(number, 5)
      let end = text.lastIndex { $0 != "0" } ?? text.startIndex
      return String(text[end] == "." ? text[..<end] : text[...end])
    }.joined(separator: ", ")
  }

  /// Where the data lies, as a sentence.
  private var extent: String {
    let box = sources.dataBounds
    return "it lies in \(Self.text([box.west, box.south, box.east, box.north]))."
  }

  private func isMissed(_ box: GeoBounds) -> Bool {
    holdsData(.world) && !holdsData(box)
  }

  /// - Complexity: O(positions).
  private func holdsData(_ box: GeoBounds) -> Bool {
    let turns =
      box.west <= box.east
      ? [box.west...box.east] : [box.west...180.0, -180.0...box.east]
    let rows = box.south...max(box.north, box.south)
    return sources.contains { source in
      turns.contains { $0.holds(data: source, rows) }
    }
  }
}

extension ClosedRange<Double> {
  /// Whether some of a source's data lies between these longitudes and some latitudes.
  fileprivate func holds(data source: ClusteredSource, _ rows: ClosedRange<Double>) -> Bool {
    func meets(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Bool {
      // Data that crosses the antimeridian has longitudes beyond ±180.
      south <= rows.upperBound && north >= rows.lowerBound
        && [-360.0, 0, 360].contains { west + $0 <= upperBound && east + $0 >= lowerBound }
    }
    let loaded = source.source
    if let box = loaded.resolved.tilesBox {
      return meets(box.west, box.south, box.east, box.north)
    }
    if let box = loaded.image?.source.extent.degrees {
      return meets(box.west, box.south, box.east, box.north)
    }
    let points = loaded.points
    if zip(points.longitudes, points.latitudes).contains(where: { meets($0, $1, $0, $1) }) {
      return true
    }
    let geometry = loaded.shapes.geometry
    return (0..<geometry.count).contains { record in
      let box = geometry.box(of: record)
      return box.minX <= box.maxX && meets(box.minX, box.minY, box.maxX, box.maxY)
    }
  }
}
