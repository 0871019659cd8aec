import Baking
import Definition
import Fetching
import Inputs
import Overlays
import Reuse
import Runs
import SourceStages
import Tiling

/// A series as a run finds it: its frames in the order of time, and those that cannot be used.
struct ResolvedSeries {
  /// The source with its position on the map.
  let source: SourceDefinition
  let definition: SeriesDefinition

  /// The series without frames that cannot be used.
  private(set) var series: FrameSeries

  /// The data of ``series``, one for each entry, in its order.
  private(set) var files: [FrameFile]

  /// The faults in the order of time.
  private(set) var faults: [FrameFault] = []

  /// The records of the frames; `nil` for images.
  let records: WindowedRecords?

  let listing: FrameListing
  private let inputs: InputDigests

  /// The size of every image: the list's, otherwise, once some are read, the most frequent size (of
  /// several, the earliest).
  private var size: ImageSize?

  /// The number of images that were read.
  private var looked = 0

  /// Lists the frames and reads the image of each.
  ///
  /// - Parameters:
  ///   - inputs: records the files' status and digests.
  ///   - advance: receives the number of frames read.
  /// - Throws: ``PipelineError``: where a frame is missing or broken and the policy is to fail,
  ///   where no frame can be used, and where the series is inconsistent.
  /// - Complexity: O(bytes of all images); memory for one.
  init(
    _ source: ResolvedSource, inputs: InputDigests = InputDigests(),
    advance: (Int) throws -> Void
  ) throws {
    guard let definition = source.series else {
      throw PipelineError(.bug, "'\(source.name)' is not a series.", at: source.place)
    }
    self.definition = definition
    self.inputs = inputs
    records = nil
    listing = try FrameListing(definition, fetch: source.frameFetch)
    size = listing.size
    self.source = try source.definition.placed(by: listing, place: definition.place)
    do {
      series = try FrameSeries(listing.entries, options: definition.options)
    } catch {
      throw PipelineError(error, at: definition.place)
    }
    files = []
    try complete(advance)
  }

  /// Creates the series of the windows of records.
  init(_ source: ResolvedSource, _ records: WindowedRecords) throws(PipelineError) {
    guard let definition = source.series else {
      throw PipelineError(.bug, "'\(source.name)' is not a series.", at: source.place)
    }
    self.definition = definition
    self.records = records
    self.source = source.definition
    inputs = InputDigests()
    series = records.series
    listing = FrameListing(series.entries, bounds: nil, size: nil)
    files = series.entries.map { entry in
      FrameFile(entry, recordsOf: source.name, digest: records.digest(of: entry.time))
    }
  }

  /// Creates a series of images that another process resolved.
  ///
  /// - Throws: ``PipelineError`` with code `badData` where the values do not fit together.
  init(_ stored: StoredSeries, of source: ResolvedSource) throws {
    guard let definition = source.series else {
      throw PipelineError(.bug, "'\(source.name)' is not a series.", at: source.place)
    }
    self.definition = definition
    records = nil
    inputs = InputDigests()
    listing = try stored.listing()
    size = listing.size
    self.source = try source.definition.placed(by: listing, place: definition.place)
    faults = try stored.frameFaults()
    let times = Set(faults.map(\.time))
    do {
      series = try FrameSeries(listing.entries, options: definition.options)
      // One that replaces an unusable frame may be unusable itself.
      while series.entries.contains(where: { times.contains($0.time) }) {
        series = try series.without(times)
      }
    } catch {
      throw PipelineError(error, at: definition.place)
    }
    files = try stored.frameFiles(of: series)
  }

  /// Reads the images of frames that have not been read yet, and removes unusable ones, until each
  /// remaining frame has an image.
  private mutating func complete(_ advance: (Int) throws -> Void) throws {
    while true {
      let known = Set(files.map(\.time))
      let fresh = series.entries.filter { !known.contains($0.time) }
      if fresh.isEmpty { return }
      var found: [FrameFault] = []
      for entry in fresh {
        do {
          let path = try listing.path(of: entry, for: definition.place)
          files.append(try FrameFile(entry, path: path, inputs: inputs))
        } catch let fault as FrameFault {
          found.append(fault)
        } catch let error as FetchError where error.isMissingFrame {
          found.append(FrameFault(entry, .missing, error.message))
        }
        looked += 1
        try advance(looked)
      }
      files.sort { $0.time < $1.time }
      found += sortOut()
      try remove(found.sorted { $0.time < $1.time })
    }
  }

  /// Removes images of another size than the others.
  ///
  /// - Returns: their faults.
  private mutating func sortOut() -> [FrameFault] {
    if size == nil {
      var counts: [ImageSize: Int] = [:]
      for size in files.compactMap(\.image?.size) { counts[size, default: 0] += 1 }
      let most = counts.values.max() ?? 0
      size = files.compactMap(\.image?.size).first { counts[$0] == most }
    }
    guard let size else { return [] }
    let who = listing.size == nil ? "the series" : "its list"
    let faults = files.compactMap { file in
      file.image.flatMap { image in
        image.size == size
          ? nil
          : FrameFault(
            file.entry, .size, "it is \(image.size) pixels where \(who) has \(size).")
      }
    }
    files.removeAll { file in file.image.map { $0.size != size } ?? false }
    return faults
  }

