import Archives
import Clustering
import Columns
import Definition
import Features
import Files
import JSON
import MBTiles
import Reports
import Reuse
import Runs
import Scenes
import SourceStages
import SystemPackage

/// A writer of the changes of clusters since the last build: `NAME.changes.ndjson`.
///
/// The clusters of each archive are kept in the cache under its fingerprint: so they are compared with
/// those of the archive that is replaced, whichever that is.
struct ClusterChanges {
  private let sources: [ClusteredSource]
  private let cache: ArtifactCache

  /// The fingerprint of the archive, and that of the archive that it replaces.
  private let fingerprint: String
  private let replaced: String?

  /// - Returns: `nil` if the pipeline does not ask for changes.
  init?(of build: Build, _ description: ArchiveDescription, replacing archive: FilePath) {
    guard build.definition.output.hasClusterChanges else { return nil }
    sources = description.sources.filter { $0.pyramid != nil }
    cache = build.artifacts
    fingerprint = description.fingerprint.text
    replaced = (try? TileContainer.opening(archive))?.metadata[ArchiveMetadata.inputsKey]
  }

  private func key(_ fingerprint: String) -> ArtifactKey {
    ArtifactKey(kind: .clusterStates, [fingerprint])
  }

  /// Writes the changes, and keeps the clusters for the next build.
  ///
  /// - Throws: ``PipelineError``; the archive stays published.
  func write(besides archive: String) throws(PipelineError) {
    let states = sources.map(ClusterStates.init)
    let last = replaced.flatMap { cache.value(key($0), ClusterStates.all) }
    let path = ReportFile.changesPath(besideArchive: archive)
    do throws(Errno) {
      try DurableFile.write(to: FilePath(path)) { (append) throws(Errno) in
        var lines: [UInt8] = []
        Self.append(head(hasLast: last != nil), to: &lines)
        for (source, state) in zip(sources, states) {
          for zoom in state.zooms {
            let old = last.map { $0[state.name]?.zoom(zoom.number) ?? .init(number: zoom.number) }
            source.appendChanges(of: zoom, since: old, to: &lines)
            try append(lines[...])
            lines.removeAll(keepingCapacity: true)
          }
        }
        try append(lines[...])
      }
    } catch {
      throw ReportFile.failure(error, path: path)
    }
    cache.storeMeanwhile(key(fingerprint)) { ClusterStates.artifact(of: states) }
  }

  private func head(hasLast: Bool) -> ReportJSON {
    .members([
      "version": .integer(1), "inputs": .string(fingerprint),
      "previous": hasLast ? replaced.map { .string($0) } ?? .null : .null,
    ])
  }

  fileprivate static func append(_ line: ReportJSON, to lines: inout [UInt8]) {
    lines.append(contentsOf: "\(line.line)\n".utf8)
  }
}

extension ClusteredSource {
  /// Appends a line for each cluster that was added, changed or removed, then one with their numbers.
  ///
  /// - Parameter last: the clusters of the last archive; `nil` if they are not known, so that there are
  ///   only numbers.
  fileprivate func appendChanges(
    of zoom: ClusterStates.Zoom, since last: ClusterStates.Zoom?, to lines: inout [UInt8]
  ) {
    let name = ReportJSON.string(source.definition.name)
    var counts = (kept: 0, added: 0, changed: 0, removed: 0)
    func append(_ change: String, _ id: UInt64, _ row: Int?) {
      var members: [ReportJSON.Member] = [
        .init("source", name), .init("zoom", .integer(zoom.number)),
        .init("change", .string(change)), .init("id", .string("\(id)")),
      ]
      if let row, let level = pyramid?.level(zoom.number) {
        members += [
          .init("lng", .number(level.longitudes[row])), .init("lat", .number(level.latitudes[row])),
          .init("point_count", .integer(Int(level.counts[row]))),
        ]
      }
      ClusterChanges.append(.object(members), to: &lines)
    }
    zoom.compare(with: last ?? .init(number: zoom.number)) { id, hash, row, old in
      switch (hash, old) {
      case (let hash?, let old?) where hash == old: counts.kept += 1
      case (.some, .some):
        counts.changed += 1
        append("changed", id, row)
      case (.some, nil):
        counts.added += 1
        if last != nil { append("added", id, row) }
      case (nil, _):
        counts.removed += 1
        append("removed", id, nil)
      }
    }
    ClusterChanges.append(
      .members([
        "source": name, "zoom": .integer(zoom.number), "kept": .integer(counts.kept),
        "added": .integer(counts.added), "changed": .integer(counts.changed),
        "removed": .integer(counts.removed),
      ]), to: &lines)
  }
}
