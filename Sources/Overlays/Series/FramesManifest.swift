package import Tiling

/// What `NAME.frames.json` says: which archives make up a series, and how they are played.
///
/// | Key | Means |
/// |---|---|
/// | `version` | 1 |
/// | `name`, `layer` | the series; the layer of the service, if it came from one |
/// | `bounds` | west, south, east, north of all frames, degrees |
/// | `minzoom`, `maxzoom` | of all frames |
/// | `frameDuration` | how long a frame is shown, ms |
/// | `loop` | whether the first frame follows the last |
/// | `default` | the instant of the frame to show first |
/// | `latest` | a file that is the newest frame always |
/// | `every` | seconds from frame to frame; absent for a single frame |
/// | `frames[]` | in the order of time: |
/// | `· time` | its instant, UTC |
/// | `· run`, `step` | of a forecast: when the model ran, UTC, and hours after that |
/// | `· file`, `sha256`, `bytes` | its archive, as seen from the manifest, its SHA-256 and its size |
/// | `· bounds`, `minzoom`, `maxzoom` | of this archive |
/// | `· duration` | ms; longer than `frameDuration` where a gap is held over |
/// | `· input` | a digest of all that the archive was made of: equal ones are not built again |
/// | `gaps[]` | `from` and `to`, the frames around it; `missing`, how many lack; `policy` |
/// | `· to` | behind the last frame, the time at which the next one is due |
/// | `unusable[]` | instants whose images were no images, or of another size |
///
/// **Publication.** ``publication(over:)`` gives the steps, after all archives are built under
/// other names: new and changed archives are renamed into place, then `latest`, then the manifest,
/// and only then what the manifest does not name any more is removed. So a manifest never names a
/// file that is not there, and a run that dies leaves at most archives that no manifest names,
/// which the next run overwrites. Between the first and the third step an archive that changed
/// under its name is newer than the old manifest says; its `sha256` tells.
package struct FramesManifest: Hashable, Sendable {
  package struct Frame: Hashable, Sendable {
    package var time: FrameTime

    /// When the model ran that forecast the frame; nil for an observation.
    package var run: FrameTime?
    package var archive: FrameArchive

    /// How long it is shown, ms.
    package var duration: Int

    package init(
      time: FrameTime, run: FrameTime? = nil, archive: FrameArchive, duration: Int
    ) {
      self.time = time
      self.run = run
      self.archive = archive
      self.duration = duration
    }
  }

  package let names: FrameNames
  package let presentation: FramePresentation

  /// The instant of the frame to show first.
  package let defaultFrame: FrameTime

  /// Seconds from frame to frame.
  package let cadence: Int64?

  /// In the order of time, at least one.
  package let frames: [Frame]

  package let gaps: [FrameGap]
  package let unusable: [FrameTime]

  /// - Parameter archives: one for each entry of the series, in its order.
  /// - Throws: ``SeriesError`` where the numbers differ, or where there is no frame to begin with.
  package init(
    _ series: FrameSeries, archives: [FrameArchive], names: FrameNames,
    presentation: FramePresentation = FramePresentation()
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
        Frame(time: entry.time, run: entry.run, archive: made.0, duration: made.1)
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

  /// The box of all frames; that of the whole turn where one crosses the antimeridian.
  package var bounds: GeoBounds {
    let boxes = frames.map(\.archive.bounds)
    let crosses = boxes.contains(where: \.crossesAntimeridian)
    return GeoBounds(
      west: crosses ? -180 : boxes.map(\.west).min() ?? -180,
      south: boxes.map(\.south).min() ?? -90,
      east: crosses ? 180 : boxes.map(\.east).max() ?? 180,
      north: boxes.map(\.north).max() ?? 90)
  }

  /// The archive of an instant, if what it was made of is still the same; then it stays as it is.
  ///
  /// The caller checks that the file is there and has the SHA-256.
  package func archive(of time: FrameTime, input: String) -> FrameArchive? {
    frames.first { $0.time == time && $0.archive.input == input }?.archive
  }

  /// The archives of an earlier manifest that this one does not name, in the order of time.
  ///
  /// Only names that a series of this name gives its frames, whatever the earlier file says.
  package func expired(since earlier: FramesManifest) -> [String] {
    let present = Set(frames.map(\.archive.file))
    return earlier.frames.map(\.archive.file).filter { file in
      !present.contains(file) && names.isArchive(file)
    }
  }

  /// The files among those of a folder that are named as frames of this series and that the
  /// manifest does not name: what a run left that died before it removed them.
  ///
  /// - Parameter files: paths as seen from the manifest.
  package func leftovers(among files: [String]) -> [String] {
    let present = Set(frames.map(\.archive.file))
    return files.filter { !present.contains($0) && names.isArchive($0) }
  }
}

/// One archive as the manifest names it.
package struct FrameArchive: Hashable, Sendable {
  /// As seen from the manifest, `rain/2014-01-19T0600Z.mbtiles`.
  package var file: String

  /// Of the whole file, 64 lower-case digits.
  package var sha256: String

  /// Of the whole file; nil where a manifest of an earlier version does not say.
  package var bytes: Int?

  /// A digest of the image and of everything else that the archive was made of.
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
