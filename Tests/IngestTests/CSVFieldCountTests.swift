import Features
import Ingest
import Testing
import Tiling

@Suite("CSV records of more or fewer fields than columns")
struct CSVFieldCountTests {
  /// Rows of two, three, four and five fields, and the middle one of the four quoted.
  static let text = #"""
    a,b,c
    1,2
    1,2,3
    1,2,3,4
    1,2, x , "y, ""z""" ,5
    1,2,"x",y

    """#

  private func read(
    _ extra: CSVOptions.ExtraFields, _ missing: CSVOptions.MissingFields, of text: String = text,
    chunk: Int = 1 << 16
  ) throws -> CSVResult {
    try CSVResult(
      text, chunk: chunk,
      options: .plain.with { ($0.extraFields, $0.missingFields) = (extra, missing) })
  }

  @Test("CSV records of more or fewer fields than columns are rejected by default")
  func rejected() throws {
    let result = try read(.error, .error)
    #expect(result.fields == [["1", "2", "3"]])
    #expect(result.ledger.rejected == [.raggedRow: 4] && result.ledger.repaired.isEmpty)
  }

  @Test("'extraFields: ignore' keeps the first fields and counts the records")
  func ignored() throws {
    let result = try read(.ignore, .error)
    #expect(
      result.fields == [["1", "2", "3"], ["1", "2", "3"], ["1", "2", "x"], ["1", "2", "x"]])
    #expect(result.ledger.rejected == [.raggedRow: 1])
    #expect(result.ledger.repaired == [.ignoredFields: 3])
  }

  @Test("'extraFields: join' joins surplus fields into the last column, without the quotes")
  func joined() throws {
    let result = try read(.join, .error)
    #expect(
      result.fields == [
        ["1", "2", "3"], ["1", "2", "3,4"], ["1", "2", "x , y, \"z\" ,5"], ["1", "2", "x,y"],
      ])
    #expect(result.ledger.repaired == [.joinedFields: 3])
  }

  @Test("'missingFields: null' makes missing fields null and counts the records")
  func missing() throws {
    let result = try read(.error, .null, of: "a,b,c\n1\n1,2\n1,2,3\n")
    #expect(result.fields == [["1", nil, nil], ["1", "2", nil], ["1", "2", "3"]])
    #expect(result.ledger.repaired == [.missingFields: 2])
  }

  @Test(
    "records of more or fewer fields give the same at every buffer size",
    arguments: CSVOptions.ExtraFields.allCases)
  func chunks(extra: CSVOptions.ExtraFields) throws {
    let whole = try read(extra, .null)
    for chunk in 1...30 { #expect(try read(extra, .null, chunk: chunk) == whole) }
  }

  @Test("the table in the documentation, split at commas, keeps every hotel")
  func hotels() throws {
    let text = """
      -80.26262, 25.81015, Everglades Motel, USA-United States, +1 305-888-8797
      -80.2, 25.8, Hotel Two, USA, +1 305, ext 4
      -80.1, 25.7, Hotel Three, USA
      """
    let options = CSVOptions.headerless(
      "lng", "lat", "name", "country", "phone", hasGeometry: true
    ).with { ($0.extraFields, $0.missingFields) = (.join, .null) }
    let result = try CSVResult(text, options: options)
    #expect(result.fields.map { $0[4] } == ["+1 305-888-8797", "+1 305, ext 4", nil])
    #expect(result.points.count == 3 && result.ledger.rejectedTotal == 0)
  }

  @Test("a record without coordinates has no geometry, and one with half of them is rejected")
  func coordinates() throws {
    let options = CSVOptions().with { $0.missingFields = .null }
    let result = try CSVResult("name,lng,lat\na\nb,1\nc,1,2\n", options: options)
    #expect(result.points == [nil, LngLat(longitude: 1, latitude: 2)])
    #expect(result.ledger.rejected == [.invalidCoordinate: 1])
    #expect(result.ledger.repaired == [.missingFields: 1])
  }
}
