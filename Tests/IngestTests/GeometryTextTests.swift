import Features
import Testing
import Tiling

@testable import Ingest

@Suite("A column of geometries")
struct GeometryTextTests {
  /// The parts of a geometry as one line, such as `polygon outerRing[0 0,…]`.
  private func read(
    _ text: String, order: GeometryText.Order = .latlng, limits: GeometryLimits = GeometryLimits()
  ) throws(GeometryRefusal) -> String {
    var reader = GeometryText(order: order, limits: limits)
    var column = GeometryColumn()
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { bytes -> Result<GeometryColumn.Kind, GeometryRefusal> in
      do throws(GeometryRefusal) {
        return .success(try reader.read(bytes, into: &column))
      } catch {
        return .failure(error)
      }
    }
    column.endRecord(try result.get())
    let parts = column.partRange(0).map { part in
      let positions = column.positionRange(part).map { index in
        let position = column.positions[index]
        return "\(position.longitude) \(position.latitude)"
      }
      return "\(column.parts[part])[\(positions.joined(separator: ","))]"
    }
    return (["\(column.kinds[0])"] + parts).joined(separator: " ")
  }

  @Test(
    "well-known text of all types is read, without heights and measures",
    arguments: [
      ("POINT(8.5 47.4)", "point point[8.5 47.4]"),
      ("  point  ( 8.5\t47.4 )  ", "point point[8.5 47.4]"),
      ("POINT Z (8.5 47.4 400)", "point point[8.5 47.4]"),
      ("POINTZM(8.5 47.4 400 1)", "point point[8.5 47.4]"),
      ("SRID=4326;POINT(8.5 47.4)", "point point[8.5 47.4]"),
      ("SRID=3857;POINT(0 0)", "point point[0.0 0.0]"),
      ("POINT EMPTY", "none"), ("GEOMETRYCOLLECTION EMPTY", "none"),
      ("LINESTRING(0 0,1 2,3 4)", "lineString line[0.0 0.0,1.0 2.0,3.0 4.0]"),
      (
        "POLYGON((0 0,4 0,4 4,0 0),(1 1,2 1,2 2,1 1))",
        "polygon outerRing[0.0 0.0,4.0 0.0,4.0 4.0,0.0 0.0] "
          + "innerRing[1.0 1.0,2.0 1.0,2.0 2.0,1.0 1.0]"
      ),
      ("POLYGON((0 0,4 0,4 4))", "polygon outerRing[0.0 0.0,4.0 0.0,4.0 4.0,0.0 0.0]"),
      ("MULTIPOINT(1 2,3 4)", "multiPoint point[1.0 2.0] point[3.0 4.0]"),
      ("MULTIPOINT((1 2),EMPTY,(3 4))", "multiPoint point[1.0 2.0] point[3.0 4.0]"),
      ("MULTILINESTRING((0 0,1 1),EMPTY)", "multiLineString line[0.0 0.0,1.0 1.0]"),
      (
        "MULTIPOLYGON(((0 0,4 0,4 4,0 0)),((5 5,6 5,6 6,5 5)))",
        "multiPolygon outerRing[0.0 0.0,4.0 0.0,4.0 4.0,0.0 0.0] "
          + "outerRing[5.0 5.0,6.0 5.0,6.0 6.0,5.0 5.0]"
      ),
      (
        "GEOMETRYCOLLECTION(POINT(1 2),LINESTRING(0 0,1 1),GEOMETRYCOLLECTION(POINT(3 4)))",
        "collection point[1.0 2.0] line[0.0 0.0,1.0 1.0] point[3.0 4.0]"
      ),
    ])
  func text(text: String, expected: String) throws {
    #expect(try read(text) == expected)
  }

  @Test(
    "well-known binary in hexadecimal digits is read, with the system that it names",
    arguments: [
      ("010100000000000000000021403333333333B34740", "point point[8.5 47.4]"),
      ("00000000014021000000000000" + "4047B33333333333", "point point[8.5 47.4]"),
      ("0101000020E610000000000000000021403333333333b34740", "point point[8.5 47.4]"),
      ("0101000020110F000000000000000000000000000000000000", "point point[0.0 0.0]"),
    ])
  func binary(text: String, expected: String) throws {
    #expect(try read(text) == expected)
  }

  @Test("GeoJSON in a column is read as in a file")
  func geoJSON() throws {
    #expect(try read(#"{"type":"Point","coordinates":[8.5,47.4,400]}"#) == "point point[8.5 47.4]")
    #expect(
      try read(#"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#)
        == "lineString line[0.0 0.0,1.0 1.0]")
    #expect(throws: GeometryRefusal.self) {
      try read(#"{"type":"LineString","coordinates":[[0,0]]}"#)
    }
    #expect(throws: GeometryRefusal.self) { try read(#"{"type":"Point","#) }
  }

