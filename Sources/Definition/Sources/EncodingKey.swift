import Ingest
import Runs

extension TextEncoding {
  /// Decodes the key `encoding`; `nil` where it is not set.
  static func value(of keyed: KeyedNode) throws(PipelineError) -> TextEncoding? {
    guard let name = keyed.text("encoding") else { return nil }
    guard let encoding = TextEncoding(name: name) else {
      throw keyed.fault(
        "encoding",
        "'encoding' is none of the encodings that ICU knows, but '\(name)'. Usual ones are "
          + "\(names.joined(separator: ", ")).")
    }
    return encoding
  }

  /// The name that GDAL takes.
  var systemName: String {
    switch self {
    case .latin1: "ISO-8859-1"
    default: name.hasPrefix("windows-") ? "CP\(name.dropFirst(8))" : name.uppercased()
    }
  }
}
