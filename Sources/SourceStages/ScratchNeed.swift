import Definition
import Features
package import Reuse
package import Runs

/// The bytes of columns that a stage adds, as far as they are certain before it begins.
///
/// Under a ceiling of memory, columns that do not fit into memory are written to scratch files. If
/// the disk has too little room for them, the run ends before the stage begins and not in the
/// middle of it. A disk that fills up later ends the run in the same way.
enum ScratchNeed {
  /// Returns the bytes to cluster some points: copies in Morton order, and the keys and numbers by
  /// which they are sorted, twice.
  static func clustering(points: Int) -> Int { points * (28 + 2 * 12) }

  /// Returns the bytes of memory in which clusters by radius are searched, see ``RadiusClusterer``;
  /// they lie in no column.
  static func radiusSearch(points: Int) -> Int { points * 122 }

  /// The bytes of a search that fits into any ceiling.
  static let smallSearch = 1 << 24

  /// Returns the bytes to make the scenes of all zooms: sprite, place and entry of each item stay
  /// (16 bytes), and the items of the largest zoom are sorted (two keys and numbers) once they have
  /// a look and a place (20 bytes).
  static func scenes(items: [Int]) -> Int {
    items.reduce(0, +) * 16 + (items.max() ?? 0) * (20 + 2 * 12)
  }
}

extension RunContext {
  /// Checks that the folder of scratch files has room for the clusters of all sources.
  package func requireScratch(toCluster loaded: [LoadedSource]) throws(PipelineError) {
    for source in loaded { try requireMemory(toCluster: source) }
    let clustered = loaded.filter { $0.definition.records?.cluster != nil }
    try requireScratch(
      ScratchNeed.clustering(points: clustered.map(\.points.count).max() ?? 0), "to cluster")
  }

  /// Refuses clusters by radius whose search does not fit into the memory beside the columns.
  private func requireMemory(toCluster source: LoadedSource) throws(PipelineError) {
    guard let limits = scratch?.limits,
      case .radius? = source.definition.records?.cluster?.method
    else { return }
    let need = ScratchNeed.radiusSearch(points: source.points.count)
    guard need > max(2 * limits.work, ScratchNeed.smallSearch) else { return }
    let least = MemoryCeiling.least(threads: threads, beside: need)
    throw PipelineError(
      .usage,
      "source '\(source.definition.name)': clusters by radius of "
        + "\(ReportNumber.count(source.points.count)) points need more memory than there is. Raise "
        + "--memory (or 'memory' in the pipeline) to at least \(MemoryCeiling.text(least)), or set "
        + "'clusterMethod: grid'.", at: source.definition.place)
  }

  /// Checks that the folder of scratch files has room for the scenes of some zooms.
  package func requireScratch(
    toDraw sources: [ClusteredSource], zooms: ClosedRange<Int>
  ) throws(PipelineError) {
    guard scratch != nil else { return }
    let items = zooms.map { sources.itemCount(at: $0) }
    try requireScratch(ScratchNeed.scenes(items: items), "to draw")
  }

  private func requireScratch(_ bytes: Int, _ purpose: String) throws(PipelineError) {
    guard let scratch else { return }
    let rest = bytes - scratch.freeBytes
    guard rest > 0 else { return }
    var check = SpaceCheck(needs: [(scratch.folder, rest)])
    check.purpose = " for what --memory leaves no room for, \(purpose) the points"
    try check.run()
  }
}
