/// The limits on what a tileset may take from other files; more is refused.
enum MergeLimits {
  /// Maximum number of files of one tileset, and of one `include`.
  static let files = 64

  /// Maximum depth of files that include one another.
  static let depth = 8

  /// Maximum number of values of all files together, aliases counted as often as they are used.
  static let nodes = 300_000
}
