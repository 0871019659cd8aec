import Files
import SystemPackage

/// The name of a member after the name of its zip file, or of a sheet after its spreadsheet, as `data:`
/// gives both: `parts.zip/points.csv`, `book.xlsx/Shops`, `https://example.org/parts.zip#points.csv`.
package enum MemberName {
  private static let endings = [".zip", ".xlsx", ".xlsm", ".ods"]

  /// Divides a location into the location of the zip file and the member's name; `nil` for a
  /// location without a member.
  ///
  /// Zip files are recognised by their names here: whether the file exists makes no difference, only
  /// whether it is a folder.
  static func split(_ location: DataLocation) -> (file: DataLocation, member: String)? {
    switch location {
    case .file(let path): split(path).map { (.file($0.file), $0.member) }
    case .url(let url): split(url: url).map { (.url($0.file), $0.member) }
    case .patterns, .inline, .standardInput, .memory, .connection, .none: nil
    }
  }

  /// Divides a path; `nil` for one without a member.
  package static func split(_ path: String) -> (file: String, member: String)? {
    var rest = FilePath(path)
    var member: [String] = []
    while let last = rest.lastComponent?.string {
      if !member.isEmpty, hasMembers(last), FileStatus(rest)?.kind != .folder {
        return (rest.string, member.reversed().joined(separator: "/"))
      }
      member.append(last)
      rest.removeLastComponent()
    }
    return nil
  }

  private static func hasMembers(_ name: some StringProtocol) -> Bool {
    let name = name.lowercased()
    return endings.contains { name.hasSuffix($0) }
  }

  private static func split(url: String) -> (file: String, member: String)? {
    let parts = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty,
      hasMembers(parts[0].prefix { $0 != "?" })
    else { return nil }
    return (String(parts[0]), String(parts[1]))
  }
}
