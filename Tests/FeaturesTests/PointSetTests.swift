import Features
import Testing
import Tiling

@Suite("A point set")
struct PointSetTests {
  /// Rows with a number, an id where it is even, and a point at that longitude.
  private func batch(_ numbers: [Int], columns: [String] = ["n"], ids: Bool = false) -> FeatureBatch
  {
    var batch = FeatureBatch()
    batch.columns = columns.map { PropertyColumn(name: $0) }
    for number in numbers {
      for index in columns.indices { batch.columns[index].append(Double(number + index)) }
      if ids, number % 2 == 0 {
        batch.ids.append(Double(number))
      } else {
        batch.ids.append(.missing)
      }
      batch.lines.append(number + 100)
    }
    return batch
  }

  private func append(_ batch: FeatureBatch, rows: [Int], to set: inout PointSet) {
    let degrees = rows.map { row in
      LngLat(longitude: Double(batch.lines[row] - 100), latitude: 1)
    }
    set.append(
      batch, rows: ContiguousArray(rows), degrees: ContiguousArray(degrees),
      squares: ContiguousArray(degrees.compactMap { WorldPoint($0) }))
  }

  @Test("a point set keeps the given rows, in order, with all their values")
  func rows() {
    var set = PointSet()
    append(batch([1, 2, 3], ids: true), rows: [0, 1, 2], to: &set)
    append(batch([4, 5, 6], ids: true), rows: [1, 2], to: &set)
    append(batch([7, 8, 9], ids: true), rows: [], to: &set)
    #expect(set.longitudes == [1, 2, 3, 5, 6])
    #expect(set.lines == [101, 102, 103, 105, 106])
    #expect((0..<5).map { set.columns[0].number($0) } == [1, 2, 3, 5, 6])
    #expect((0..<5).map { set.records.id($0) } == [nil, "2", nil, nil, "6"])
    #expect(set.recordCount == 5)
  }

  @Test("a point set pads columns that start late or end early with missing values")
  func growingSchema() {
    var set = PointSet()
    append(batch([1, 2]), rows: [0, 1], to: &set)
    append(batch([3], columns: ["n", "m"]), rows: [0], to: &set)
    append(batch([4]), rows: [0], to: &set)
    #expect(set.columns.map(\.name) == ["n", "m"])
    #expect((0..<4).map { set.columns[1].value($0) } == [nil, nil, .number(4), nil])
    #expect(set.records.index(of: "m") == 1)
    #expect(set.records.index(of: "x") == nil)
  }

  @Test("a point set repeats a record for each of its points")
  func multipoints() {
    var set = PointSet()
    append(batch([1, 2]), rows: [0, 1], to: &set)
    append(batch([3, 4]), rows: [0, 0, 0, 1], to: &set)
    append(batch([5]), rows: [0, 0], to: &set)
    #expect(set.count == 8)
    #expect(set.recordCount == 5)
    #expect((0..<8).map { set.record(of: $0) } == [0, 1, 2, 2, 2, 3, 4, 4])
    #expect((0..<8).map { set.columns[0].number($0) } == [1, 2, 3, 3, 3, 4, 5, 5])
    let pruned = set.removing { $0 == 0 || $0 == 2 }
    #expect(pruned.longitudes == [2, 4, 5, 5])
    #expect((0..<4).map { pruned.record(of: $0) } == [0, 1, 2, 2])
    #expect((0..<4).map { pruned.columns[0].number($0) } == [2, 4, 5, 5])
  }
}

@Suite("A shape set")
struct ShapeSetTests {
  /// Records of parts with one position each: longitudes 0, 1, 2 … in their order.
  private func batch(
    _ records: [(GeometryColumn.Kind, [GeometryColumn.Part])]
  ) -> FeatureBatch {
    var batch = FeatureBatch()
    for (row, record) in records.enumerated() {
      for part in record.1 {
        batch.geometry.add(
          LngLat(longitude: Double(batch.geometry.parts.count), latitude: 0))
        batch.geometry.endPart(part)
      }
      batch.geometry.endRecord(record.0)
      batch.ids.append(.missing)
      batch.lines.append(row + 1)
    }
    return batch
  }

