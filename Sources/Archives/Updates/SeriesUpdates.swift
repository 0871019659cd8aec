package import Features
package import Hashing
import Ingest
import JSON
package import OrderedCollections

/// The list from which an app learns which frames a series has, and how to get them.
package struct SeriesUpdates: Hashable {
  /// The file of the manifest, beside the list.
  package struct Manifest: Hashable {
    package var file: String
    package var bytes: Int
    package var sha256: String

    package init(file: String, bytes: Int, sha256: String) {
      self.file = file
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package var sequence = 0
  package var manifest: Manifest

  /// The folder of the frames and deltas, beside the list.
  package var folder: String

  /// The archives of the frames, in the order of time. Frames that are not listed are gone.
  package var frames: [UpdateList.Archive]

  /// The deltas of each frame by the name of its file: those that lead to its archive, then those
  /// that lead to the start of one before them.
  package var deltas: [String: [UpdateList.Entry]]

  package var expires: Int?

  package var keys: [Ed25519.PublicKey] = []

  package var minimumClient = 1

  package init(
    manifest: Manifest, folder: String, frames: [UpdateList.Archive],
    deltas: [String: [UpdateList.Entry]] = [:]
  ) {
    self.manifest = manifest
    self.folder = folder
    self.frames = frames
    self.deltas = deltas
  }

  package var deltaCount: Int { deltas.values.reduce(0) { $0 + $1.count } }

  /// The names of all deltas.
  package var files: Set<String> { Set(deltas.values.joined().map(\.file)) }

  /// Returns the list of one frame; `nil` where the series has no such frame.
  package func list(of frame: String) -> UpdateList? {
    frames.first { $0.file == frame }.map {
      var list = UpdateList(archive: $0, deltas: deltas[frame, default: []])
      list.minimumClient = minimumClient
      return list
    }
  }
}

extension SeriesUpdates: UpdateContent {
  package var text: String {
    let deltas = frames.flatMap { frame in
      self.deltas[frame.file, default: []].map { $0.json(frame: frame.file) }
    }
    return UpdateText.line(
      self,
      [
        "deltas": .array(deltas),
        "series": .sorted([
          "folder": .string(folder), "frames": .array(frames.map(\.json)),
          "manifest": .sorted([
            "file": .string(manifest.file), "bytes": .integer(manifest.bytes),
            "sha256": .string(manifest.sha256),
          ]),
        ]),
      ])
  }

  package init?(members: OrderedDictionary<String, PropertyValue>) {
    guard case .object(let series)? = members["series"],
      case .object(let manifest)? = series["manifest"],
      let file = UpdateText.text(manifest["file"]),
      let bytes = UpdateText.count(manifest["bytes"]),
      let sha256 = UpdateText.text(manifest["sha256"]),
      let folder = UpdateText.text(series["folder"]),
      let frames = UpdateText.array(series["frames"], UpdateList.Archive.init),
      let deltas = UpdateText.array(members["deltas"], Self.delta)
    else { return nil }
    self.init(
      manifest: Manifest(file: file, bytes: bytes, sha256: sha256), folder: folder, frames: frames,
      deltas: Dictionary(grouping: deltas, by: \.frame).mapValues { $0.map(\.entry) })
  }

  private static func delta(
    _ value: PropertyValue
  ) -> (frame: String, entry: UpdateList.Entry)? {
    guard case .object(let members) = value, let frame = UpdateText.text(members["frame"]),
      let entry = UpdateList.Entry(value)
    else { return nil }
    return (frame, entry)
  }
}
