package import Features
import Ingest
import JSON
import MBTiles
package import OrderedCollections

extension UpdateList: UpdateContent {
  package var deltaCount: Int { deltas.count }

  package var text: String {
    var members = ["archive": archive.json, "deltas": .array(deltas.map { $0.json() })]
    if !earlier.isEmpty { members["earlier"] = .array(earlier.map(\.json)) }
    return UpdateText.line(self, members)
  }

  package init?(members: OrderedDictionary<String, PropertyValue>) {
    guard let archive = members["archive"].flatMap(Archive.init),
      let deltas = UpdateText.array(members["deltas"], Entry.init),
      let earlier = UpdateText.array(members["earlier"] ?? .array([]), Archive.init)
    else { return nil }
    self.init(archive: archive, deltas: deltas)
    self.earlier = earlier
  }
}

extension UpdateList.Archive {
  var json: ReportJSON {
    var members: [String: ReportJSON] = [
      "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256),
      "digest": .string(state.tiles),
    ]
    members["taps"] = state.taps.map { .string($0) }
    members["download"] = download.map { .string($0) }
    members["chunks"] = chunks?.json
    return .sorted(members)
  }

  init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = UpdateText.text(members["file"]),
      let bytes = UpdateText.count(members["bytes"]),
      let sha256 = UpdateText.text(members["sha256"]),
      let digest = UpdateText.text(members["digest"])
    else { return nil }
    self.init(
      file: file, bytes: bytes, sha256: sha256,
      state: ArchiveState(tiles: digest, taps: UpdateText.text(members["taps"])),
      download: UpdateText.text(members["download"]))
    chunks = members["chunks"].flatMap(FileChunks.init)
  }
}

extension UpdateList.Entry {
  /// - Parameter frame: the frame of a series to which the delta applies.
  func json(frame: String? = nil) -> ReportJSON {
    var members: [String: ReportJSON] = [
      "file": .string(file), "bytes": .integer(bytes), "sha256": .string(sha256),
      "before": .string(start.tiles), "after": .string(end.tiles),
    ]
    members["tapsBefore"] = start.taps.map { .string($0) }
    members["tapsAfter"] = end.taps.map { .string($0) }
    members["merged"] = merged.map { .integer($0) }
    members["frame"] = frame.map { .string($0) }
    return .sorted(members)
  }

  init?(_ value: PropertyValue) {
    guard case .object(let members) = value, let file = UpdateText.text(members["file"]),
      let bytes = UpdateText.count(members["bytes"]),
      let sha256 = UpdateText.text(members["sha256"]),
      let before = UpdateText.text(members["before"]), let after = UpdateText.text(members["after"])
    else { return nil }
    self.init(
      file: file, bytes: bytes, sha256: sha256,
      start: ArchiveState(tiles: before, taps: UpdateText.text(members["tapsBefore"])),
      end: ArchiveState(tiles: after, taps: UpdateText.text(members["tapsAfter"])),
      merged: UpdateText.count(members["merged"]))
  }
}
