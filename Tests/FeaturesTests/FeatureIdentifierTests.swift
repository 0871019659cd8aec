import Features
import TestSupport
import Testing
import Tiling

@Suite("Feature identifiers")
struct FeatureIdentifierTests {
  /// A record of a test: a position and named values.
  struct Record: Sendable {
    var longitude = 1.0
    var values: [(name: String, value: PropertyValue)] = []
    var id = PropertyValue.null
    /// Whether values are texts without a type, as a CSV file has them.
    var isUntyped = false
  }

  /// The identifiers of records in one batch, or each in one of its own.
  private func texts(
    _ records: [Record], columns: [String] = ["name", "open"], id: String? = nil,
    batchSize: Int = 100, joinsAlike: Bool = false
  ) -> [String] {
    var identifiers = FeatureIdentifiers(
      idColumn: id, ignoring: ["lng"], joinsAlike: joinsAlike)
    var texts: [String] = []
    for start in stride(from: 0, to: records.count, by: batchSize) {
      var batch = FeatureBatch()
      batch.columns = columns.map { PropertyColumn(name: $0) }
      for record in records[start..<min(start + batchSize, records.count)] {
        append(record, to: &batch)
      }
      for row in 0..<batch.count {
        texts.append(identifiers.textOfID(batch, row) ?? identifiers.textOfContent(batch, row))
      }
    }
    return texts
  }

  private func append(_ record: Record, to batch: inout FeatureBatch) {
    batch.geometry.add(LngLat(longitude: record.longitude, latitude: 0))
    batch.geometry.endPart(.point)
    batch.geometry.endRecord(.point)
    append(record.id, to: &batch.ids, isUntyped: false)
    batch.lines.append(batch.count + 1)
    for index in batch.columns.indices {
      let value = record.values.first { $0.name == batch.columns[index].name }?.value
      guard let value else {
        batch.columns[index].append(.missing)
        continue
      }
      append(value, to: &batch.columns[index], isUntyped: record.isUntyped)
    }
  }

  private func append(_ value: PropertyValue, to column: inout PropertyColumn, isUntyped: Bool) {
    func append(_ text: String, _ kind: PropertyColumn.Kind) {
      var text = text
      text.withUTF8 { column.append(kind, bytes: UnsafeRawBufferPointer($0)) }
    }
    switch value {
    case .bool(let bool): column.append(bool ? .true : .false)
    case .number(let number) where isUntyped: append("\(number)", .text)
    case .number(let number): column.append(number)
    case .string(let text): append(text, isUntyped ? .text : .string)
    default: column.append(.null)
    }
  }

  private func named(_ name: String, at longitude: Double = 1) -> Record {
    Record(longitude: longitude, values: [("name", .string(name))])
  }

  @Test(
    "a feature identifier is the id as text: of the column, otherwise of the file",
    arguments: [
      (Record(values: [("name", .string("007"))], isUntyped: true), "007"),
      (Record(values: [("name", .string("7"))], id: .string("x")), "7"),
      (Record(values: [("name", .number(7))]), "7"),
      (Record(values: [("name", .number(7.5))]), "7.5"),
      (Record(values: [("name", .null)], id: .string("a.b/ü\"\n")), "a.b/ü\"\n"),
      (Record(id: .number(1)), "1"), (Record(id: .string("1")), "1"),
      (Record(values: [("name", .string(""))], id: .string("x")), "x"),
    ])
  func ids(record: Record, text: String) {
    #expect(texts([record], id: "name") == [text])
  }

  @Test("an empty id counts as missing: the content decides")
  func emptyID() {
    let empty = Record(values: [("name", .string(""))], id: .string(""))
    #expect(texts([empty], id: "name")[0].count == 32)
    #expect(texts([empty])[0] == texts([Record(values: [("name", .string(""))])])[0])
  }

  @Test("a fallback identifier is a hash of the content that never changes")
  func hash() {
    #expect(texts([named("Motel 6", at: -86.69843)]) == ["efb7f3099840e32692bb1f64ecfa8d74"])
  }

  @Test("fallback identifiers are equal for a record of a file with types and of one without")
  func formats() {
    let values: [(name: String, value: PropertyValue)] = [
      ("name", .string("a")), ("rooms", .number(12)), ("open", .null),
    ]
    let columns = ["lng", "rooms", "name", "open"]
    let typed = Record(values: values)
    let untyped = Record(
      values: values.dropLast() + [("lng", .string("1"))], isUntyped: true)
    #expect(texts([typed], columns: columns) == texts([untyped], columns: columns))
    #expect(texts([typed], columns: columns) == texts([typed], columns: columns.reversed()))
  }

  @Test("fallback identifiers differ if the content does")
  func differences() {
    let one = Record(values: [("name", .string("1"))])
    let others = [
      Record(values: [("name", .number(1))]), Record(values: [("open", .string("1"))]),
      Record(longitude: 2, values: [("name", .string("1"))]),
      Record(values: [("name", .string("1")), ("open", .bool(true))]), Record(),
      Record(values: [("name", .string("1")), ("open", .bool(false))]),
      Record(values: [("name", .string("")), ("open", .string("1"))]),
    ]
    #expect(Set(([one] + others).map { texts([$0])[0] }).count == others.count + 1)
  }

  @Test("fallback identifiers distinguish duplicates by their order", arguments: [1, 2, 100])
  func twins(batchSize: Int) {
    let records = [named("a"), named("b"), named("a"), named("a", at: 2), named("a")]
    let found = texts(records, batchSize: batchSize)
    #expect(Set(found).count == 5)
    #expect(found[2] == found[0] + "-1" && found[4] == found[0] + "-2")
  }

  @Test("where records with equal properties are one feature, place and order do not count")
  func alike() {
    let records = [named("a"), named("b"), named("a", at: 2), named("a")]
    let found = texts(records, batchSize: 1, joinsAlike: true)
    #expect(found[0] == found[2] && found[0] == found[3] && found[0] != found[1])
    #expect(found[0].count == 32)
  }

  @Test("fallback identifiers do not depend on the order of the other records")
  func order() {
    var random = SplitMix64(seed: 8)
    let names = (0..<3000).map { _ in "n\(Int.random(in: 0..<1500, using: &random))" }
    let expected = Dictionary(grouping: zip(names, texts(names.map { named($0) }))) { $0.0 }
      .mapValues { $0.map(\.1) }
    for _ in 0..<3 {
      let shuffled = names.shuffled(using: &random)
      let found = Dictionary(grouping: zip(shuffled, texts(shuffled.map { named($0) }))) { $0.0 }
        .mapValues { $0.map(\.1) }
      #expect(found == expected)
    }
    let counts = Dictionary(grouping: names) { $0 }.mapValues(\.count)
    #expect(expected.allSatisfy { Set($0.value).count == counts[$0.key] })
  }
}
