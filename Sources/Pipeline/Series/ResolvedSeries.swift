import Fetching
import Overlays
import Tiling

/// A series as a run finds it: its frames in the order of time, and those that cannot be used.
struct ResolvedSeries {
  /// The source, placed.
  let source: SourceDefinition
  let definition: SeriesDefinition

  /// Without frames that cannot be used.
  private(set) var series: FrameSeries

  /// One for each entry of ``series``, in its order.
  private(set) var files: [FrameFile]

  /// In the order of time.
  private(set) var faults: [FrameFault]

  /// Lists the frames and looks at the image of each.
  ///
  /// - Parameters:
  ///   - inputs: what remembers the files as they were.
  ///   - advance: takes the number of frames looked at.
  /// - Throws: ``PipelineError``: where a frame is missing or broken and the policy is to fail, where
  ///   none can be used, and where the series makes no sense.
  /// - Complexity: O(bytes of all images); memory for one.
  init(
    _ source: SourceDefinition, inputs: InputDigests = InputDigests(),
    advance: (Int) throws -> Void
  ) throws {
    guard let definition = source.image?.series else {
      throw PipelineError(.bug, "'\(source.name)' is no series.", at: source.place)
    }
    self.definition = definition
    let listing = try FrameListing(definition, fetch: source.frameFetch)
    self.source = try source.placed(by: listing, place: definition.place)
    do {
      series = try FrameSeries(listing.entries, options: definition.options)
    } catch {
      throw PipelineError(error, at: definition.place)
    }
    (files, faults) = ([], [])
    for (index, entry) in series.entries.enumerated() {
      do {
        let path = try listing.path(of: entry, for: definition.place)
        files.append(try FrameFile(entry, path: path, inputs: inputs))
      } catch let fault as FrameFault {
        faults.append(fault)
      } catch let error as FetchError where error.isMissingFrame {
        faults.append(FrameFault(entry.time, entry.place, .missing, error.message))
      }
      try advance(index + 1)
    }
    sortOut(expected: listing.size)
    try leaveOut(faults)
  }

  /// Moves images of another size to the faults.
  ///
  /// - Parameter expected: the size that the list gives; else the one that most images have, the
  ///   earliest of several.
  private mutating func sortOut(expected: ImageSize?) {
    var counts: [ImageSize: Int] = [:]
    for file in files { counts[file.size, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    guard let size = expected ?? files.first(where: { counts[$0.size] == most })?.size else {
      return
    }
    let who = expected == nil ? "the series" : "its list"
    for file in files where file.size != size {
      faults.append(
        FrameFault(
          file.time, file.place, .size, "it is \(file.size) pixels where \(who) has \(size)."))
    }
    files.removeAll { $0.size != size }
    faults.sort { $0.time < $1.time }
  }

  /// Takes frames out whose images turned out to be of no use.
  ///
  /// - Throws: the first fault where no frame may be missing, or where no frame is left.
  mutating func leaveOut(_ found: [FrameFault]) throws(PipelineError) {
    guard let first = found.first else { return }
    if definition.options.onMissing == .fail { throw first.failure }
    let times = Set(found.map(\.time))
    do {
      series = try series.without(times)
    } catch {
      throw PipelineError(error, at: definition.place).causedBy(first)
    }
    files.removeAll { times.contains($0.time) }
    faults = (faults.filter { !times.contains($0.time) } + found).sorted { $0.time < $1.time }
  }

  /// The frame to look at: the one asked for, else the one to show first.
  ///
  /// - Throws: ``PipelineError`` with code `usage` or `definition`.
  func frame(at text: String?) throws(PipelineError) -> FrameFile {
    let wanted: FrameTime?
    switch (text, definition.presentation.defaultFrame) {
    case (let text?, _):
      do {
        wanted = try FrameTime(iso8601: text)
      } catch {
        throw PipelineError(.usage, "--frame: \(error.message)")
      }
    case (nil, .first): wanted = files.first?.time
    case (nil, .latest): wanted = files.last?.time
    case (nil, .at(let time)): wanted = time
    }
    if let file = files.first(where: { $0.time == wanted }) { return file }
    let range = "\(series.entries[0].time) to \(series.latest.time)"
    let words = wanted.map { "\($0)" } ?? "that time"
    guard text == nil else {
      throw PipelineError(
        .usage,
        "--frame: the series '\(source.name)' has no frame of \(words); it runs from \(range).")
    }
    throw PipelineError(
      .definition, "the series has no frame of \(words) to show first; it runs from \(range).",
      at: source.node["default"]?.place ?? source.place)
  }
}

extension PipelineError {
  /// The same error, with the fault of a frame as what lies beneath.
  fileprivate func causedBy(_ fault: FrameFault) -> PipelineError {
    var error = self
    error.cause = fault.line
    return error
  }
}

extension SourceDefinition {
  /// The source with the box that its list gives, where the pipeline gives none.
  fileprivate func placed(
    by listing: FrameListing, place: DocumentPlace
  ) throws(PipelineError) -> SourceDefinition {
    guard let image, image.coordinates == nil, image.bounds == nil else { return self }
    guard let box = listing.bounds else {
      throw PipelineError(
        .definition,
        "source '\(name)' does not say where its images lie, and neither does its list. Give "
          + "'coordinates' or 'bounds'.", at: place)
    }
    var placed = self
    let edges = [box.west, box.south, box.east, box.north]
    placed.image?.bounds = edges
    // What the list says decides the pixels as much as the file would.
    let node = DocumentNode(
      .array(edges.map { DocumentNode(.number($0), at: place) }), at: place)
    placed.node = DocumentNode(
      .object(
        (self.node.members ?? [])
          + [DocumentMember(key: "bounds", keyPlace: place, node: node)]),
      at: self.node.place)
    return placed
  }
}
