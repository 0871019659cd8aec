package import Overlays
package import Runs

/// What the pipeline says about the frames of an `image-series`.
package struct SeriesDefinition: Sendable {
  /// Where the frames are listed.
  package enum Frames: Sendable {
    /// Images whose names hold their times.
    case files(FileGlob)
    /// A JSON file beside each image that holds its time.
    case sidecars(FileGlob)
    /// Names in the pipeline file.
    case list([ListedFrame])
    /// One JSON file that lists all images.
    case document(DataLocation)
    case capabilities(Capabilities)
  }

  /// A layer of a weather service, and how the addresses of its images are made.
  package struct Capabilities: Sendable {
    package var document: DataLocation
    package var layer: String

    /// Nil for that of the document.
    package var template: FrameTemplate?
    package var secret: SeriesSecret?
  }

  package var frames: Frames

  /// Reads the time of a name that has none beside it.
  package var pattern: TimePattern?

  package var options: SeriesOptions
  package var presentation: FramePresentation

  /// The folder of the pipeline file, empty for the current one.
  package var folder: String

  /// Where `frames` stands.
  package var place: DocumentPlace
}

extension SeriesDefinition {
  /// Whether the list of frames may say where the images lie.
  var mayHoldBounds: Bool {
    if case .document = frames { true } else { false }
  }
}
