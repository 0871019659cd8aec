import Features
import Ingest
import TestSupport
import Testing

@testable import GeoPackages

/// A blob, and what it is read as: a kind and parts, or a refusal.
struct GeometryCase: Sendable, CustomTestStringConvertible {
  var name: String
  var blob: GeometryBlob
  var kind = GeometryColumn.Kind.none
  var text = ""
  var refusal: String?
  var testDescription: String { name }
}

private let square: [Double] = [0, 0, 4, 0, 4, 4, 0, 4, 0, 0]

extension GeometryBlob {
  fileprivate func ring(_ numbers: [Double]) -> GeometryBlob {
    var blob = with(UInt32(numbers.count / 2))
    for number in numbers { blob.append(number) }
    return blob
  }
}

private let good: [GeometryCase] = [
  GeometryCase(name: "a point", blob: .point(1, 2), kind: .point, text: "p 1 2"),
  GeometryCase(
    name: "a big-endian point under a big-endian header",
    blob: .header(isLittle: false).begun(1, isLittle: false).with(numbers: 1, 2), kind: .point,
    text: "p 1 2"),
  GeometryCase(
    name: "a point behind an envelope of four numbers",
    blob: .header(envelope: [1, 1, 2, 2]).begun(1).with(numbers: 1, 2), kind: .point, text: "p 1 2"),
  GeometryCase(
    name: "behind six", blob: .header(envelope: [1, 1, 2, 2, 0, 0]).begun(1).with(numbers: 1, 2),
    kind: .point, text: "p 1 2"),
  GeometryCase(
    name: "behind six with M",
    blob: .header(envelope: [1, 1, 2, 2, 0, 0], kind: 3).begun(1).with(numbers: 1, 2), kind: .point,
    text: "p 1 2"),
  GeometryCase(
    name: "behind eight",
    blob: .header(envelope: [1, 1, 2, 2, 0, 0, 0, 0]).begun(1).with(numbers: 1, 2), kind: .point,
    text: "p 1 2"),
  GeometryCase(
    name: "ISO Z", blob: .header().begun(1001).with(numbers: 1, 2, 9), kind: .point, text: "p 1 2"),
  GeometryCase(
    name: "ISO M", blob: .header().begun(2001).with(numbers: 1, 2, 9), kind: .point, text: "p 1 2"),
  GeometryCase(
    name: "ISO ZM", blob: .header().begun(3002, count: 2).with(numbers: 1, 2, 9, 8, 3, 4, 7, 6),
    kind: .lineString, text: "l 1 2, 3 4"),
  GeometryCase(
    name: "PostGIS Z, M and a system",
    blob: .header().begun(0xE000_0001).with(4326).with(numbers: 1, 2, 9, 8), kind: .point,
    text: "p 1 2"),
  GeometryCase(
    name: "an empty point", blob: .header(flags: 0x10).begun(1).with(numbers: .nan, .nan)),
  GeometryCase(name: "an empty line", blob: .header(flags: 0x10).begun(2, count: 0)),
  GeometryCase(name: "an empty polygon", blob: .header().begun(3, count: 0)),
  GeometryCase(name: "an empty collection", blob: .header().begun(7, count: 0)),
  GeometryCase(
    name: "a polygon with a hole",
    blob: .header().begun(3, count: 2).ring(square).ring([1, 1, 1, 2, 2, 2, 1, 1]), kind: .polygon,
    text: "o 0 0, 4 0, 4 4, 0 4, 0 0; i 1 1, 1 2, 2 2, 1 1"),
  GeometryCase(
    name: "a polygon whose hole has no area, left out",
    blob: .header().begun(3, count: 2).ring(square).ring([1, 1, 2, 2, 1, 1]), kind: .polygon,
    text: "o 0 0, 4 0, 4 4, 0 4, 0 0"),
  GeometryCase(
    name: "a ring that is not closed, closed",
    blob: .header().begun(3, count: 1).ring([0, 0, 4, 0, 4, 4]), kind: .polygon,
    text: "o 0 0, 4 0, 4 4, 0 0"),
  GeometryCase(
    name: "two polygons, one of no area with a hole",
    blob: .header().begun(6, count: 2).begun(3, count: 2).ring([1, 1, 2, 2, 1, 1]).ring(square)
      .begun(3, count: 1).ring(square), kind: .multiPolygon, text: "o 0 0, 4 0, 4 4, 0 4, 0 0"),
  GeometryCase(
    name: "points of different byte orders",
    blob: .header().begun(4, count: 2).begun(1).with(numbers: 1, 2)
      .begun(1, isLittle: false).with(numbers: 3, 4), kind: .multiPoint, text: "p 1 2; p 3 4"),
  GeometryCase(
    name: "lines, one of them empty",
    blob: .header().begun(5, count: 2).begun(2, count: 0).begun(2, count: 2)
      .with(numbers: 1, 2, 3, 4), kind: .multiLineString, text: "l 1 2, 3 4"),
  GeometryCase(
    name: "a collection in a collection",
    blob: .header().begun(7, count: 2).begun(1).with(numbers: 1, 2).begun(7, count: 1)
      .begun(2, count: 2).with(numbers: 1, 2, 3, 4), kind: .collection, text: "p 1 2; l 1 2, 3 4"),
  GeometryCase(
    name: "bytes behind the end", blob: .point(1, 2).with(77), kind: .point, text: "p 1 2"),
]

