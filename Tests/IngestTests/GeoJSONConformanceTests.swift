import Features
import TestSupport
import Testing

@testable import Ingest

/// Files of geojsonhint's bad/ that are read, and why.
private let accepted: [String: String] = [
  "bad-polygon-interiorring-rhr": "winding order is advice; fills do not depend on it",
  "polygon_winding_order": "winding order is advice",
  "bbox-4or6elements": "a bbox is never used",
  "bbox-contains-string": "a bbox is never used",
  "bbox-string": "a bbox is never used",
  "excessive_precision_truncated": "digits beyond a Double's do no harm",
  "geometrycollection_nested": "discouraged, not forbidden",
  "geometrycollection_single": "discouraged, not forbidden",
  "different-first-last": "a ring that is not closed is closed, and counted",
  "different-first-size": "heights do not decide whether a ring is closed",
  "short-linearring": "three positions that are not closed are a triangle",
  "point-toomany": "more than three ordinates are discouraged, and dropped",
]

@Suite(.enabled(if: SharedData.isThere, "../shared/data is absent"))
struct GeoJSONConformanceTests {
  private let hints = "conformance/geojsonhint"

  @Test("geojsonhint: every good file is read without a reject")
  func good() throws {
    let names = try SharedData.names(in: "\(hints)/good", ending: ".geojson")
    #expect(names.count == 18)
    for name in names {
      let dump = GeoJSONDump(bytes: try SharedData.bytes("\(hints)/good/\(name)"))
      #expect(dump.error == nil && dump.rejected == [:], "\(name)")
      #expect(dump.count > 0, "\(name)")
    }
  }

  @Test("geojsonhint: every bad file is refused, except for mere warnings")
  func bad() throws {
    let names = try SharedData.names(in: "\(hints)/bad", ending: ".geojson")
    #expect(names.count == 44)
    for name in names {
      let dump = GeoJSONDump(bytes: try SharedData.bytes("\(hints)/bad/\(name)"))
      let isRefused = dump.error != nil || dump.rejected != [:]
      #expect(isRefused == (accepted[String(name.dropLast(8))] == nil), "\(name)")
    }
  }

  /// A GeoJSON file of the manifest: `N features KIND:COUNT …, N vertices`.
  private struct Entry {
    let path: String
    let features: Int
    let vertices: Int
  }

  private func entries() throws -> [Entry] {
    let manifest = String(decoding: try SharedData.bytes("MANIFEST.tsv"), as: UTF8.self)
    let lines: [Substring] = manifest.split(separator: "\n")
    return try lines.compactMap { line -> Entry? in
      let fields: [Substring] = line.split(separator: "\t", omittingEmptySubsequences: false)
      let pattern = /^([0-9]+) features? .*, ([0-9]+) vertices/
      guard fields.count > 3, let match = try pattern.firstMatch(in: fields[3]),
        fields[0].hasSuffix("json"), let features = Int(match.1), let vertices = Int(match.2)
      else { return nil }
      return Entry(
        path: fields[0].split(separator: "/").dropFirst().joined(separator: "/"),
        features: features, vertices: vertices)
    }
  }

  /// Rings of three positions in real parcels.
  private let rejected = [
    "polygons/cambridge_parcels_2013.geojson": [RejectReason.invalidGeometry: 1]
  ]

  @Test("every GeoJSON file of the real data is read with its features and vertices")
  func realData() throws {
    let entries = try entries()
    #expect(entries.count >= 20)
    for entry in entries {
      let source = ByteSource(bytes: try SharedData.bytes(entry.path), name: entry.path)
      let reader = GeoJSONReader(source: source, options: GeoJSONOptions(wanted: []))
      var batch = FeatureBatch()
      var records = 0
      var vertices = 0
      while try reader.read(into: &batch) {
        records += batch.count
        vertices += batch.geometry.positions.count
      }
      let rejected = rejected[entry.path] ?? [:]
      #expect(reader.ledger.rejected == rejected, "\(entry.path)")
      #expect(records + reader.ledger.rejectedTotal == entry.features, "\(entry.path)")
      if rejected.isEmpty { #expect(vertices == entry.vertices, "\(entry.path)") }
    }
  }

  @Test("properties of real files have the values in the file")
  func realProperties() throws {
    let hotels = GeoJSONDump(bytes: try SharedData.bytes("points/dc_hotels.geojson"))
    #expect(
      hotels.records.first
        == "1 point point(-76.98997945900216 38.888373396148666) {OBJECTID: 1, WEB_URL: \"\", "
        + "PHONE: \"202-543-1020\", ZIP: \"20003\", GIS_ID: \"Htl_1\", "
        + "ADDRESS: \"134 12TH STREET SE\", NUMROOMS: 5, NAME: \"A CAPITOL PLACE\", "
        + "X: 400869.56, Y: 135613.84, ADDRID: 66757}")
    let shapes = GeoJSONDump(bytes: try SharedData.bytes("overlays/spatialconnect_simple.json"))
    #expect(shapes.count == 1 && shapes.rejected == [:])
    #expect(
      shapes.records.first?.hasPrefix("1 collection line(-82.6171875 49.15296965617042") == true)
    let array = GeoJSONDump(
      bytes: try SharedData.bytes("polygons/manhattan_buildings_deckgl.json"))
    #expect(array.error == "a.geojson:1:1: GeoJSON must be an object")
  }
}