  @Test(
    "two numbers are latitude and longitude, or the other way round if that is said",
    arguments: ["47.4,8.5", "47.4, 8.5", "(47.4 8.5)", "[47.4;8.5]", " +47.4 ; 08.5 "])
  func pair(text: String) throws {
    #expect(try read(text) == "point point[8.5 47.4]")
    #expect(try read(text, order: .lnglat) == "point point[47.4 8.5]")
  }

  @Test(
    "what is no geometry is refused with the place of the problem",
    arguments: [
      ("POINT(8.5)", 9, "a coordinate is no number"),
      ("POINT(8.5 47.4", 14, "')' is expected here in the geometry"),
      ("POINT(8.5 47.4))", 15, "text follows the geometry"),
      ("LINESTRING(0 0,x 1)", 15, "a coordinate is no number"),
      ("LINESTRING(0 0)", 15, "a line needs two or more positions"),
      ("CIRCULARSTRING(0 0,1 1,2 0)", 0, "a CIRCULARSTRING cannot be drawn"),
      ("PLACE(0 0)", 0, "there is no type of geometry 'PLACE'"),
      ("SRID=2056;POINT(2600000 1200000)", 0, "the geometry is in EPSG:2056"),
      ("POINT(1 2 3 4 5)", 14, "')' is expected"),
      ("8.5", 0, "the geometry is neither WKT"), ("8.5,", 0, "the geometry is neither WKT"),
      ("0101", 0, "the geometry is neither WKT"),
      ("0163000000000000000000000000", 0, "there is no type of geometry"),
    ])
  func refusal(text: String, offset: Int, words: String) {
    let error = #expect(throws: GeometryRefusal.self) { try read(text) }
    #expect(error?.offset == offset)
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
  }

  @Test("deep and large geometries are refused")
  func limits() {
    let deep =
      String(repeating: "GEOMETRYCOLLECTION(", count: 100_000) + "POINT(1 2)"
      + String(repeating: ")", count: 100_000)
    #expect(throws: GeometryRefusal.self) { try read(deep) }
    let few = GeometryLimits(positions: 2, parts: 1)
    #expect(throws: GeometryRefusal.self) { try read("LINESTRING(0 0,1 1,2 2)", limits: few) }
    #expect(throws: GeometryRefusal.self) { try read("MULTIPOINT(0 0,1 1)", limits: few) }
  }

  /// Reads a table.
  private func table(
    _ text: String, column: String = "pos", threads: ReadingThreads = .one
  ) throws -> (kinds: [GeometryColumn.Kind], ledger: SourceLedger) {
    var options = CSVOptions()
    options.geometry = CSVOptions.GeometryColumn(name: column)
    options.limits = .geometries
    var reader = try CSVReader(
      ByteSource(bytes: Array(text.utf8), name: "a.csv", chunk: 64), options: options,
      threads: threads)
    var batch = FeatureBatch()
    var kinds: [GeometryColumn.Kind] = []
    while try reader.read(into: &batch) {
      kinds += batch.geometry.kinds
      #expect(batch.geometry.count == batch.count)
    }
    return (kinds, reader.ledger)
  }

  @Test("a table with a column of geometries is read, and a bad one has its line and column")
  func table() throws {
    let text = """
      id,pos
      1,"POINT(1 2)"
      2,
      3,"LINESTRING(0 0,1 1)"
      4,"LINESTRING(0 0,x 1)"
      5,"{""type"":""Point"",""coordinates"":[1,""x""]}"
      6,"47.4,8.5"

      """
    let (kinds, ledger) = try table(text)
    #expect(kinds == [.point, .none, .lineString, .point])
    #expect(ledger.rejectedTotal == 2)
    #expect(ledger.examples.first?.line == 5)
    #expect(ledger.examples.first?.column == 19)
    #expect(ledger.examples.dropFirst().first?.line == 6)
  }

  @Test("a table of geometries is the same on several threads")
  func sections() throws {
    let rows = (0..<500).map { row in
      row % 7 == 3 ? "\(row),nowhere" : "\(row),\"LINESTRING(0 0,\(row % 90) 1)\""
    }
    let text = "id,pos\n" + rows.joined(separator: "\n") + "\n"
    let whole = try table(text)
    var cut = ReadingThreads(2, sectionBytes: 192)
    cut.alwaysCuts = true
    let parts = try table(text, threads: cut)
    #expect(parts.kinds == whole.kinds)
    #expect(parts.ledger == whole.ledger)
    #expect(whole.ledger.rejectedTotal == 71)
  }
}
