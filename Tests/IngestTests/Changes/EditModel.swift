import TestSupport

/// A random source and log of edits, and what the log comes to, found record by record.
struct EditModel {
  struct Record: Equatable {
    var key: String
    var x: Int?
    var name: String?
    var value: Int?
  }

  enum Change {
    case upsert(Record)
    case update(Record)
    case delete(String)
  }

  private var base: [Record] = []
  private var result: [Record] = []
  /// The log's lines with the day on which each holds, `nil` where it says none.
  private var log: [(change: Change, day: Int?)] = []
  private(set) var dangling = 0

  var baseKeys: [String] { base.map(\.key) }
  var finalKeys: [String] { result.map(\.key) }

  /// - Parameter isPlaced: whether every record of the base has a position.
  init(records: Int, entries: Int, isPlaced: Bool = false, _ random: inout SplitMix64) {
    base = (0..<records).map { Self.record(key: "k\($0)", &random) }
    if isPlaced { for row in base.indices { base[row].x = base[row].x ?? row % 80 } }
    let keys = max(records, 1) + 8
    for _ in 0..<entries {
      // Few keys, so that many entries meet.
      let number = Int.random(in: max(0, keys - 20)..<keys, using: &random)
      let record = Self.record(key: "k\(number)", &random)
      let day = Bool.random(using: &random) ? Int.random(in: 1...9, using: &random) : nil
      switch Int.random(in: 0..<4, using: &random) {
      case 0: log.append((.delete(record.key), day))
      case 1: log.append((.update(record), day))
      default: log.append((.upsert(record), day))
      }
    }
    replay()
  }

  private static func record(key: String, _ random: inout SplitMix64) -> Record {
    Record(
      key: key, x: Bool.random(using: &random) ? Int.random(in: 0..<80, using: &random) : nil,
      name: Bool.random(using: &random) ? "n\(Int.random(in: 0..<99, using: &random))" : nil,
      value: Bool.random(using: &random) ? Int.random(in: 0..<99, using: &random) : nil)
  }

  /// Applies the entries one by one to a table whose rows are only hidden by a deletion.
  private mutating func replay() {
    var rows: [(key: String, record: Record?)] = base.map { ($0.key, $0) }
    var day = 0
    var days: [Int] = []
    for entry in log {
      day = entry.day ?? day
      days.append(day)
    }
    for index in log.indices.sorted(by: { (days[$0], $0) < (days[$1], $1) }) {
      switch log[index].change {
      case .upsert(let record):
        if let row = rows.firstIndex(where: { $0.key == record.key }) {
          rows[row].record = record
        } else {
          rows.append((record.key, record))
        }
      case .update(let change):
        guard let row = rows.firstIndex(where: { $0.key == change.key }),
          let old = rows[row].record
        else {
          dangling += 1
          continue
        }
        rows[row].record = Record(
          key: old.key, x: change.x ?? old.x, name: change.name ?? old.name,
          value: change.value ?? old.value)
      case .delete(let key):
        guard let row = rows.firstIndex(where: { $0.key == key }), rows[row].record != nil else {
          dangling += 1
          continue
        }
        rows[row].record = nil
      }
    }
    result = rows.compactMap(\.record)
  }
}

// The model as files.
extension EditModel {
  func base(isCSV: Bool, usesFeatureID: Bool = false) -> String {
    Self.text(base, isCSV: isCSV, usesFeatureID)
  }

  func snapshot(isCSV: Bool, usesFeatureID: Bool = false) -> String {
    Self.text(result, isCSV: isCSV, usesFeatureID)
  }

  func log(isCSV: Bool, usesFeatureID: Bool = false) -> String {
    let lines = log.map { entry -> String in
      let time = entry.day.map { "2020-01-0\($0)" }
      let (operation, record) =
        switch entry.change {
        case .upsert(let record): ("upsert", record)
        case .update(let record): ("update", record)
        case .delete(let key): ("delete", Record(key: key))
        }
      if isCSV { return "\(operation),\(time ?? "")," + Self.row(record) }
      let member = time.map { #","time":"\#($0)""# } ?? ""
      return Self.feature(
        record, usesFeatureID, members: #""op":"\#(operation)"\#(member),"#)
    }
    return ((isCSV ? ["op,time,id,lng,lat,name,value"] : []) + lines).joined(separator: "\n") + "\n"
  }

  private static func text(_ records: [Record], isCSV: Bool, _ usesFeatureID: Bool) -> String {
    if isCSV {
      return "id,lng,lat,name,value\n" + records.map { row($0) + "\n" }.joined()
    }
    let features = records.map { feature($0, usesFeatureID, members: "") }
    return #"{"type":"FeatureCollection","features":["# + features.joined(separator: ",\n") + "]}"
  }

  private static func row(_ record: Record) -> String {
    let place = record.x.map { "\($0),\($0)" } ?? ","
    return "\(record.key),\(place),\(record.name ?? ""),\(record.value.map { "\($0)" } ?? "")"
  }

  /// A Feature whose properties leave out what the record has not. The coordinates are properties,
  /// too, as they are of a record of a CSV file.
  private static func feature(
    _ record: Record, _ usesFeatureID: Bool, members: String
  ) -> String {
    var properties: [String] = usesFeatureID ? [] : [#""id":"\#(record.key)""#]
    if let x = record.x { properties.append(#""lng":\#(x),"lat":\#(x)"#) }
    if let name = record.name { properties.append(#""name":"\#(name)""#) }
    if let value = record.value { properties.append(#""value":\#(value)"#) }
    let place =
      record.x.map { #"{"type":"Point","coordinates":[\#($0),\#($0)]}"# } ?? "null"
    let id = usesFeatureID ? #""id":"\#(record.key)","# : ""
    return #"{"type":"Feature",\#(id)\#(members)"geometry":\#(place),"#
      + #""properties":{\#(properties.joined(separator: ","))}}"#
  }
}
