package import Failures

/// The reason why a picture could not be encoded or decoded.
package enum TileCodecError: Error, Hashable, Sendable {
  /// libwebp is not installed.
  case absent
  /// There is not enough memory, or the library refuses the picture.
  case failed(format: String)
  /// The bytes are not a picture of this format. The text is the end of a sentence that begins
  /// "the image".
  case invalid(String)
}

extension TileCodecError: Failure {
  package var failureCode: FailureCode {
    switch self {
    case .absent: .definition
    case .failed: .inputOutput
    case .invalid: .badData
    }
  }

  package var sentence: String {
    switch self {
    case .absent:
      "tiles in WebP need libwebp, which is not installed. Install it (Debian: libwebp7, Homebrew: "
        + "webp), or set 'format: png'."
    case .failed(let format):
      "a tile cannot be encoded as \(format). There may be too little memory; try fewer threads "
        + "(-j)."
    case .invalid(let fault): "the image \(fault)."
    }
  }
}
