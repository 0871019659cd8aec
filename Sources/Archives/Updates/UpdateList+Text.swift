import Features
import Foundation
import Hashing
import Ingest
import JSON
import MBTiles
import OrderedCollections

extension UpdateList {
  /// The list on one line, its members in the order of their names.
  package var text: String {
    var members: [String: ReportJSON] = [
      "format": .integer(Self.format), "minimumClient": .integer(Self.minimumClient),
      "sequence": .integer(sequence), "archive": archive.json,
      "deltas": .array(deltas.map(\.json)),
    ]
    if !keys.isEmpty {
      members["keys"] = .array(
        keys.map { .members(["key": .string(Data($0.bytes).base64EncodedString())]) })
    }
    return ReportJSON.sorted(members).line
  }

  /// Reads the text of a list; `nil` where it is not one of this format.
  package init?(_ text: String) {
    guard case .object(let members)? = try? JSONValueParser.parse(Array(text.utf8)),
      Self.count(members["format"]) == Self.format, let sequence = Self.count(members["sequence"]),
      let archive = members["archive"].flatMap(Archive.init),
      case .array(let items)? = members["deltas"]
    else { return nil }
    let deltas = items.compactMap(Entry.init)
    guard deltas.count == items.count, let keys = Self.keys(members["keys"]) else { return nil }
    self.init(sequence: sequence, archive: archive, deltas: deltas, keys: keys)
  }

  private static func keys(_ value: PropertyValue?) -> [Ed25519.PublicKey]? {
    guard let value else { return [] }
    guard case .array(let items) = value else { return nil }
    let keys = items.compactMap { item -> Ed25519.PublicKey? in
      guard case .object(let members) = item, let key = text(members["key"]) else { return nil }
      return Data(base64Encoded: key).flatMap { Ed25519.PublicKey(bytes: Array($0)) }
    }
    return keys.count == items.count ? keys : nil
  }

  fileprivate static func text(_ value: PropertyValue?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  fileprivate static func count(_ value: PropertyValue?) -> Int? {
    guard case .number(let number)? = value, number >= 0, number <= 0x1p53 else { return nil }
    return Int(number)
  }
}

extension UpdateList.Archive {
  fileprivate var json: ReportJSON {
    var members: [String: ReportJSON] = [
      "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256),
      "digest": .string(state.tiles),
    ]
    members["taps"] = state.taps.map { .string($0) }
    return .sorted(members)
  }

  fileprivate init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = UpdateList.text(members["file"]),
      let bytes = UpdateList.count(members["bytes"]),
      let sha256 = UpdateList.text(members["sha256"]),
      let digest = UpdateList.text(members["digest"])
    else { return nil }
    self.init(
      file: file, bytes: bytes, sha256: sha256,
      state: ArchiveState(tiles: digest, taps: UpdateList.text(members["taps"])))
  }
}

extension UpdateList.Entry {
  fileprivate var json: ReportJSON {
    var members: [String: ReportJSON] = [
      "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256),
      "before": .string(start.tiles), "after": .string(end.tiles),
    ]
    members["tapsBefore"] = start.taps.map { .string($0) }
    members["tapsAfter"] = end.taps.map { .string($0) }
    members["merged"] = merged.map { .integer($0) }
    return .sorted(members)
  }

  fileprivate init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = UpdateList.text(members["file"]),
      let bytes = UpdateList.count(members["bytes"]),
      let sha256 = UpdateList.text(members["sha256"]),
      let before = UpdateList.text(members["before"]), let after = UpdateList.text(members["after"])
    else { return nil }
    self.init(
      file: file, bytes: bytes, sha256: sha256,
      start: ArchiveState(tiles: before, taps: UpdateList.text(members["tapsBefore"])),
      end: ArchiveState(tiles: after, taps: UpdateList.text(members["tapsAfter"])),
      merged: UpdateList.count(members["merged"]))
  }
}

extension ReportJSON {
  /// Returns an object with the members in the order of their names.
  fileprivate static func sorted(_ members: [String: ReportJSON]) -> ReportJSON {
    .object(members.sorted { $0.key < $1.key }.map { Member($0.key, $0.value) })
  }
}
