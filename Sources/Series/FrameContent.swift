import MBTiles
import Overlays
import Tiling

/// The content of a frame's archive, as a report counts it.
package struct FrameContent: Codable, Hashable, Sendable {
  struct Zoom: Codable, Hashable, Sendable {
    var zoom: Int
    var tiles: Int
    var empty: Int
    var distinct: Int

    /// The bytes of the distinct images.
    var bytes: Int
  }

  var zooms: [Zoom]
  var distinct: Int

  /// The bytes of the distinct images.
  var bytes: Int
  var rendered: Int
  var reused: Int

  /// Notes for the user, a sentence each.
  var notes: [String]

  init(_ summary: ArchiveSummary, rendered: Int, reused: Int, notes: [String]) {
    zooms = summary.zooms.map {
      Zoom(
        zoom: $0.zoom, tiles: $0.tiles, empty: $0.empty, distinct: $0.distinct,
        bytes: $0.distinctBytes)
    }
    distinct = summary.distinct
    bytes = summary.distinctBytes
    self.rendered = rendered
    self.reused = reused
    self.notes = notes
  }
}

/// An archive that one process painted of a frame, for another to publish.
package struct PaintedFrame: Codable, Hashable, Sendable {
  /// The instant of the frame, in seconds since 1970.
  package let time: Int64
  package let sha256: String
  let bytes: Int?

  /// West, south, east and north, in degrees.
  let bounds: [Double]
  let minZoom: Int
  let maxZoom: Int
  let content: FrameContent

  init(_ outcome: FrameBuild.Outcome, time: FrameTime) {
    let archive = outcome.archive
    self.time = time.seconds
    sha256 = archive.sha256
    bytes = archive.bytes
    bounds = archive.bounds.numbers
    minZoom = archive.minZoom
    maxZoom = archive.maxZoom
    content = outcome.content
  }

  /// Returns the outcome of a build.
  ///
  /// - Parameters:
  ///   - file: the archive's path from the manifest.
  ///   - input: its fingerprint.
  func outcome(file: String, input: String) -> FrameBuild.Outcome {
    FrameBuild.Outcome(
      archive: FrameArchive(
        file: file, sha256: sha256, bytes: bytes, input: input,
        bounds: GeoBounds(numbers: bounds) ?? .world, minZoom: minZoom, maxZoom: maxZoom),
      content: content, images: nil)
  }
}

extension GeoBounds {
  /// West, south, east and north, in degrees.
  var numbers: [Double] { [west, south, east, north] }

  /// - Parameter numbers: see ``numbers``; `nil` is returned for any other number of them.
  init?(numbers: [Double]) {
    guard numbers.count == 4 else { return nil }
    self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
  }
}
