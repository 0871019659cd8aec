package import Tiling

/// The content of `NAME.frames.json`: the archives that make up a series, and how to play them. The
/// table of its members is in docs/series.md.
///
/// **Publication.** ``publication(over:)`` gives the steps, after all archives are built under
/// other names: new and changed archives are renamed into place, then `latest`, then the manifest,
/// and only then are files removed that the manifest no longer names. So a manifest never names a
/// missing file, and a run that is killed leaves at most archives that no manifest names, which the
/// next run overwrites. Between the first and the third step an archive that changed under its name
/// is newer than in the old manifest, which its `sha256` reveals.
package struct FramesManifest: Hashable, Sendable {
  package struct Frame: Hashable, Sendable {
    package var time: FrameTime

    /// The time of the model run that forecast the frame; nil for an observation.
    package var run: FrameTime?
    package var archive: FrameArchive

    /// Duration of the frame in milliseconds.
    package var duration: Int

    /// The number of records in the frame's window; `nil` for an image.
    package var records: Int?

    package init(
      time: FrameTime, run: FrameTime? = nil, archive: FrameArchive, duration: Int,
      records: Int? = nil
    ) {
      self.time = time
      self.run = run
      self.archive = archive
      self.duration = duration
      self.records = records
    }
  }

  package let names: FrameNames
  package let presentation: FramePresentation

  /// The instant of the frame to show first.
  package let defaultFrame: FrameTime

  /// Seconds between frames.
  package let cadence: Int64?

  /// The frames in the order of time, at least one.
  package let frames: [Frame]

  package let gaps: [FrameGap]
  package let unusable: [FrameTime]

  /// - Parameters:
  ///   - archives: one for each entry of the series, in its order.
  ///   - records: returns the number of records in a frame; `nil` for an image.
  /// - Throws: ``SeriesError`` if the numbers differ, or if the frame to show first does not exist.
  package init(
    _ series: FrameSeries, archives: [FrameArchive], names: FrameNames,
    presentation: FramePresentation = FramePresentation(),
    records: (FrameTime) -> Int? = { _ in nil }
  ) throws(SeriesError) {
    guard archives.count == series.entries.count else {
      throw SeriesError(
        .badDocument, "\(series.entries.count) frames have \(archives.count) archives.")
    }
    let durations = series.steps.map(presentation.duration)
    self.init(
      names: names, presentation: presentation,
      defaultFrame: try presentation.defaultFrame.time(in: series), cadence: series.cadence,
      frames: zip(series.entries, zip(archives, durations)).map { entry, made in
        Frame(
          time: entry.time, run: entry.run, archive: made.0, duration: made.1,
          records: records(entry.time))
      },
      gaps: series.gaps, unusable: series.unusable)
  }

  init(
    names: FrameNames, presentation: FramePresentation, defaultFrame: FrameTime, cadence: Int64?,
    frames: [Frame], gaps: [FrameGap], unusable: [FrameTime]
  ) {
    self.names = names
    self.presentation = presentation
    self.defaultFrame = defaultFrame
    self.cadence = cadence
    self.frames = frames
    self.gaps = gaps
    self.unusable = unusable
  }

  /// The box around all frames; the full range of longitudes if one crosses the antimeridian.
  package var bounds: GeoBounds {
    let boxes = frames.map(\.archive.bounds)
    let crosses = boxes.contains(where: \.crossesAntimeridian)
    return GeoBounds(
      west: crosses ? -180 : boxes.map(\.west).min() ?? -180,
      south: boxes.map(\.south).min() ?? -90,
      east: crosses ? 180 : boxes.map(\.east).max() ?? 180,
      north: boxes.map(\.north).max() ?? 90)
  }

  /// Returns the archive of an instant if its inputs are unchanged; it is then kept.
  ///
  /// The caller checks that the file exists and has the SHA-256.
  package func archive(of time: FrameTime, input: String) -> FrameArchive? {
    frames.first { $0.time == time && $0.archive.input == input }?.archive
  }

  /// Returns the archives of an earlier manifest that this one does not name, in the order of time.
  ///
  /// Only names that a series with this name gives its frames are returned, whatever the earlier
  /// file says.
  package func expired(since earlier: FramesManifest) -> [String] {
    let present = Set(frames.map(\.archive.file))
    return earlier.frames.map(\.archive.file).filter { file in
      !present.contains(file) && names.isArchive(file)
    }
  }

  /// Returns the files of a folder that are named like frames of this series but are not in the
  /// manifest: leftovers of a run that was killed before it removed them.
  ///
  /// - Parameter files: paths relative to the manifest.
  package func leftovers(among files: [String]) -> [String] {
    let present = Set(frames.map(\.archive.file))
    return files.filter { !present.contains($0) && names.isArchive($0) }
  }
}

/// An archive in the manifest.
package struct FrameArchive: Hashable, Sendable {
  /// The path relative to the manifest, `rain/2014-01-19T0600Z.mbtiles`.
  package var file: String

  /// The SHA-256 of the whole file, 64 lower-case digits.
  package var sha256: String

  /// The size of the whole file; nil where a manifest of an earlier version lacks it.
  package var bytes: Int?

  /// A digest of the image and all other inputs of the archive.
  package var input: String

  package var bounds: GeoBounds
  package var minZoom: Int
  package var maxZoom: Int

  package init(
    file: String, sha256: String, bytes: Int? = nil, input: String, bounds: GeoBounds, minZoom: Int,
    maxZoom: Int
  ) {
    self.file = file
    self.sha256 = sha256
    self.bytes = bytes
    self.input = input
    self.bounds = bounds
    self.minZoom = minZoom
    self.maxZoom = maxZoom
  }
}
