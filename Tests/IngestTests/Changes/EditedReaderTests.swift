import Features
import Ingest
import RecordChanges
import Testing

@Suite("Edited sources")
struct EditedReaderTests {
  private let shops = "id,lng,lat,name\na,1,1,Anna\nb,2,2,Bert\nc,3,3,Carl\n"

  @Test("an edited source omits deleted records, changes others in place, and appends new ones")
  func csv() throws {
    let dump = try EditedSource(
      base: shops,
      log: """
        op,id,lng,lat,name
        upsert,z,9,9,Zoe
        delete,a,,,
        ,b,5,6,Berta
        upsert,d,4,4,Dora

        """
    ).read()
    #expect(
      dump.records == [
        "point point(5.0 6.0) id=b lat=6 lng=5 name=Berta",
        "point point(3.0 3.0) id=c lat=3 lng=3 name=Carl",
        "point point(9.0 9.0) id=z lat=9 lng=9 name=Zoe",
        "point point(4.0 4.0) id=d lat=4 lng=4 name=Dora",
      ])
    #expect(dump.places == ["edits:4", "4", "edits:2", "edits:5"])
    let edits = try #require(dump.ledger.edits)
    #expect((edits.edited, edits.deleted, edits.inserted, edits.dangling) == (1, 1, 2, 0))
    #expect(edits.firstDangling == nil)
  }

  @Test(
    "an edited source with an empty log equals the source", arguments: ["", "\u{FEFF}", "\n\n"])
  func emptyLog(log: String) throws {
    let dump = try EditedSource(base: shops, log: log).read()
    #expect(dump.records.count == 3)
    let edits = try #require(dump.ledger.edits)
    #expect((edits.edited, edits.deleted, edits.inserted, edits.dangling) == (0, 0, 0, 0))
  }

  @Test("an update changes only its values, an upsert the whole record")
  func update() throws {
    let source = EditedSource(
      base: shops, log: "op,id,name,phone\nupdate,b,,77\nupdate,b,Berta,\nupdate,c,,\n")
    let dump = try source.read()
    #expect(
      dump.records == [
        "point point(1.0 1.0) id=a lat=1 lng=1 name=Anna",
        "point point(2.0 2.0) id=b lat=2 lng=2 name=Berta phone=77",
        "point point(3.0 3.0) id=c lat=3 lng=3 name=Carl",
      ])
    #expect(dump.places == ["2", "edits:3", "edits:4"])
    let texts = EditedSource(
      base: shops,
      log: #"{"type":"Feature","id":"b","op":"update","geometry":null,"properties":{"name":null}}"#,
      logIsCSV: false)
    #expect(try texts.read().records[1] == "#b point point(2.0 2.0) id=b lat=2 lng=2")
    let whole = EditedSource(
      base: shops,
      log: #"{"type":"Feature","id":"b","geometry":null,"properties":{"phone":7}}"#,
      logIsCSV: false)
    #expect(try whole.read().records[1] == "#b none id=b phone=7")
  }

  @Test(
    "a GeoJSON entry needs no geometry to delete or to update, but to upsert",
    arguments: [
      (#"{"type": "Feature", "op": "delete", "properties": {"id": "a"}}"#, 1, 0, 0),
      (#"{"type": "Feature", "properties": {"id": "a", "op": "delete"}}"#, 1, 0, 0),
      (#"{"type": "Feature", "op": "update", "properties": {"id": "a", "name": "x"}}"#, 0, 1, 0),
      (#"{"type": "Feature", "op": "upsert", "properties": {"id": "a"}}"#, 0, 0, 1),
      (#"{"type": "Feature", "properties": {"id": "a"}}"#, 0, 0, 1),
    ])
  func withoutGeometry(log: String, deleted: Int, edited: Int, rejected: Int) throws {
    let dump = try EditedSource(base: shops, log: log, logIsCSV: false).read()
    let edits = try #require(dump.ledger.edits)
    #expect((edits.deleted, edits.edited) == (deleted, edited))
    #expect(dump.ledger.rejectedTotal == rejected)
    // An update without a geometry keeps the place.
    if edited == 1 { #expect(dump.records[0].hasPrefix("point point(1.0 1.0)")) }
  }

  @Test("an upsert whose file lacks columns is refused, with the remedy")
  func lostColumns() throws {
    func message(_ log: String) -> String? {
      do {
        _ = try EditedSource(base: shops, log: log).read()
        return nil
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message("op,id,lng,lat\ndelete,a,,\nupsert,b,1,1\n")
        == "edits:3: an upsert replaces the whole record, but the log has no column 'name', which "
        + "the source has. Add what is missing, or write 'update' as the operation ('op') to change "
        + "only what the log has.")
    #expect(message("id,name\na,x\n")?.contains("has no columns of coordinates") == true)
    #expect(message("op,id\ndelete,a\n") == nil)
    #expect(
      message("op,name\ndelete,a\n")
        == "edits:1: no column named 'id', which would say which record an entry is about; columns "
        + "are op, name.")
  }

  @Test("edit entries take effect in the order of their times, then of the file")
  func times() throws {
    let log = """
      time,op,id,lng,lat,name
      2020-01-03,upsert,b,0,0,third
      ,upsert,c,0,0,after third
      2020-01-02T12:00:00+01:00,upsert,b,0,0,second
      2020-01-03T00:00:00Z,update,b,,,later line of third
      2020-01-01,delete,c,,,

      """
    let dump = try EditedSource(base: shops, log: log).read()
    #expect(
      dump.records.dropFirst() == [
        "point point(0.0 0.0) id=b lat=0 lng=0 name=later line of third",
        "point point(0.0 0.0) id=c lat=0 lng=0 name=after third",
      ])
    #expect(dump.places == ["2", "edits:5", "edits:3"])
    #expect(dump.ledger.edits?.dangling == 0)
  }

  @Test(
    "an edit entry without a record dangles, whether the source has one or not",
    arguments: [
      ("delete,x", 1, "edits:2 deletes 'x', which is not there"),
      ("update,x", 1, "edits:2 updates 'x', which is not there"),
      ("delete,a\ndelete,a\nupdate,a", 2, "edits:3 deletes 'a', which is not there"),
      (
        "delete,x\nupsert,x\nupdate,x\ndelete,x\ndelete,x", 2,
        "edits:2 deletes 'x', which is not there"
      ),
      ("upsert,x\ndelete,x", 0, ""), ("update,a\ndelete,a", 0, ""),
      ("delete,a\nupsert,a\nupdate,a", 0, ""),
    ])
  func dangling(entries: String, count: Int, note: String) throws {
    let log = "op,id,lng,lat,name\n" + entries.replacing("\n", with: ",,,\n") + ",,,\n"
    let dump = try EditedSource(base: shops, log: log).read()
    let edits = try #require(dump.ledger.edits)
    #expect(edits.dangling == count)
    let shown = edits.firstDangling.map { "\($0.file ?? ""):\($0.line) \($0.message)" }
    #expect((shown ?? "") == note)
  }

  @Test("a reinserted record keeps its place; one of the log is placed where it was first created")
  func comesAgain() throws {
    let log = """
      op,id,lng,lat,name
      upsert,x,1,1,first
      upsert,y,1,1,second
      delete,x,,,
      delete,a,,,
      upsert,x,1,1,again
      upsert,a,1,1,again

      """
    let dump = try EditedSource(base: shops, log: log).read()
    #expect(dump.records.map { $0.suffix(10) }.count == 5)
    #expect(dump.records.first == "point point(1.0 1.0) id=a lat=1 lng=1 name=again")
    #expect(dump.records.suffix(2).map { String($0.suffix(5)) } == ["again", "econd"])
  }

  @Test("only broken edit entries are counted and shown, with their place")
  func brokenEntries() throws {
    let log = """
      op,time,id,lng,lat,name
      upsert,,d,4,4,Dora
      remove,,a,,,
      upsert,yesterday,a,1,1,x
      delete,,,,,
      upsert,,b
      upsert,,b,x,1,Bert

      """
    let dump = try EditedSource(base: shops, log: log).read()
    #expect(dump.records.count == 4)
    #expect(
      dump.ledger.rejected == [.invalidEdit: 3, .raggedRow: 1, .invalidCoordinate: 1])
    #expect(dump.ledger.read == 5)
    #expect(
      dump.ledger.examples.map { "\($0.file ?? "?"):\($0.line) \($0.message)" }.sorted() == [
        "edits:3 'remove' is no operation; write upsert, update, delete",
        "edits:6 3 fields where the file has 6 columns",
        "edits:7 the longitude is no number: 'x'",
      ])
  }

  @Test("an edit log over its limits is refused")
  func limits() throws {
    let source = EditedSource(base: shops, log: "op,id\ndelete,a\ndelete,b\n")
    #expect(throws: Never.self) { try source.read { $0.limits.entries = 2 } }
    let error = #expect(throws: SourceError.self) { try source.read { $0.limits.entries = 1 } }
    #expect(
      error?.description
        == "edits:3: the log of edits is larger than 1 entries. Write what it comes to into the "
        + "source and begin a new log.")
    #expect(throws: SourceError.self) { try source.read { $0.limits.bytes = 1 } }
  }

  @Test("a column that both log and source claim is refused, unless it is renamed")
  func ownColumns() throws {
    let base = "id,lng,lat,time\na,1,1,noon\n"
    let error = #expect(throws: SourceError.self) {
      try EditedSource(base: base, log: "id,lng,lat,time\na,2,2,2020-01-01\n").read()
    }
    #expect(error?.message.hasPrefix("the source has a property 'time' too") == true)
    let renamed = EditedSource(base: base, log: "id,lng,lat,time,at\na,2,2,night,2020-01-01\n")
    #expect(
      try renamed.read { $0.time = "at" }.records
        == ["point point(2.0 2.0) id=a lat=2 lng=2 time=night"])
    #expect(
      try EditedSource(base: base, log: "op,id,time\ndelete,a,2020-01-01\n").read().records == [])
  }
}
