import Definition
import Overlays
package import Runs
import Tiling

/// A series as one process resolved it, in the form in which others read it.
package struct StoredSeries: Codable, Hashable, Sendable {
  struct Entry: Codable, Hashable, Sendable {
    /// The instant, in seconds since 1970.
    var time: Int64

    /// The location, without its key.
    var name: String

    /// The name in messages.
    var place: String
    var run: Int64?
  }

  struct Fault: Codable, Hashable, Sendable {
    var time: Int64
    var frame: String
    var kind: FrameFault.Kind
    var reason: String
  }

  struct File: Codable, Hashable, Sendable {
    var time: Int64

    /// The name by which the archive's metadata list it.
    var name: String
    var sha256: String

    /// The image; `nil` for the records of a window.
    var image: Image?
  }

  struct Image: Codable, Hashable, Sendable {
    var path: String
    var width: Int
    var height: Int
    var format: String
  }

  /// The name of its source.
  package var source: String

  /// All frames that it lists.
  var entries: [Entry]

  /// The reasons why frames cannot be used.
  var faults: [Fault]

  /// The data of the frames to build, in the order of time.
  var files: [File]

  /// The box and the size that the list gives, if it does.
  var bounds: [Double]?
  var size: [Int]?

  init(_ resolved: ResolvedSeries, redactions: RedactionList) {
    source = resolved.source.name
    entries = resolved.listing.entries.map {
      Entry(
        time: $0.time.seconds, name: $0.location.description, place: $0.place,
        run: $0.run?.seconds)
    }
    faults = resolved.faults.map {
      Fault(time: $0.time.seconds, frame: $0.frame, kind: $0.kind, reason: $0.reason)
    }
    files = resolved.files.map {
      File(
        time: $0.time.seconds, name: $0.name(redactions), sha256: $0.digest,
        image: $0.image.map {
          Image(
            path: $0.path, width: $0.size.width, height: $0.size.height,
            format: $0.format.rawValue)
        })
    }
    bounds = resolved.listing.bounds?.numbers
    size = resolved.listing.size.map { [$0.width, $0.height] }
  }

  /// The number of frames to build.
  package var count: Int { files.count }

  /// The instants of the frames to build, in seconds since 1970.
  package var times: [Int64] { files.map(\.time) }

  /// The paths of the images; none of records.
  package var paths: [String] { paths(of: files.indices) }

  /// Returns the paths of the images of some frames.
  package func paths(of frames: Range<Int>) -> [String] { files[frames].compactMap(\.image?.path) }

  /// Whether the frames to build are of these records.
  func isOf(_ records: [FrameFile]) -> Bool {
    records.map(\.time.seconds) == times && records.map(\.digest) == files.map(\.sha256)
  }

  /// Returns the series with its images at other paths.
  package func moved(
    _ path: (String) throws(PipelineError) -> String
  ) throws(PipelineError) -> StoredSeries {
    var moved = self
    for index in files.indices {
      guard let image = files[index].image else { continue }
      moved.files[index].image?.path = try path(image.path)
    }
    return moved
  }

  // MARK: Values

  private static func time(_ seconds: Int64) throws(PipelineError) -> FrameTime {
    guard let time = FrameTime(seconds: seconds) else { throw damage }
    return time
  }

  static let damage = PipelineError(
    .badData, "the frames of the plan do not fit together. Make the plan again.")

  /// Returns the frames that the series lists.
  func listing() throws(PipelineError) -> FrameListing {
    let entries = try entries.map { entry throws(PipelineError) in
      FrameEntry(
        time: try Self.time(entry.time), location: .file(entry.name), place: entry.place,
        run: try entry.run.map { run throws(PipelineError) in try Self.time(run) })
    }
    return FrameListing(
      entries, bounds: bounds.flatMap { GeoBounds(numbers: $0) },
      size: size.flatMap { $0.count == 2 ? ImageSize(width: $0[0], height: $0[1]) : nil })
  }

  func frameFaults() throws(PipelineError) -> [FrameFault] {
    try faults.map { fault throws(PipelineError) in
      FrameFault(
        time: try Self.time(fault.time), frame: fault.frame, kind: fault.kind,
        reason: fault.reason)
    }
  }

  /// Returns the files of the frames of a series, which must be those that are stored.
  func frameFiles(of series: FrameSeries) throws(PipelineError) -> [FrameFile] {
    guard series.entries.map(\.time.seconds) == files.map(\.time) else { throw Self.damage }
    return try zip(series.entries, files).map { entry, file throws(PipelineError) in
      guard let image = file.image, let format = ImageFormat(rawValue: image.format) else {
        throw Self.damage
      }
      return FrameFile(
        entry, path: image.path, name: file.name, digest: file.sha256,
        size: ImageSize(width: image.width, height: image.height), format: format)
    }
  }
}
