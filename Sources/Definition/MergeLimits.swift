/// How much a tileset may take from other files; what is over is refused.
enum MergeLimits {
  /// Files of one tileset, and of one `include`.
  static let files = 64

  /// Files that include one another in a row.
  static let depth = 8

  /// Values of all files together, aliases counted as often as they are used.
  static let nodes = 300_000
}
