import Foundation
import Inputs
import Overlays
import Reuse
import Runs

/// The data of one frame: its image file, read but not decoded, or the records of its window.
struct FrameFile: Hashable, Sendable {
  let entry: FrameEntry

  /// The image; `nil` for records.
  let image: Image?

  /// The SHA-256 of the image's bytes or of the records, 64 hexadecimal digits.
  let digest: String

  struct Image: Hashable, Sendable {
    /// The path in the file system.
    let path: String

    /// The size of the image as it is shown, by its header.
    let size: ImageSize

    let format: ImageFormat
  }

  /// Creates the data of a frame of records.
  ///
  /// - Parameter source: the name of their source.
  init(_ entry: FrameEntry, recordsOf source: String, digest: String) {
    self.entry = entry
    self.digest = digest
    image = nil
    recordedName = source
  }

  /// Reads a file.
  ///
  /// - Parameter inputs: records the file's status and digest.
  /// - Throws: ``FrameFault`` where there is no image; `PipelineError` where reading fails.
  /// - Complexity: O(bytes); memory for one file.
  init(_ entry: FrameEntry, path: String, inputs: InputDigests) throws {
    self.entry = entry
    recordedName = nil
    do {
      let (bytes, digest) = try inputs.contents(of: path, limit: ImageLimits().maxFileBytes)
      image = try unsafe bytes.withUnsafeBytes { bytes in
        let size = try unsafe ImageSize(header: bytes).shown(ImageOrientation(of: bytes))
        return unsafe Image(path: path, size: size, format: ImageFormat(bytes) ?? .png)
      }
      self.digest = digest
    } catch let error as OverlayError {
      throw FrameFault(entry, .broken, error.message)
    } catch let error as PipelineError {
      if error.code == .missingInput { throw FrameFault(entry, .missing, error.message) }
      throw Self.named(error, path: path, place: entry.place)
    }
  }

  /// The name by which the archive's metadata list the data; `nil` for the name in the path.
  private let recordedName: String?

  /// Creates the file of a frame that another process read.
  ///
  /// - Parameters:
  ///   - path: the path of a copy.
  ///   - name: see ``name(_:)``.
  init(
    _ entry: FrameEntry, path: String, name: String, digest: String, size: ImageSize,
    format: ImageFormat
  ) {
    self.entry = entry
    image = Image(path: path, size: size, format: format)
    recordedName = name
    self.digest = digest
  }

  /// Returns the name by which the archive's metadata list the file.
  ///
  /// - Parameter redactions: secrets that it must not reveal.
  func name(_ redactions: RedactionList) -> String {
    recordedName ?? redactions.redact(InputFile(.data, path: image?.path ?? "").name)
  }

  var time: FrameTime { entry.time }

  /// The name in messages; never with a key.
  var place: String { entry.place }

  /// Returns the error with the frame's own name: the path may contain the key of a service.
  func named(_ error: PipelineError) -> PipelineError {
    image.map { Self.named(error, path: $0.path, place: place) } ?? error
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

/// The reason why the image of a frame cannot be used.
struct FrameFault: Error, Hashable, Sendable {
  enum Kind: String, Hashable, Codable, Sendable {
    /// The file does not exist.
    case missing
    /// The file is not a complete image.
    case broken
    /// The image does not have the size of the series.
    case size
  }

  let time: FrameTime
  /// As messages call the frame; never with a key.
  let frame: String
  let kind: Kind

  /// The reason, a sentence without the place; with the name of the image where the place is in a
  /// list.
  let reason: String

  /// - Parameter reason: a sentence without a name.
  init(_ entry: FrameEntry, _ kind: Kind, _ reason: String) {
    time = entry.time
    frame = entry.place
    self.kind = kind
    let name = entry.location.description
    self.reason = frame == name ? reason : "\(name): \(reason)"
  }

  /// Creates a fault that another process found.
  init(time: FrameTime, frame: String, kind: Kind, reason: String) {
    self.time = time
    self.frame = frame
    self.kind = kind
    self.reason = reason
  }

  /// The fault as a line of a report.
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
