import Features

@testable import Overlays

/// Parses JSON, with spaces, for tests.
func seriesJSON(_ text: String) throws -> PropertyValue {
  var bytes: [UInt8] = []
  var isInString = false
  var isEscaped = false
  for byte in text.utf8 {
    let isSpace = [0x20, 0x0A, 0x0D, 0x09].contains(byte)
    if isSpace, !isInString { continue }
    if byte == UInt8(ascii: "\""), !isEscaped { isInString.toggle() }
    isEscaped = isInString && byte == UInt8(ascii: "\\") && !isEscaped
    bytes.append(byte)
  }
  let value = bytes.withUnsafeBytes { PropertyValue(storedJSON: $0) }
  struct NotJSON: Error {}
  guard let value else { throw NotJSON() }
  return value
}

/// The message of the error that is thrown, or an empty text.
func refusal<T>(_ body: () throws(SeriesError) -> T) -> String {
  do throws(SeriesError) {
    _ = try body()
    return ""
  } catch {
    return error.message
  }
}

func time(_ text: String) throws -> FrameTime { try FrameTime(iso8601: text) }
