/// The drivers that a program of GDAL lists by `--formats`.
enum DriverList {
  /// Returns the value of `GDAL_SKIP` that disables all drivers but the allowed ones.
  ///
  /// - Parameter formats: lines such as `  GPX -vector- (rw+v): GPX`.
  static func skipped(of formats: String, allowed: Set<String>) -> String {
    let names = formats.split(whereSeparator: \.isNewline).compactMap { line in
      line.wholeMatch(of: /\s*(\S.*?) -[a-z, ]+- \(.*/).map { String($0.1) }
    }
    return names.filter { !allowed.contains($0) }.joined(separator: ",")
  }
}
