import Foundation
import Overlays
import Reuse
import Runs

/// The image file of one frame, looked at but not decoded.
struct FrameFile: Hashable, Sendable {
  let entry: FrameEntry

  /// As the system sees it.
  let path: String

  /// SHA-256 of the bytes, 64 hexadecimal digits.
  let digest: String

  /// As the image's header says.
  let size: ImageSize

  let format: ImageFormat

  /// Reads a file.
  ///
  /// - Parameter inputs: what remembers the file as it was.
  /// - Throws: ``FrameFault`` where there is no image; `PipelineError` where reading fails.
  /// - Complexity: O(bytes); memory for one file.
  init(_ entry: FrameEntry, path: String, inputs: InputDigests) throws {
    self.entry = entry
    self.path = path
    do {
      let (bytes, digest) = try inputs.contents(of: path, limit: ImageLimits().maxFileBytes)
      (size, format) = try bytes.withUnsafeBytes { bytes in
        let size = try ImageSize(header: bytes)
        return (size, ImageFormat(bytes) ?? .png)
      }
      self.digest = digest
    } catch let error as OverlayError {
      throw FrameFault(entry, .broken, error.message)
    } catch let error as PipelineError {
      if error.code == .missingInput { throw FrameFault(entry, .missing, error.message) }
      throw Self.named(error, path: path, place: entry.place)
    }
  }

  var time: FrameTime { entry.time }

  /// As messages call it; never with a key.
  var place: String { entry.place }

  /// The error as the frame's, by its own name: the path may hold the key of a service.
  func named(_ error: PipelineError) -> PipelineError {
    Self.named(error, path: path, place: place)
  }

  private static func named(
    _ error: PipelineError, path: String, place: String
  ) -> PipelineError {
    guard error.place?.file == path else { return error }
    var error = error
    error.place = DocumentPlace(file: place)
    return error
  }
}

/// Why the image of a frame cannot be used.
struct FrameFault: Error, Hashable, Sendable {
  enum Kind: Hashable, Sendable {
    /// There is no file.
    case missing
    /// The file is no whole image.
    case broken
    /// The image has not the size of the series.
    case size
  }

  let time: FrameTime
  /// As messages call the frame; never with a key.
  let frame: String
  let kind: Kind

  /// A sentence without the place; with the name of the image where the place is that of a list.
  let reason: String

  /// - Parameter reason: a sentence that names nothing.
  init(_ entry: FrameEntry, _ kind: Kind, _ reason: String) {
    time = entry.time
    frame = entry.place
    self.kind = kind
    let name = entry.location.description
    self.reason = frame == name ? reason : "\(name): \(reason)"
  }

  /// A line of a report.
  var line: String { "\(time): \(frame): \(reason)" }
}

/// The end of the run, where no frame may be missing.
extension FrameFault: Failure {
  var failureCode: FailureCode { kind == .missing ? .missingInput : .badData }

  var sentence: String {
    "the frame of \(time) cannot be used: \(reason) Replace its image, or set 'onMissing: skip' "
      + "or 'hold'."
  }

  var place: DocumentPlace? { DocumentPlace(file: frame) }
}
