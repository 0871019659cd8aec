package import Definition
package import Fetching
import Files
package import GDAL
import Ingest
package import Runs
package import SystemPackage
package import Unpacking

/// Finds where the bytes of sources come from, once their files are on this machine.
///
/// Nothing is unpacked, converted or read here but the first bytes of files and the lists of members
/// of zip files; that waits until the data is needed.
package struct InputResolver {
  private let packing: PackedInput.Surroundings
  private let converting: GDALSurroundings

  /// The zoom of 256-pixel tiles whose pixels are the finest of the pipeline.
  private let finestZoom: Int

  /// The number of files that may be held open from now on, for a run that reads them.
  var heldLimit = 0

  /// The number of files that a run holds open at most: a process may have some hundred.
  package static let usualHeldLimit = 64

  /// - Parameters:
  ///   - folder: the folder of temporary files.
  ///   - checkpoint: ends the unpacking or conversion by an error.
  package init(
    of definition: PipelineDefinition, folder: FilePath,
    checkpoint: @escaping @Sendable () throws -> Void = {}
  ) {
    var packing = PackedInput.Surroundings(folder: folder)
    packing.checkpoint = checkpoint
    self.packing = packing
    var converting = GDALSurroundings(folder: folder)
    converting.checkpoint = checkpoint
    converting.secrets += definition.redactions.values
    self.converting = converting
    finestZoom = definition.finestZoom
  }

  /// Resolves a pipeline as far as its data is on this machine.
  ///
  /// - Throws: ``PipelineError`` where a pattern matches no file, or one is missing.
  package func located(
    _ definition: PipelineDefinition
  ) throws(PipelineError) -> ResolvedPipeline {
    var sources: [ResolvedSource] = []
    for source in definition.sources {
      var resolver = self
      resolver.heldLimit -= sources.reduce(0) { $0 + $1.held.count }
      sources.append(try resolver.resolved(source))
    }
    return ResolvedPipeline(
      definition, sources: sources, sprites: definition.sprites.map { ResolvedSprite($0) })
  }

  /// Resolves a source as far as its data is on this machine.
  ///
  /// - Throws: ``PipelineError`` where a pattern matches no file, or one is missing.
  package func resolved(_ source: SourceDefinition) throws(PipelineError) -> ResolvedSource {
    switch source.data {
    case .file(let path): return file(path, of: source)
    case .patterns(let patterns):
      return ResolvedSource(source, try parts(matching: patterns, of: source))
    case .inline(let node): return ResolvedSource(source, InlineData(node))
    case .connection(let connection):
      guard let selection = source.records?.format.conversion else { break }
      return ResolvedSource(
        source,
        DatabaseData(
          VectorConversion(
            .database(connection), name: selection.databaseName, selection, converting)))
    case .memory(let file):
      return spooled(SpooledInput(file, name: source.declaredName), of: source)
    case .url, .standardInput, .none: break
    }
    return ResolvedSource(source, MissingData(source))
  }

  /// Resolves a source whose file may be a copy.
  ///
  /// - Parameter name: the name of the original in messages; `nil` for the path.
  package func file(
    _ path: String, named name: String? = nil, of source: SourceDefinition
  ) -> ResolvedSource {
    func found(_ held: HeldFile?) -> ResolvedSource {
      resolved(
        source, LocalFile(path, name: name, member: source.member, held: held), path, called: nil,
        named: name ?? path)
    }
    let held = found(held(path, of: source))
    // GDAL opens files by their paths.
    return held.warped == nil ? held : found(nil)
  }

  /// Opens the file of a source.
  ///
  /// - Parameter count: the number of files of the source that are held open already.
  /// - Returns: `nil` for files that programs and tilesets open by path, and for a pipe.
  private func held(_ path: String, of source: SourceDefinition, besides count: Int = 0)
    -> HeldFile?
  {
    guard count < heldLimit, FileStatus(FilePath(path))?.kind == .file,
      let held = try? HeldFile(FilePath(path)), (try? held.status)?.kind == .file
    else { return nil }
    if let image = source.image {
      guard image.tileset == nil, held.address != held.path else { return nil }
      let head = SourceInput.open(held.descriptor, owner: held, name: path).head()
      return [.png, .jpeg, .webp].contains(FileSignature(head)) ? held : nil
    }
    guard let records = source.records, !records.isStore, records.format.conversion == nil else {
      return nil
    }
    let format = records.format
    if format is GeoPackageSource { return held.address == held.path ? nil : held }
    return Swift.type(of: format).opensFiles ? nil : held
  }

  /// Resolves an image that an earlier run has warped.
  ///
  /// - Parameter bytes: the size of the image's files.
  package func warped(
    _ content: RasterConversion.Content, bytes: Int, of source: SourceDefinition
  ) -> ResolvedSource {
    var resolved = ResolvedSource(source, MissingData(source))
    resolved.warped = WarpedImage(
      RasterConversion(
        .warped(content), name: source.declaredName, source.image?.selection ?? RasterSelection(),
        converting), files: [], bytes: bytes)
    return resolved
  }

  /// Resolves a source whose files were fetched.
  package func fetched(_ files: [FetchedFile], of source: SourceDefinition) -> ResolvedSource {
    let data = FetchedData(files, of: source.name)
    guard files.count == 1, let file = files.first else { return ResolvedSource(source, data) }
    return resolved(
      source, data, file.path, called: file.uri.lastAddressPart, named: file.uri)
  }

  /// Resolves a source whose bytes were spooled.
  func spooled(_ input: SpooledInput, of source: SourceDefinition) -> ResolvedSource {
    let packed = packedInput(
      input.packing, name: input.name, member: source.member, of: source)
    return ResolvedSource(source, packed.map { PackedData($0, of: input) } ?? input)
  }

  /// Resolves a source of one file.
  ///
  /// - Parameters:
  ///   - base: the file as it is stored.
  ///   - called: the name of the file where the path has none, as for a cached copy.
  ///   - name: the name of the file in messages.
  private func resolved(
    _ source: SourceDefinition, _ base: any DataOrigin, _ path: String, called: String?,
    named name: String
  ) -> ResolvedSource {
    if let selection = source.records?.format.conversion {
      let conversion = VectorConversion(
        .file(path, called: called, member: Self.chosen(source.member, of: path)),
        name: base.name, selection, converting)
      return ResolvedSource(source, ConvertedData(conversion, of: base))
    }
    let packed = packedInput(
      base.held.first.map { .open($0.descriptor, owner: $0) } ?? .file(FilePath(path)), name: name,
      member: source.member, of: source)
    var resolved = ResolvedSource(source, packed.map { PackedData($0, of: base) } ?? base)
    resolved.warped = WarpedImage(resolved, called: called, converting, finest: finestZoom)
    return resolved
  }

  private func parts(
    matching patterns: [String], of source: SourceDefinition
  ) throws(PipelineError) -> FileParts {
    var files: [String: HeldFile] = [:]
    return FileParts(
      try source.files(matching: patterns).map { found -> any DataOrigin in
        // Members of a zip file share it.
        let held = files[found.path] ?? held(found.path, of: source, besides: files.count)
        files[found.path] = held
        let file = LocalFile(found.path, member: found.member, held: held)
        if let selection = source.records?.format.conversion {
          return ConvertedData(
            VectorConversion(
              .file(
                found.path, called: nil, member: Self.chosen(found.member, of: found.path)),
              name: found.name, selection, converting), of: file)
        }
        // A part is unpacked between two batches, where nothing can end the run.
        let packed = packedInput(
          held.map { .open($0.descriptor, owner: $0) } ?? .file(FilePath(found.path)),
          name: found.path, member: found.member, of: source, checkpoint: {})
        return packed.map { PackedData($0, of: file, isKept: false) } ?? file
      })
  }

  // MARK: Packed data

  /// The endings of the names of images and GeoPackages.
  private static let imageEndings =
    [".png", ".jpg", ".jpeg", ".webp", GeoPackageSource.endings[0]] + WarpedImage.endings

  /// The formats of zip files that are no packed data, whose reader tells how to convert them.
  private static let zippedFormats: Set<FileSignature> = [
    .spreadsheet, .zippedShapefile, .zippedKML,
  ]

  /// Returns the packed content of a file; `nil` for one that is not packed.
  private func packedInput(
    _ origin: PackedInput.Origin, name: String, member: String?, of source: SourceDefinition,
    checkpoint: (@Sendable () throws -> Void)? = nil
  ) -> PackedInput? {
    var wanted = PackedInput.Wanted()
    wanted.member = member
    if let records = source.records {
      let format = Swift.type(of: records.format)
      (wanted.endings, wanted.hasName) = (format.endings, format.opensFiles)
      wanted.readsSheets = format == CSVSource.self
    } else if source.image?.tileset != nil {
      (wanted.endings, wanted.hasName) = (RasterTileset.endings, true)
    } else if source.image != nil {
      (wanted.endings, wanted.hasName) = (Self.imageEndings, true)
    } else {
      return nil
    }
    var surroundings = packing
    if let checkpoint { surroundings.checkpoint = checkpoint }
    guard let packed = PackedInput(origin, name: name, wanted: wanted, surroundings) else {
      return nil
    }
    if packed.isWithoutChoice, let signature = FileSignature(Self.head(of: origin, name)),
      Self.zippedFormats.contains(signature)
    {
      return nil
    }
    return packed
  }

  /// Returns the joined tables of a source that are packed, by their names in messages.
  package func packedTables(of source: SourceDefinition) -> [String: PackedInput] {
    var tables: [String: PackedInput] = [:]
    for join in source.records?.changes.joins ?? [] {
      var wanted = PackedInput.Wanted()
      (wanted.member, wanted.endings, wanted.readsSheets) = (join.member, CSVSource.endings, true)
      tables[join.name] = PackedInput(
        .file(FilePath(join.path)), name: join.path, wanted: wanted, packing)
    }
    return tables
  }

  private static func head(of origin: PackedInput.Origin, _ name: String) -> [UInt8] {
    switch origin {
    case .file(let path): FileHead.bytes(of: path, 4096)
    case .open(let file, _): FileHead.bytes(of: file, 4096, at: FilePath(name))
    }
  }

  /// Returns the member of a zip file that is named, or the only one of a format that has one file.
  private static func chosen(_ member: String?, of path: String) -> String? {
    guard member == nil else { return member }
    var wanted = PackedInput.Wanted()
    wanted.endings = OGRSource.endings
    let packed = PackedInput(
      .file(FilePath(path)), name: path, wanted: wanted,
      PackedInput.Surroundings(folder: FilePath(path).removingLastComponent()))
    return packed?.member
  }
}

extension String {
  /// The address without its query, which may be long and hold undeclared secrets.
  var withoutQuery: Substring { prefix { $0 != "?" && $0 != "#" } }

  /// The last part of an address without its query, or of a path; `nil` without one.
  var lastAddressPart: String? { withoutQuery.split(separator: "/").last.map(String.init) }
}
