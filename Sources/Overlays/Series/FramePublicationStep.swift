/// A step by which a new set of frames replaces an earlier one.
package enum FramePublicationStep: Hashable, Sendable {
  /// The archive of a frame, built and verified under another name, is renamed to this file.
  case place(file: String)

  /// `latest` is created from this archive beside its place, and renamed.
  case alias(of: String)

  /// The manifest is written beside its place, synced and renamed; then the folder is synced.
  case manifest

  /// A file that the new manifest does not name is removed.
  case remove(file: String)
}

extension FramesManifest {
  /// Returns the steps of a publication, in order, once every new archive is built and verified.
  ///
  /// After each step all files exist that the manifest in place names, so a run may be killed
  /// between any two steps. Empty if nothing changed.
  ///
  /// - Parameter earlier: the manifest in place, or `nil`.
  /// - Complexity: O(frames).
  package func publication(over earlier: FramesManifest?) -> [FramePublicationStep] {
    let old = Dictionary(
      (earlier?.frames ?? []).map { ($0.archive.file, $0.archive.sha256) },
      uniquingKeysWith: { first, _ in first })
    var steps = frames.map(\.archive)
      .filter { old[$0.file] != $0.sha256 }
      .map { FramePublicationStep.place(file: $0.file) }
    if let newest = frames.last?.archive, earlier?.frames.last?.archive != newest {
      steps.append(.alias(of: newest.file))
    }
    if earlier?.json != json { steps.append(.manifest) }
    if let earlier { steps += expired(since: earlier).map { .remove(file: $0) } }
    return steps
  }
}
