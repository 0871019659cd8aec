import Features
import SystemPackage

/// The reason why a packed file is refused, before the file's name is known.
struct UnpackFault: Error, Hashable {
  let code: SourceError.Code
  /// The problem and its remedy, to follow the file's name.
  let message: String

  init(_ message: String, _ code: SourceError.Code = .badData) {
    self.code = code
    self.message = message
  }

  /// The packed bytes end too early.
  static let truncated = UnpackFault(
    "ends in the middle of its packed data; copy or fetch it again")

  static let wrongChecksum = UnpackFault(
    "is damaged: the CRC-32 of what it unpacks to is not the one that it gives; copy or fetch it "
      + "again")

  static let wrongLength = UnpackFault(
    "is damaged: it unpacks to another number of bytes than it gives; copy or fetch it again")

  static let noMemory = UnpackFault(
    "would take more memory to unpack than is allowed; unpack it by hand")

  static func damaged(_ format: PackedFormat) -> UnpackFault {
    UnpackFault(
      "is damaged: its packed data (\(format.rawValue)) cannot be unpacked; copy or fetch "
        + "it again")
  }

  static func reading(_ error: any Error) -> UnpackFault {
    UnpackFault("cannot be read on: \(error)", .io)
  }

  func error(in file: String) -> SourceError {
    SourceError(code: code, file: file, message: message)
  }
}
