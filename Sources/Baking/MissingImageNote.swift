import Runs
package import Styling

extension MissingImages {
  /// The maximum number of names in a note, and of characters of one.
  private static let nameLimit = 10
  private static let lengthLimit = 60

  /// The note for the user on images that are not there; `nil` if all are.
  package var note: String? {
    let entries = entries
    guard !entries.isEmpty else { return nil }
    let names = entries.prefix(Self.nameLimit).map { name, count in
      let shown = name.count > Self.lengthLimit ? name.prefix(Self.lengthLimit - 1) + "…" : name
      return "'\(shown)' (\(ReportNumber.count(count)))"
    }
    let rest =
      entries.count > Self.nameLimit
      ? " and \(ReportNumber.count(entries.count - Self.nameLimit)) more" : ""
    let are =
      entries.count == 1 ? "an image is" : "\(ReportNumber.count(entries.count)) images are"
    return "\(are) neither in 'sprite' nor in 'images' and not drawn; with the number of features "
      + "that ask for it: \(names.joined(separator: ", "))\(rest)."
  }
}
