package import Runs

extension PipelineDefinition {
  /// Refuses what a PMTiles file cannot hold, where the archive is one.
  package func requireContainer() throws(PipelineError) {
    guard output.isPMTiles else { return }
    func refuse(_ what: String) throws(PipelineError) {
      throw outputPlace.fault("\(what) Name an archive that ends in \(OutputDefinition.suffix).")
    }
    if hasSeries {
      try refuse("a series is one archive for each frame, and these are MBTiles.")
    }
    if tiles.interactivity != nil {
      try refuse("a PMTiles file holds no taps, so 'interactivity' has no effect in it.")
    }
    if output.hasAggTilesHash {
      try refuse("a PMTiles file has no agg_tiles_hash, so 'aggTilesHash' has no effect in it.")
    }
    if output.layout != nil {
      try refuse("a PMTiles file has its own layout, so 'layout' has no effect in it.")
    }
  }
}