  @Test("a shape set makes a shape of each line and polygon of a collection, and drops its points")
  func parts() {
    let batch = batch([
      (.multiPolygon, [.outerRing, .innerRing, .outerRing]),
      (.collection, [.line, .point, .outerRing, .innerRing, .innerRing, .outerRing, .line]),
      (.point, [.point]), (.collection, [.point, .line]), (.multiLineString, [.line, .line]),
    ])
    var shapes = ShapeSet()
    shapes.append(batch, rows: [0, 1])
    shapes.append(batch, rows: [3, 4])
    #expect(
      shapes.geometry.kinds == [
        .multiPolygon, .lineString, .polygon, .polygon, .lineString, .lineString, .multiLineString,
      ])
    #expect(shapes.geometry.partEnds == [3, 4, 7, 8, 9, 10, 12])
    #expect(
      shapes.geometry.positions.map(\.longitude) == [0, 1, 2, 3, 5, 6, 7, 8, 9, 12, 13, 14])
    #expect(shapes.records.lines == [1, 2, 2, 2, 2, 4, 5])
    #expect(shapes.count == 7 && shapes.recordCount == 4)
    #expect((0..<7).map { shapes.record(of: $0) } == [0, 1, 1, 1, 1, 2, 3])
    let kept = shapes.removing { $0 == 1 }
    #expect(kept.geometry.positions.map(\.longitude) == [0, 1, 2, 12, 13, 14])
    #expect(kept.records.lines == [1, 4, 5] && kept.recordCount == 3)
  }

  @Test("the rows of a record are found from any of them")
  func owners() {
    var owners = RecordOwners()
    owners.append([4, 5])
    #expect(owners.rows(sharingRecordOf: 1) == 1..<2)
    owners.append([0, 1, 1, 1, 2])
    owners.append([2, 2])
    let ranges = (0..<9).map { owners.rows(sharingRecordOf: $0) }
    #expect(
      ranges == [0..<1, 1..<2, 2..<3, 3..<6, 3..<6, 3..<6, 6..<7, 7..<9, 7..<9])
    #expect(owners.recordCount == 6)
  }
}

@Suite("A source ledger")
struct SourceLedgerTests {
  @Test("a source ledger adds up parts and sorts their examples in the order of the file")
  func parts() {
    func part(_ reason: RejectReason, line: Int) -> SourceLedger {
      var ledger = SourceLedger()
      ledger.read = 2
      ledger.used = 1
      ledger.reject(.init(reason: reason, line: line, column: 0, message: ""), as: reason)
      return ledger
    }
    var whole = part(.raggedRow, line: 9)
    whole.add(part(.raggedRow, line: 2))
    whole.add(part(.tooLarge, line: 3))
    whole.sortExamples()
    #expect(whole.read == 6 && whole.used == 3 && whole.balances)
    #expect(whole.rejected == [.raggedRow: 2, .tooLarge: 1])
    #expect(whole.examples.map(\.line) == [3, 9])
  }
}

@Suite("Record columns")
struct RecordColumnsTests {
  @Test(
    "record columns report which column a batch would fill beyond 32 bits before anything is copied"
  )
  func fullColumn() {
    var batch = FeatureBatch()
    batch.columns = [PropertyColumn(name: "small"), PropertyColumn(name: "large")]
    batch.columns[0].append(.null)
    [UInt8](repeating: 65, count: 1 << 20).withUnsafeBytes {
      batch.columns[1].append(.text, bytes: $0)
    }
    batch.lines.append(1)
    let columns = RecordColumns()
    #expect(columns.fullColumn(for: batch, rows: repeatElement(0, count: 4095)) == nil)
    #expect(columns.fullColumn(for: batch, rows: repeatElement(0, count: 4096)) == "large")
    #expect(columns.fullColumn(for: batch, rows: []) == nil)
  }
}