private func nested(_ depth: Int) -> GeometryBlob {
  (0..<depth).reduce(GeometryBlob.header()) { blob, _ in blob.begun(7, count: 1) }
    .begun(1).with(numbers: 1, 2)
}

private let bad: [GeometryCase] = [
  ("a wrong magic", .header(magic: "GQ").begun(1).with(numbers: 1, 2), "begin with 'GP'"),
  ("a new version", .header(version: 1).begun(1).with(numbers: 1, 2), "version 2"),
  ("an extended blob", .header(flags: 0x20).begun(1).with(numbers: 1, 2), "ExtendedGeoPackage"),
  ("an unknown envelope", .header(kind: 5).begun(1).with(numbers: 1, 2), "envelope of kind 5"),
  ("an envelope that is not there", .header(kind: 4), "cut off"),
  ("nothing", GeometryBlob(), "begin with 'GP'"),
  ("only a header", .header(), "cut off"),
  ("half a point", .header().begun(1).with(numbers: 1), "cut off"),
  (
    "a wrong byte order", GeometryBlob(bytes: GeometryBlob.header().bytes + [7, 1, 0, 0, 0]),
    "order is 7"
  ),
  (
    "a lying count of positions", .header().begun(2, count: .max).with(numbers: 1, 2),
    "4294967295 items"
  ),
  (
    "a lying count of rings", .header().begun(3, count: .max).with(numbers: 1, 2),
    "4294967295 items"
  ),
  ("a lying count of members", .header().begun(6, count: 0x7FFF_FFFF), "2147483647 items"),
  ("a circular string", .header().begun(8, count: 0), "CIRCULARSTRING"),
  ("a curve polygon with Z", .header().begun(1010, count: 0), "CURVEPOLYGON"),
  ("a multisurface", .header().begun(12, count: 0), "MULTISURFACE"),
  ("a TIN", .header().begun(16, count: 0), "TIN"),
  ("an unknown type", .header().begun(42, count: 0), "no type of geometry 42"),
  ("a line of one position", .header().begun(2, count: 1).with(numbers: 1, 2), "two or more"),
  (
    "a ring of three positions", .header().begun(3, count: 1).ring([0, 0, 1, 1, 0, 0]),
    "four or more"
  ),
  ("a line among points", .header().begun(4, count: 1).begun(2, count: 0), "another type"),
  ("not a number", .header().begun(1).with(numbers: 1, .nan), "no number"),
  ("infinity", .header().begun(2, count: 2).with(numbers: 1, 2, .infinity, 4), "no number"),
  ("seventeen collections in each other", nested(17), "nested more than 16"),
].map { GeometryCase(name: $0.0, blob: $0.1, refusal: $0.2) }

struct GeoPackageGeometryTests {
  @Test("a geometry blob is read as its geometry", arguments: good)
  func read(_ expected: GeometryCase) throws {
    let dump = try GeoPackageDump(try Self.fixture(expected.blob).reader())
    #expect(dump.kinds == [expected.kind, .point])
    #expect(dump.geometry == [expected.text, "p 5 6"])
  }

  @Test("a broken geometry blob is a rejected record that names the fault", arguments: bad)
  func reject(_ expected: GeometryCase) throws {
    let reader = try Self.fixture(expected.blob).reader()
    let dump = try GeoPackageDump(reader)
    #expect(dump.ids == ["8"])
    #expect(reader.ledger.read == 1)
    #expect(reader.ledger.rejectedTotal == 1)
    let example = try #require(reader.ledger.examples.first)
    #expect(example.line == 7)
    #expect(example.message.contains(expected.refusal ?? ""))
  }

  @Test("a geometry blob truncated anywhere, or with any byte changed, is read or rejected")
  func mutations() throws {
    let blob = GeometryBlob.header(envelope: [0, 4, 0, 4]).begun(6, count: 1).begun(3, count: 2)
      .ring(square).ring([1, 1, 1, 2, 2, 2, 1, 1]).bytes
    var random = SplitMix64(seed: 7)
    var rows = blob.indices.map { Array(blob[..<$0]) }
    for place in blob.indices {
      for _ in 0..<4 {
        var changed = blob
        changed[place] = UInt8(truncatingIfNeeded: random.next())
        rows.append(changed)
      }
    }
    let values = rows.map { "(\(GeometryBlob(bytes: $0).sql))" }.joined(separator: ",")
    let reader = try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB);" + GeoPackageFixture.features("t")
        + "INSERT INTO t(geom) VALUES \(values);"
    ).reader()
    let dump = try GeoPackageDump(reader)
    #expect(dump.ids.count + reader.ledger.rejectedTotal == rows.count)
    #expect(reader.ledger.rejectedTotal > blob.count)
  }

  /// Record 7 with the blob, and 8 behind it, which must not suffer.
  private static func fixture(_ blob: GeometryBlob) throws -> GeoPackageFixture {
    try GeoPackageFixture(
      "CREATE TABLE t (fid INTEGER PRIMARY KEY, geom BLOB);" + GeoPackageFixture.features("t")
        + "INSERT INTO t VALUES (7, \(blob.sql)), (8, \(GeometryBlob.point(5, 6).sql));")
  }
}
