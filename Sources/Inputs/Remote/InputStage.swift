package import Definition
import Features
import Fetching
import Files
import Foundation
import GDAL
package import Runs
import Synchronization
import SystemPackage
import Tiling

/// The stage that finds the data of all sources before anything is read: it fetches remote data to
/// this machine, reads standard input and asks databases.
package struct InputStage {
  let definition: PipelineDefinition
  let options: BuildOptions
  let clock: StageClock
  let cancellation: Cancellation
  let progress: ProgressHandler
  /// The sources that will be read; empty for all.
  private let names: [String]
  private let tiles: TileScope
  private let sum = ByteSum()

  package init(
    _ definition: PipelineDefinition, options: BuildOptions, clock: StageClock,
    cancellation: Cancellation, progress: @escaping ProgressHandler, sources names: [String] = [],
    tiles: TileScope = .map
  ) {
    self.definition = definition
    self.options = options
    self.clock = clock
    self.cancellation = cancellation
    self.progress = progress
    self.names = names
    self.tiles = tiles
  }

  /// Returns the pipeline with the data of its sources: without those that cannot be fetched and
  /// may be skipped, without missing optional logs of edits, and with the stores of a SpatialConnect
  /// config replaced by the content of their files, and its zooms by those of its images. Databases
  /// have been asked.
  ///
  /// - Throws: ``PipelineError`` whose message does not contain secrets.
  package func run() throws(PipelineError) -> ResolvedPipeline {
    removeLeftovers()
    var pipeline = try located()
    try fetch(&pipeline)
    try pipeline.resolveStores()
    switch tiles {
    case .map: try pipeline.resolveTilesets()
    case .view: try pipeline.resolveTilesets(lists: false)
    case .selection(let selection): try pipeline.resolveTilesets(for: selection, of: names)
    }
    for index in pipeline.sources.indices where isRead(pipeline.sources[index]) {
      try spool(&pipeline.sources[index])
    }
    for source in pipeline.sources where isRead(source) {
      guard let database = source.origin as? DatabaseData else { continue }
      try clock.stage("spool", unit: .bytes) { advance in
        try advance(Int(try database.conversion.content().bytes), nil)
      }
    }
    pipeline.endAtImages()
    return pipeline
  }

  /// Removes the temporary files and folders that dead runs of any pipeline left where this run
  /// would put its own, whether or not it needs any.
  private func removeLeftovers() {
    StaleFiles.sweep(folder)
    let others = FilePath(Self.temporaryFolder(options))
    if others != folder { StaleFiles.sweep(others) }
    FetchCache.removeLeftovers(
      in: Self.fetchFolder(beside: FilePath(definition.output.path).removingLastComponent()))
  }

  /// Whether no tiles are read but those that the map shows: a query may name others.
  private var readsRegions: Bool {
    if case .selection = tiles { false } else { true }
  }

  private func isRead(_ source: ResolvedSource) -> Bool {
    names.isEmpty || names.contains(source.name)
  }

  /// The folder of temporary files.
  private var folder: FilePath { options.scratchFolder(beside: definition.output.path) }

  private var resolver: InputResolver {
    var resolver = InputResolver(
      of: definition, folder: folder, checkpoint: { [cancellation] in try cancellation.check() })
    resolver.heldLimit = InputResolver.usualHeldLimit
    return resolver
  }

  /// Finds the files of this machine.
  private func located() throws(PipelineError) -> ResolvedPipeline {
    var pipeline = try resolver.located(definition)
    for index in pipeline.sources.indices {
      let source = pipeline.sources[index]
      if source.series != nil {
        pipeline.sources[index].frameFetch = frameFetch(for: source.definition)
      }
      if source.definition.vectorTiles != nil || source.image?.tileset != nil {
        pipeline.sources[index].tileFetch = tileFetch(for: source.definition)
      }
      pipeline.sources[index].packedTables = resolver.packedTables(of: source.definition)
      pipeline.sources[index].dropMissingLogs()
    }
    return pipeline
  }

  /// Copies standard input to a temporary file, if the source reads it.
  private func spool(_ source: inout ResolvedSource) throws(PipelineError) {
    guard case .standardInput = source.definition.data else { return }
    let (input, definition) = (
      StandardInput(options: options, cancellation: cancellation), source.definition
    )
    let spooled = try clock.stage("spool", unit: .bytes) { advance in
      try input.spool(for: definition) { try advance($0, nil) }
    }
    source.origin = resolver.spooled(spooled, of: definition).origin
  }

  /// Fetches what is at URLs.
  private func fetch(_ pipeline: inout ResolvedPipeline) throws(PipelineError) {
    guard definition.sources.contains(where: \.isRemote) || definition.hasRemoteSprites else {
      return
    }
    let (lock, resolver) = (try readLock(), resolver)
    do {
      pipeline.sources = try clock.stage("fetch", unit: .bytes) { _ in
        try pipeline.sources.map { source in
          guard case .url(let url) = source.definition.data else { return source }
          var source = source
          let resources = try resources(of: source.definition, url: url)
          do {
            let answers = try answers(resources, of: source.definition, lock: lock)
            let fetched = resolver.fetched(answers.files, of: source.definition)
            source.notes += answers.notes
            (source.origin, source.warped) = (fetched.origin, fetched.warped)
          } catch let error as FetchError where skips(source.definition, error) {
            source.leaveOut(resources, because: error)
          }
          return source
        }
      }
      try fetchSprites(of: &pipeline, lock)
    } catch {
      try cancellation.check()
      throw error.redacted(by: definition.redactions)
    }
  }

  /// Whether a run continues without a source. With a lock file it does not: the locked data is
  /// available, or the run fails.
  private func skips(_ source: SourceDefinition, _ error: FetchError) -> Bool {
    source.remote.onError == .skip && error.allowsLastGood && !options.locked
  }

  private func answers(
    _ resources: [RemoteResource], of source: SourceDefinition, lock: LockFile?
  ) throws -> (files: [FetchedFile], notes: [String]) {
    let fetcher = try fetcher(for: source)
    let digests: @Sendable (String) -> Set<String> = { uri in lock?.digests(of: uri) ?? [] }
    if resources.count == 1, let region = source.region(of: definition.tiles), readsRegions {
      do {
        let file = try fetcher.region(region, of: resources[0], locked: digests)
        if let lock { try lock.require(LockFile([LockFile.File(file)])) }
        return ([file], [])
      } catch let error as FetchError where error.status == 200 {
        // Without ranges the whole file is fetched, as any other.
      }
    }
    var files: [FetchedFile] = []
    if resources.count > 1 {
      files = try fetcher.fetch(resources, locked: digests)
    } else {
      files = try resources.map { try fetcher.fetch($0, locked: digests($0.uri)) }
    }
    let all = try answers(files, to: resources, of: source, lock: lock) { page in
      try fetcher.fetch(page, locked: digests(page.uri))
    }
    if let lock { try lock.require(LockFile(all.files.map { LockFile.File($0) })) }
    return all
  }

  /// Fetches the files of sprites and images.
  private func fetchSprites(
    of pipeline: inout ResolvedPipeline, _ lock: LockFile?
  ) throws(PipelineError) {
    guard definition.hasRemoteSprites else { return }
    pipeline.sprites = try PipelineError.wrapping { try fetchedSprites(pipeline.sprites, lock) }
  }

  private func fetchedSprites(
    _ sprites: [ResolvedSprite], _ lock: LockFile?
  ) throws -> [ResolvedSprite] {
    var fetching = FetchOptions()
    fetching.offline = options.offline
    fetching.maximumBytes = 64 << 20
    let secrets = SecretValues(definition.redactions.values)
    let fetcher = Fetcher(
      cache: try Self.cacheFolder(of: definition, options), fetching,
      FetchSurroundings(isCancelled: { [cancellation] in cancellation.isCancelled }))
    return try sprites.map { sprite in
      do {
        return try sprite.fetching { part, url in
          let resource = try RemoteResource(
            url, kind: part.isIndex ? .json : .png, secrets: secrets)
          let file = try fetcher.fetch(resource, locked: lock?.digests(of: resource.uri) ?? [])
          if let lock { try lock.require(LockFile([LockFile.File(file)])) }
          return file
        }
      } catch let error as FetchError where leavesOutSprites(error) {
        return sprite.leftOut(because: error)
      }
    }
  }

  /// Whether a run continues without a sprite: a viewer draws a MapLibre style, too, if its server
  /// lacks the sprite. With a lock file the run fails.
  private func leavesOutSprites(_ error: FetchError) -> Bool {
    definition.isStyle && !options.locked && (error.allowsLastGood || error.code == .offline)
  }

  /// Returns the resources of a source: one file, or the boxes or tiles of a template.
  private func resources(of source: SourceDefinition, url: String) throws -> [RemoteResource] {
    let secrets = SecretValues(definition.redactions.values)
    let picture = source.image?.tileset == nil ? ContentKind.image : .any
    let image = source.image?.table == nil ? picture : .gpkg
    let kind = source.records == nil ? image : ContentKind(rawValue: source.type)
    let template = try AddressTemplate(url, secrets: secrets)
    if template.isTemplate, source.records == nil {
      throw PipelineError(
        .definition, "the 'url' of an image names one file, and this is a template for several.",
        at: source.node["url"]?.place ?? source.place)
    }
    if template.isTemplate, source.records?.format.conversion != nil {
      throw PipelineError(
        .definition,
        "the 'data' of 'type: \(source.type)' names one file, and this is a template for several.",
        at: source.node["data"]?.place ?? source.place)
    }
    guard template.isTemplate else {
      return [
        try RemoteResource(
          url, kind: kind ?? .any, secrets: secrets, headers: source.remote.headers)
      ]
    }
    let remote = source.remote
    return try template.requests(
      over: remote.bounds ?? definition.tiles.bounds ?? .world, cut: remote.cut ?? .whole,
      limit: remote.maximumRequests, kind: kind ?? .any, headers: remote.headers
    ).map(\.resource)
  }

  private func fetcher(for source: SourceDefinition) throws -> Fetcher {
    let cancellation = cancellation
    return Fetcher(
      cache: try Self.cacheFolder(of: definition, options), fetchOptions(for: source),
      FetchSurroundings(
        isCancelled: { cancellation.isCancelled },
        progress: { [sum, progress] in
          let done = sum.add($0)
          progress(.advanced(stage: "fetch", done: Int(done), zoom: nil))
        }))
  }

  func fetchOptions(for source: SourceDefinition) -> FetchOptions {
    var fetching = FetchOptions()
    fetching.maxAge = options.noCache ? nil : source.remote.maxAge
    fetching.onError = source.remote.onError
    fetching.lastGoodAge = source.remote.lastGoodAge
    fetching.maximumBytes = source.remote.maximumBytes
    fetching.offline = options.offline
    return fetching
  }

  /// The name of the folder into which a run without caches fetches, until it ends.
  private static func temporaryName(_ options: BuildOptions) -> String {
    RunFile.name(for: "fetch", mark: options.runMark)
  }

  /// Removes the files that a run without caches fetched.
  package static func removeTemporaryFiles(_ options: BuildOptions) {
    guard options.noCache else { return }
    try? FileManager.default.removeItem(
      atPath: FilePath(temporaryFolder(options)).appending(temporaryName(options)).string)
  }

  /// Returns the folder of temporary files that have no place beside an archive.
  private static func temporaryFolder(_ options: BuildOptions) -> String {
    options.temporaryFolder ?? FileManager.default.temporaryDirectory.path
  }

  /// Returns the folder into which runs with caches fetch for the archives of a folder.
  private static func fetchFolder(beside archives: FilePath) -> FilePath {
    archives.appending(".quadrille-cache").appending("fetch")
  }

  /// Returns `.quadrille-cache/fetch` beside the archive, or a temporary folder without caches.
  static func cacheFolder(
    of definition: PipelineDefinition, _ options: BuildOptions
  ) throws -> FilePath {
    try cacheFolder(beside: FilePath(definition.output.path).removingLastComponent(), options)
  }

  /// Returns the cache folder for the archives of a folder.
  static func cacheFolder(
    beside archives: FilePath, _ options: BuildOptions
  ) throws(PipelineError) -> FilePath {
    let folder =
      options.noCache
      ? FilePath(temporaryFolder(options)).appending(temporaryName(options))
      : fetchFolder(beside: archives)
    do {
      try FileManager.default.createDirectory(
        atPath: folder.string, withIntermediateDirectories: true)
    } catch {
      throw PipelineError(
        .cannotCreate, "the folder \(folder) for fetched files cannot be created.",
        cause: error.localizedDescription)
    }
    return folder
  }

  private func readLock() throws(PipelineError) -> LockFile? {
    try Self.lock(of: definition, options)
  }

  static func lock(
    of definition: PipelineDefinition, _ options: BuildOptions
  ) throws(PipelineError) -> LockFile? {
    guard options.locked else { return nil }
    let path = definition.output.lockPath
    let bytes = try DocumentFile.read(path, limit: 64 << 20)
    return try PipelineError.wrapping { try LockFile(json: bytes, path: path) }
  }
}