  /// Removes frames from the series.
  ///
  /// - Parameter found: the faults, in the order of time.
  /// - Throws: the first fault where frames must not be missing, or where no frame is left.
  private mutating func remove(_ found: [FrameFault]) throws(PipelineError) {
    guard let first = found.first else { return }
    if definition.options.onMissing == .fail { throw PipelineError(first) }
    let times = Set(found.map(\.time))
    do {
      series = try series.without(times)
    } catch {
      throw PipelineError(error, at: definition.place).causedBy(first)
    }
    files.removeAll { times.contains($0.time) }
    faults = (faults.filter { !times.contains($0.time) } + found).sorted { $0.time < $1.time }
  }

  /// Removes a frame whose image turned out to be broken; an older one that `keep` left out may
  /// replace it, and is read.
  ///
  /// - Throws: the fault where frames must not be missing, or where no frame is left.
  mutating func leaveOut(_ file: FrameFile, _ reason: String) throws(PipelineError) {
    try remove([FrameFault(file.entry, .broken, reason)])
    try PipelineError.wrapping { try complete { _ in } }
  }

  /// Decodes the image of every frame, and removes broken ones; takes the records of every window.
  ///
  /// - Parameters:
  ///   - pipeline: the pipeline that contains the series.
  ///   - use: receives the data of each frame, with the pipeline that draws it.
  /// - Complexity: O(pixels of all images, or bytes of all records); memory for one frame.
  mutating func decode(
    in pipeline: ResolvedPipeline, use: (LoadedSource, ResolvedPipeline) throws -> Void
  ) throws {
    var decoded: Set<FrameTime> = []
    while true {
      let fresh = files.filter { decoded.insert($0.time).inserted }
      if fresh.isEmpty { return }
      for file in fresh {
        let still = pipeline.showing(source, in: file.image?.path)
        let data: LoadedSource
        do {
          data =
            if let records { records.records(of: file.time) } else {
              try still.image(of: source.name)
            }
        } catch {
          guard error.code == .badData else { throw file.named(error) }
          try leaveOut(file, error.message)
          continue
        }
        try use(data, still)
      }
    }
  }

  /// Returns the requested frame, or the default frame after removing broken ones before it.
  ///
  /// - Parameters:
  ///   - text: the requested instant, whose image is not decoded; `nil` for the default frame.
  ///   - pipeline: the pipeline that contains the series.
  /// - Throws: the errors of ``frame(at:)``; the fault where frames must not be missing.
  mutating func wholeFrame(
    at text: String?, in pipeline: ResolvedPipeline
  ) throws(PipelineError) -> FrameFile {
    while true {
      let file = try frame(at: text)
      guard text == nil else { return file }
      do throws(PipelineError) {
        _ = try pipeline.showing(source, in: file.image?.path).image(of: source.name)
        return file
      } catch {
        guard error.code == .badData else { throw file.named(error) }
        try leaveOut(file, error.message)
      }
    }
  }

  /// The place of the frame to show first in the pipeline file; of the source, if it names none.
  var defaultPlace: DocumentPlace {
    (source.node["default"] ?? source.node[FrameWindowKeys.name]?["default"])?.place ?? source.place
  }

  /// Returns the requested frame, otherwise the default one.
  ///
  /// - Throws: ``PipelineError`` with code `usage` or `definition`.
  func frame(at text: String?) throws(PipelineError) -> FrameFile {
    let time = try series.time(
      at: text, definition.presentation, of: source.name, defaultPlace)
    guard let file = files.first(where: { $0.time == time }) else {
      throw PipelineError(.bug, "the frame of \(time) has no image.", at: source.place)
    }
    return file
  }
}

extension PipelineError {
  /// Returns the error with the fault of a frame as its cause.
  fileprivate func causedBy(_ fault: FrameFault) -> PipelineError {
    var error = self
    error.cause = fault.line
    return error
  }
}

extension SourceDefinition {
  /// Returns the source with the box that its list gives, if the pipeline gives none.
  fileprivate func placed(
    by listing: FrameListing, place: DocumentPlace
  ) throws(PipelineError) -> SourceDefinition {
    guard case .series(var series) = kind, series.image?.position == nil else { return self }
    guard let box = listing.bounds else {
      throw place.fault(
        "source '\(name)' does not say where its images lie, and neither does its list. Give "
          + "'coordinates' or 'bounds'.")
    }
    var placed = self
    series.image?.position = .box(box, bearing: 0)
    placed.kind = .series(series)
    // A box in the list affects the pixels as much as one in the pipeline file.
    let node = DocumentNode(
      .array(
        [box.west, box.south, box.east, box.north].map { DocumentNode(.number($0), at: place) }),
      at: place)
    placed.node = DocumentNode(
      .object(
        (self.node.members ?? [])
          + [DocumentMember(key: "bounds", keyPlace: place, node: node)]),
      at: self.node.place)
    return placed
  }
}
