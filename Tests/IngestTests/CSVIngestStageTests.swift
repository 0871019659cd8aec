import Features
import Ingest
import OrderedCollections
import Testing
import Tiling

@Suite("The ingest stage")
struct CSVIngestStageTests {
  private func read(
    _ text: String, chunk: Int = 1 << 16, csv: CSVOptions = CSVOptions(),
    _ change: (inout IngestOptions) -> Void = { _ in }
  ) throws -> IngestedSource {
    var options = IngestOptions()
    options.tolerance = 100
    change(&options)
    var reader = try CSVReader(
      ByteSource(bytes: Array(text.utf8), name: "data/stores.csv", chunk: chunk), options: csv)
    return try IngestStage.read(&reader, file: "data/stores.csv", options: options)
  }

  @Test("the ingest stage counts every record once, whatever its outcome")
  func ledger() throws {
    let source = try read(
      """
      id,lng,lat
      1,10,20
      2,,
      3,10,90.5
      4,-541,20
      5,x,20
      6,1
      7,540,85.0511
      8,10,-90.06
      9,200,1
      10,10,-85.06
      """
    ) { options in
      options.filter = { batch, row in batch.columns[0].number(row) != 9 }
    }
    let ledger = source.ledger
    #expect(ledger.read == 10)
    #expect(ledger.used == 2)
    #expect(ledger.filtered == 1)
    #expect(ledger.noGeometry == 1)
    #expect(ledger.beyondMap == 1)
    #expect(
      ledger.rejected == [
        .latitudeOutOfRange: 2, .longitudeOutOfRange: 1, .invalidCoordinate: 1, .raggedRow: 1,
      ])
    #expect(ledger.balances)
    #expect(ledger.examples.map(\.line) == [4, 5, 6, 7])
    #expect(source.points.lines == [2, 8])
    #expect(source.points.longitudes == [10, -180])
    #expect(source.points.columns[0].number(1) == 7)
  }

  @Test(
    "a point between ±85.0511° and a pole is beyond the map, not rejected",
    arguments: [("85.0511", 1, 0, 0), ("85.06", 0, 1, 0), ("-90", 0, 1, 0), ("90.01", 0, 0, 1)])
  func beyondTheMap(latitude: String, used: Int, beyond: Int, rejected: Int) throws {
    let ledger = try read("lng,lat\n7,\(latitude)\n") { $0.tolerance = 1 }.ledger
    #expect(ledger.used == used)
    #expect(ledger.beyondMap == beyond)
    #expect(ledger.rejectedTotal == rejected)
    #expect(ledger.read == 1 && ledger.balances)
  }

  @Test("the ingest stage wraps longitudes and computes the position in the Mercator square")
  func positions() throws {
    let points = try read("lng,lat\n190,0\n-180,0\n180,0\n").points
    #expect(points.longitudes == [-170, -180, -180])
    #expect(
      Array(points.positions)
        == [-170.0, -180, 180].compactMap {
          WorldPoint(LngLat(longitude: $0, latitude: 0))
        })
  }

  @Test(
    "the ingest stage stops when more records are rejected than tolerated, with reasons and a place"
  )
  func tolerance() throws {
    let text = "lng,lat\n1,1\n1,99\nx,1\n1,99\n"
    #expect(try read(text) { $0.tolerance = 3 }.ledger.rejectedTotal == 3)
    let error = #expect(throws: SourceError.self) { try read(text) { $0.tolerance = 2 } }
    #expect(error?.code == .badData)
    #expect(
      error?.description
        == "data/stores.csv:3: latitude 99.0 is beyond ±90°; "
        + "3 rejected so far (1 invalid_coordinate, 2 latitude_out_of_range) and 2 tolerated. "
        + "Fix the file or raise 'onError: {max: …}'.")
  }

  @Test("the ingest stage refuses a duplicate id unless a policy decides")
  func duplicates() throws {
    let text = "id,lng,lat\na,1,1\nb,2,2\na,3,3\n,4,4\n,5,5\na,6,6\n"
    let error = #expect(throws: SourceError.self) { try read(text) { $0.id = "id" } }
    #expect(
      error?.description
        == "data/stores.csv:4: the id 'a' is also that of line 2. "
        + "Set 'onDuplicateId: first' or 'last' to keep one of them.")
    for chunk in [1, 1000] {
      let first = try read(text, chunk: chunk) {
        $0.id = "id"
        $0.onDuplicateID = .first
      }
      #expect(first.points.longitudes == [1, 2, 4, 5])
      #expect(first.ledger.rejected == [.duplicateKey: 2])
      #expect(first.ledger.balances)
      let last = try read(text, chunk: chunk) {
        $0.id = "id"
        $0.onDuplicateID = .last
      }
      #expect(last.points.longitudes == [2, 4, 5, 6])
      #expect(last.points.lines == [3, 5, 6, 7])
      #expect(last.ledger.rejected == [.duplicateKey: 2])
      #expect(last.ledger.used == 4 && last.ledger.balances)
      #expect(last.ledger.examples.map(\.line) == [2])
    }
  }

  @Test("the ingest stage does not count unused records as holders of their ids")
  func duplicatesOfUnused() throws {
    let source = try read("id,lng,lat\na,1,99\na,,\na,1,1\n") { $0.id = "id" }
    #expect(source.ledger.used == 1)
    #expect(source.ledger.rejected == [.latitudeOutOfRange: 1])
  }

  @Test("the ingest stage distinguishes thousands of ids")
  func manyIDs() throws {
    let rows = (0..<5000).map { "\($0 % 4000),1,1\n" }.joined()
    let source = try read("id,lng,lat\n" + rows) {
      $0.id = "id"
      $0.onDuplicateID = .first
      $0.tolerance = 1000
    }
    #expect(source.points.count == 4000)
    #expect(source.ledger.rejected == [.duplicateKey: 1000])
  }

  @Test("the ingest stage lists the properties when the id is not one of them")
  func missingID() {
    let error = #expect(throws: SourceError.self) {
      try read("key,lng,lat\n1,1,1\n") { $0.id = "id" }
    }
    #expect(error?.code == .configuration)
    #expect(
      error?.message
        == "no property named 'id' in data/stores.csv; properties are key, lng, lat. Set 'id:'.")
  }

  @Test("the ingest stage sorts points, lines and collections into the right set, one record each")
  func geometries() throws {
    var batch = FeatureBatch()
    batch.columns = [PropertyColumn(name: "n")]
    func add(_ kind: GeometryColumn.Kind, _ parts: [(GeometryColumn.Part, [Double])]) {
      for (part, longitudes) in parts {
        for longitude in longitudes {
          batch.geometry.add(LngLat(longitude: longitude, latitude: 0))
        }
        batch.geometry.endPart(part)
      }
      batch.geometry.endRecord(kind)
      batch.columns[0].append(Double(batch.count))
      batch.ids.append(.missing)
      batch.lines.append(batch.count + 1)
    }
    add(.point, [(.point, [1])])
    add(.multiPoint, [(.point, [2]), (.point, [3])])
    add(.lineString, [(.line, [4, 5])])
    add(
      .collection,
      [(.point, [6]), (.line, [7, 8]), (.point, [9]), (.outerRing, [10, 11, 12, 10])])
    add(.multiPoint, [])
    add(.polygon, [(.outerRing, [1, 2, 600])])
    add(.none, [])
    var reader = FixedReader(batch: batch)
    var options = IngestOptions()
    options.tolerance = 1
    let source = try IngestStage.read(&reader, file: "f", options: options)
    #expect(source.ledger.read == 7 && source.ledger.balances)
    #expect(source.ledger.used == 4 && source.ledger.noGeometry == 2)
    #expect(source.ledger.rejected == [.longitudeOutOfRange: 1])
    #expect(source.points.longitudes == [1, 2, 3, 6, 9])
    #expect((0..<5).map { source.points.record(of: $0) } == [0, 1, 1, 2, 2])
    #expect(source.points.recordCount == 3)
    #expect((0..<5).map { source.points.columns[0].number($0) } == [0, 1, 1, 3, 3])
    #expect(source.shapes.recordCount == 2)
    #expect(source.shapes.geometry.kinds == [.lineString, .lineString, .polygon])
    #expect(
      source.shapes.geometry.positions.map(\.longitude) == [4, 5, 7, 8, 10, 11, 12, 10])
    #expect((0..<3).map { source.shapes.records.columns[0].number($0) } == [2, 3, 3])
  }
}

/// Gives one batch.
private struct FixedReader: FeatureReader {
  var batch: FeatureBatch
  var propertyNames: [String] { batch.columns.map(\.name) }
  var ledger = SourceLedger()
  var bytesRead = 0
  private var isDone = false

  init(batch: FeatureBatch) { self.batch = batch }

  mutating func read(into target: inout FeatureBatch) throws(SourceError) -> Bool {
    target.removeAll()
    if isDone { return false }
    isDone = true
    target = batch
    return true
  }
}
