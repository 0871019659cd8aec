import Overlays
import PNG
import Raster
import SystemPackage

/// The pictures that summarize a whole series: an animation and a contact sheet of its frames.
struct SeriesPictures {
  let view: SeriesView
  let names: FrameNames

  /// Makes both from the archives of a manifest.
  ///
  /// - Parameter archive: returns the path of a frame's archive, which may not have its final name
  ///   yet.
  /// - Returns: names and bytes.
  /// - Complexity: O(pixels of the view · frames).
  func make(
    _ manifest: FramesManifest, fonts: FontLibrary, archive: (FrameArchive) -> FilePath,
    advance: (Int) throws -> Void
  ) throws -> [(name: String, bytes: [UInt8])] {
    var pictures: [Pixmap] = []
    for frame in manifest.frames {
      pictures.append(try view.picture(of: archive(frame.archive)))
      try advance(pictures.count)
    }
    let graticule = Graticule(bounds: view.bounds)
    let sheet = try ContactSheet().draw(
      zip(manifest.frames, pictures).map { .init($1, label: $0.time.label) },
      graticule: graticule, fonts: fonts)
    let paper = graticule.picture(width: view.width, height: view.height)
    let frames = zip(manifest.frames, pictures).map { frame, picture in
      let shown = Pixmap(width: view.width, height: view.height)
      shown.replace(with: paper, x: 0, y: 0)
      shown.blend(picture, x: 0, y: 0)
      return AnimatedPNG.Frame(shown, delay: frame.duration)
    }
    let plays = manifest.presentation.loops ? 0 : 1
    return [
      (names.animation, try AnimatedPNG().encode(frames, plays: plays)),
      (names.contactSheet, PNGEncoder().encode(sheet)),
    ]
  }
}
