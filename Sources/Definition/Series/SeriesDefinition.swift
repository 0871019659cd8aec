package import Overlays
package import Runs

/// The frames of an `image-series`, or of records through time, as the pipeline defines them.
package struct SeriesDefinition: Sendable {
  /// The list of the frames.
  package enum Frames: Sendable {
    /// Images whose names contain their times.
    case files(FileGlob)
    /// Images with a JSON file beside each that contains its time.
    case sidecars(FileGlob)
    /// A list of names in the pipeline file.
    case list([ListedFrame])
    /// A JSON file that lists all images.
    case document(DataLocation)
    case capabilities(Capabilities)
    /// The records of windows of time, see ``FrameWindows``.
    case records
  }

  /// A layer of a weather service, with the template for the addresses of its images.
  package struct Capabilities: Sendable {
    package var document: DataLocation
    package var layer: String

    /// The template; `nil` for the template of the document.
    package var template: FrameTemplate?
    package var secret: SeriesSecret?
  }

  package var frames: Frames

  /// The images of the frames; `nil` for records.
  package var image: ImageDefinition?

  /// The pattern that reads the time from the name of a frame without an explicit time.
  package var pattern: TimePattern?

  package var options: SeriesOptions
  package var presentation: FramePresentation

  /// The folder of the pipeline file; empty for the current one.
  package var folder: String

  /// The place of `frames`.
  package var place: DocumentPlace
}

extension SeriesDefinition.Frames {
  /// Whether the list of frames may contain the boxes of the images.
  var mayHoldBounds: Bool {
    if case .document = self { true } else { false }
  }
}
