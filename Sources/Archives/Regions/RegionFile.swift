package import Definition
import Features
import Files
import Ingest
import JSON
import MBTiles
package import Runs
import SpatialIndex
import SystemPackage
package import Tiling

/// The regions of a GeoJSON file: its features, each with a name of its own.
package struct RegionFile: Sendable {
  package struct Region: Hashable, Sendable {
    package let name: String

    /// The box of its polygons; west > east crosses the antimeridian.
    package let bounds: GeoBounds

    /// SHA-256 over its edges: equal digests, equal areas.
    package let digest: String
  }

  package let regions: [Region]
  let shapes: RegionShapes

  /// The maximum number of regions.
  private static let limit = 10_000

  /// Reads the file.
  ///
  /// - Throws: ``PipelineError`` where it cannot be read or is not GeoJSON, and for every feature
  ///   that is no region, with its place: it has no polygon, no name, or the name of another.
  /// - Complexity: O(bytes).
  package init(_ packs: PackDefinition) throws(PipelineError) {
    let scan = try PipelineError.wrapping { try RegionScan(packs) }
    let shapes = RegionShapes(WorldShapes(scan.shapes))
    self.shapes = shapes
    let faults = scan.faults(boxes: shapes.boxes)
    if let error = PipelineError(faults) { throw error }
    // Without faults, features and shapes correspond.
    regions = zip(scan.names, shapes.boxes).enumerated().compactMap { index, region in
      guard let name = region.0, let box = region.1 else { return nil }
      return Region(
        name: name, bounds: box.narrowest,
        digest: Hexadecimal.text(shapes.digest(of: index)))
    }
    guard !regions.isEmpty else {
      throw PipelineError(
        .badData, "there is no region. Name a GeoJSON file of polygons.",
        at: DocumentPlace(file: packs.regions))
    }
    guard regions.count <= Self.limit else {
      throw PipelineError(
        .badData,
        "there are \(ReportNumber.count(regions.count)) regions, and at most "
          + "\(ReportNumber.count(Self.limit)) become packs.",
        at: DocumentPlace(file: packs.regions))
    }
  }
}

/// The features of a file of regions as they are read.
private struct RegionScan {
  let packs: PackDefinition
  /// The name of each feature; `nil` where it has none.
  private(set) var names: [String?] = []
  /// The polygons of the features that have any.
  private(set) var shapes = ShapeSet()
  private var lines: [Int] = []
  /// The first byte of each feature in the file; `nil` where it is not known.
  private var offsets: [Int?] = []
  private var kinds: [GeometryColumn.Kind] = []
  private var hasProperty = false

  init(_ packs: PackDefinition) throws {
    self.packs = packs
    var options = GeoJSONOptions(wanted: [packs.property])
    options.locates = true
    let reader = GeoJSONReader(
      source: try ByteSource(path: FilePath(packs.regions), name: packs.regions),
      options: options)
    var batch = FeatureBatch()
    while try reader.read(into: &batch) {
      let column = reader.propertyNames.firstIndex(of: packs.property)
      for row in 0..<batch.count { append(batch, row, column) }
    }
    if let example = reader.ledger.examples.first {
      throw PipelineError(
        .badData, "\(example.message), so this is no region.",
        at: DocumentPlace(file: packs.regions, line: example.line, column: example.column))
    }
    if packs.nameProperty != nil, !hasProperty, !names.isEmpty { throw try unknownProperty() }
  }

  private mutating func append(_ batch: FeatureBatch, _ row: Int, _ column: Int?) {
    let named = column.flatMap { batch.columns[$0].text(row) }
    hasProperty = hasProperty || named != nil
    names.append(named ?? batch.ids.text(row))
    lines.append(batch.lines[row])
    offsets.append(batch.extents.indices.contains(row) ? batch.extents[row].begin : nil)
    kinds.append(batch.geometry.kinds[row])
    if isPolygon(names.count - 1) { shapes.append(batch, rows: [row]) }
  }

  private func isPolygon(_ feature: Int) -> Bool {
    kinds[feature] == .polygon || kinds[feature] == .multiPolygon
  }

  /// Returns the error of the set property, which no feature has, with those that they have.
  private func unknownProperty() throws -> PipelineError {
    let reader = GeoJSONReader(
      source: try ByteSource(path: FilePath(packs.regions), name: packs.regions))
    var batch = FeatureBatch()
    _ = try reader.read(into: &batch)
    let known = reader.propertyNames
    let rest =
      known.isEmpty
      ? "they have no properties."
      : "properties are \(known.prefix(30).joined(separator: ", "))\(known.count > 30 ? ", …" : "")."
    return packs.namePlace.fault(
      "no region of \(packs.regions) has the property '\(packs.property)'"
        + "\(NameSuggestion.question(packs.property, among: known)) \(rest)")
  }

  /// Returns the errors of features that are no regions, in the order of the file.
  ///
  /// - Parameter boxes: the box of each shape; `nil` for one without an area.
  func faults(boxes: [RegionBox?]) -> [PipelineError] {
    var first: [String: Int] = [:]
    var faults: [(feature: Int, message: String)] = []
    var shape = 0
    for (feature, name) in names.enumerated() {
      if isPolygon(feature) {
        if boxes[shape] == nil { faults.append((feature, "this region is empty: it has no area.")) }
        shape += 1
      } else if kinds[feature] == .none {
        faults.append((feature, "this region is empty: it has no geometry."))
      } else {
        faults.append(
          (feature, "a region is a Polygon or a MultiPolygon, and this feature is neither."))
      }
      guard let name, !name.isEmpty else {
        faults.append(
          (
            feature,
            "this region has neither the property '\(packs.property)' nor an id. Name the property "
              + "that tells regions apart with 'name' at \(packs.place)."
          ))
        continue
      }
      guard name.utf8.count <= 1000, ArchiveMetadata.mayHold(name) else {
        faults.append((feature, "this region's name cannot stand in an archive's metadata."))
        continue
      }
      if let other = first.updateValue(feature, forKey: name) {
        first[name] = other
        faults.append(
          (
            feature,
            "two regions are named '\(name)'; the other one begins at line \(lines[other]). Make them "
              + "one MultiPolygon, or name another property with 'name' at \(packs.place)."
          ))
      }
    }
    guard !faults.isEmpty else { return [] }
    let bytes = (try? DocumentFile.bytes(of: packs.regions, limit: .max >> 1)) ?? []
    return faults.map { PipelineError(.badData, $0.message, at: place(of: $0.feature, in: bytes)) }
  }

  private func place(of feature: Int, in bytes: [UInt8]) -> DocumentPlace {
    var place = JSONPlace(line: lines[feature], column: 0)
    if let offset = offsets[feature], bytes.indices.contains(offset) {
      place = bytes[..<offset].withUnsafeBytes { JSONPlace(line: 1, column: 1).advanced(over: $0) }
    }
    return DocumentPlace(file: packs.regions, line: place.line, column: place.column)
  }
}