extension PipelineDefinition {
  /// Whether a sprite or an image is at a URL.
  fileprivate var hasRemoteSprites: Bool {
    sprites.flatMap(\.parts).contains { part in
      if case .url = part.location { true } else { false }
    }
  }
}

extension SourceDefinition {
  /// Whether the data is at a URL.
  fileprivate var isRemote: Bool { if case .url = data { true } else { false } }
}

extension ResolvedSource {
  /// Treats missing optional logs of edits as empty.
  fileprivate mutating func dropMissingLogs() {
    guard let edits = records?.changes.edits, edits.isOptional else { return }
    for path in edits.files.map(\.path)
    where access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR) {
      records?.changes.edits?.files.removeAll { $0.path == path }
      notes.append(
        "the log of edits \(path) of source '\(name)' is not there yet and counts as empty (optional: "
          + "true).")
    }
  }
}

extension OutputDefinition {
  /// The path of the lock file, `NAME.lock.json` beside the archive.
  package var lockPath: String { "\(Self.stem(of: path)).lock.json" }
}

/// A counter of received bytes, of all files together.
final class ByteSum: Sendable {
  private let bytes = Mutex<[String: Int64]>([:])

  /// Adds the progress of one file and returns the total.
  func add(_ progress: FetchProgress) -> Int64 {
    bytes.withLock { bytes in
      bytes[progress.uri] = progress.bytes
      return bytes.values.reduce(0, +)
    }
  }
}
