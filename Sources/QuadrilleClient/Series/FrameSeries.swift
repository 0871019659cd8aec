public import Foundation

/// A series of images through time: the manifest `NAME.frames.json` of docs/series.md.
public struct FrameSeries: Hashable, Sendable {
  /// The url of the manifest.
  public let url: URL

  /// The name of the series.
  public let name: String

  /// The box around all frames.
  public let bounds: MapBox

  /// The first zoom of the frames.
  public let minZoom: Int

  /// The last zoom of the frames.
  public let maxZoom: Int

  /// Whether the first frame follows the last.
  public let loops: Bool

  /// The url of a file that is always the newest frame.
  public let latest: URL

  /// The frames in the order of time; at least one.
  public let frames: [Frame]

  /// The places where frames are missing.
  public let gaps: [Gap]

  /// The index of the frame to show first.
  public let defaultIndex: Int

  /// One image of the series.
  public struct Frame: Hashable, Sendable {
    /// The instant that the image shows.
    public let time: Date
    /// Of a forecast: the time of the model's run.
    public let run: Date?
    /// The url of its archive.
    public let url: URL
    /// The SHA-256 of the archive's file.
    public let sha256: String
    /// The seconds for which the frame is shown.
    public let duration: TimeInterval
  }

  /// A place where frames are missing.
  public struct Gap: Hashable, Sendable {
    /// The time of the frame before it.
    public let from: Date
    /// The time of the frame after it; after the last frame, when the next one is due.
    public let to: Date
    /// The number of missing frames.
    public let missing: Int
  }

  /// Reads a manifest.
  ///
  /// - Throws: ``ClientError/missing(file:)`` or ``ClientError/damaged(file:reason:)``.
  /// - Complexity: O(frames).
  public init(url: URL) throws(ClientError) {
    guard let data = try? Data(contentsOf: url) else {
      throw ClientError.missing(file: url.lastPathComponent)
    }
    do throws(ManifestFault) {
      try self.init(data, url: url)
    } catch {
      throw ClientError.damaged(file: url.lastPathComponent, reason: error.reason)
    }
  }

  /// Creates the series of a manifest's bytes.
  ///
  /// - Parameter url: where the manifest is or will be.
  init(_ data: Data, url: URL) throws(ManifestFault) {
    guard let document = try? JSONDecoder().decode(ManifestDocument.self, from: data) else {
      throw ManifestFault(reason: "it is not a manifest of frames")
    }
    guard document.version == 1 else {
      throw ManifestFault(reason: "its version is \(document.version)")
    }
    let folder = url.deletingLastPathComponent()
    var frames: [Frame] = []
    for frame in document.frames { frames.append(try Frame(frame, in: folder)) }
    try ManifestFault.check(path: document.latest)
    var gaps: [Gap] = []
    for gap in document.gaps ?? [] {
      gaps.append(
        Gap(
          from: try Instant.date(gap.from), to: try Instant.date(gap.to), missing: gap.missing))
    }
    guard !frames.isEmpty, let bounds = MapBox(document.bounds),
      zip(frames, frames.dropFirst()).allSatisfy({ $0.time <= $1.time })
    else { throw ManifestFault(reason: "it has no frames in the order of time") }
    let first = try Instant.date(document.default)
    self.url = url
    name = document.name
    self.bounds = bounds
    minZoom = document.minzoom
    maxZoom = document.maxzoom
    loops = document.loop
    latest = folder.appendingPathComponent(document.latest)
    self.frames = frames
    self.gaps = gaps
    defaultIndex = frames.lastIndex { $0.time == first } ?? frames.count - 1
  }

  /// Opens the archive of a frame.
  public func archive(of frame: Frame) throws(ClientError) -> MapArchive {
    try MapArchive(url: frame.url)
  }

  /// Returns the index of the last frame at or before a time; `nil` before the first one.
  ///
  /// - Complexity: O(frames).
  public func index(at time: Date) -> Int? { frames.lastIndex { $0.time <= time } }

  /// The seconds from the beginning of the first frame to the end of the last.
  public var duration: TimeInterval { frames.reduce(0) { $0 + $1.duration } }

  /// Returns the index of the frame that a player shows.
  ///
  /// - Parameter elapsed: the seconds since the first frame was shown. After the end it is the last
  ///   frame, or with ``loops`` the series begins again.
  /// - Complexity: O(frames).
  public func index(afterPlaying elapsed: TimeInterval) -> Int {
    // In milliseconds, as manifests have them, sums are exact.
    let lengths = frames.map { ($0.duration * 1000).rounded() }
    var rest = min(max((elapsed * 1000).rounded(), 0), 0x1p53)
    if loops { rest.formTruncatingRemainder(dividingBy: lengths.reduce(0, +)) }
    for (index, length) in lengths.enumerated() {
      rest -= length
      if rest < 0 { return index }
    }
    return frames.count - 1
  }
}

extension FrameSeries.Frame {
  fileprivate init(_ frame: ManifestDocument.Frame, in folder: URL) throws(ManifestFault) {
    try ManifestFault.check(path: frame.file)
    self.init(
      time: try Instant.date(frame.time), run: try frame.run.map(Instant.date),
      url: folder.appendingPathComponent(frame.file), sha256: frame.sha256,
      duration: Double(max(frame.duration, 1)) / 1000)
  }
}

/// The reason why a manifest is invalid.
struct ManifestFault: Error {
  let reason: String

  /// Refuses a path that leads elsewhere than below the manifest's folder.
  static func check(path: String) throws(ManifestFault) {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let isDrive = path.dropFirst().first == ":" && path.first?.isLetter == true
    guard !isDrive, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }),
      !path.unicodeScalars.contains(where: { $0 == "\\" || $0.value < 32 })
    else {
      throw ManifestFault(reason: "it names the file '\(path)'")
    }
  }
}

/// A manifest as it is written.
private struct ManifestDocument: Decodable {
  struct Frame: Decodable {
    let time: String
    let run: String?
    let file: String
    let sha256: String
    let duration: Int
  }

  struct Gap: Decodable {
    let from: String
    let to: String
    let missing: Int
  }

  let version: Int
  let name: String
  let bounds: [Double]
  let minzoom: Int
  let maxzoom: Int
  let loop: Bool
  let `default`: String
  let latest: String
  let frames: [Frame]
  let gaps: [Gap]?
}
