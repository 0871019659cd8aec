import ArgumentParser
import Definition
import Platform

/// The options for what a pipeline includes from other files.
struct InclusionOptions: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "More files, with their sources and layers below the pipeline's own, in the order of their "
        + "paths; as 'include' in the file.", valueName: "file"), completion: .file())
  var include: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder that urls with local:// in the file stand for: sources, sprites and images.",
      valueName: "folder"), completion: .directory)
  var local: String?

  /// The environment of the process with these options.
  var environment: Document.Environment {
    { name in
      if name == LocalAddresses.variable, let local { return local }
      return getenv(name).map { String(cString: $0) }
    }
  }
}

/// The option for the data of sources.
struct ReplacementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The data of a source in place of the file's own: a file, relative to the current folder, or a "
        + "url; NAME= leaves the source and its layers out. May be given more than once.",
      valueName: "NAME=FILE"), completion: .file(),
    transform: Self.replacement)
  var source: [SourceReplacement] = []

  /// Parses `NAME=FILE`.
  static func replacement(_ text: String) throws -> SourceReplacement {
    guard let replacement = SourceReplacement(text) else {
      throw ValidationError("'\(text)' is not NAME=FILE: the name of a source and its data.")
    }
    return replacement
  }
}

/// The options for the use of the machine's resources.
struct MachineOptions: ParsableArguments {
  @Option(
    name: [.customShort("j", allowingJoined: true), .long],
    help: "Worker threads; one per processor that this process may use by default.")
  var threads = 0

  @Flag(help: "Neither read nor write caches.")
  var noCache = false

  @Flag(
    help: ArgumentHelp(
      "Do not read an input to see whether it changed if its size, times and inode are those of the "
        + "last run with this flag."))
  var trustMtime = false

  @Option(
    help: ArgumentHelp(
      "The maximum size of the cache, such as 500M or 2G (the default); 0 keeps none.",
      valueName: "bytes"),
    transform: Self.cacheSize)
  var cacheSize = CacheSize.standard

  @Option(
    help: ArgumentHelp(
      "The most memory to hold, such as 512M or 2G; what does not fit lies in temporary files "
        + "(--tmpdir). The result is the same.", valueName: "bytes"),
    transform: Self.memory)
  var memory: MemoryCeiling?

  @Flag(help: "Fetch nothing: remote data comes from the cache or the run fails.")
  var offline = false

  @Option(help: "The folder for temporary files.", completion: .directory)
  var tmpdir: String?

  func validate() throws {
    guard (0...1024).contains(threads) else {
      throw ValidationError("\(threads) threads is not between 1 and 1024.")
    }
  }

  /// Parses `1.5G`.
  static func memory(_ text: String) throws -> MemoryCeiling {
    guard let ceiling = MemoryCeiling(text) else {
      throw ValidationError(
        "'\(text)' is not a size: write bytes, or a number with K, M, G or T, such as 1.5G.")
    }
    return ceiling
  }

  /// Parses `500M`.
  static func cacheSize(_ text: String) throws -> CacheSize {
    guard let size = CacheSize(text) else {
      throw ValidationError("'\(text)' is not a size: write bytes, or a number with K, M, G or T.")
    }
    return size
  }
}

extension BuildOptions {
  /// Creates the options of a command line; groups that a command lacks are omitted.
  init(_ pipeline: TileRangeOptions? = nil, _ machine: MachineOptions? = nil) {
    self.init()
    if let pipeline {
      minZoom = pipeline.minzoom
      maxZoom = pipeline.maxzoom
      bounds = pipeline.bbox
    }
    if let machine {
      threads = machine.threads
      noCache = machine.noCache
      trustsFileTimes = machine.trustMtime
      cacheSize = machine.cacheSize
      memory = machine.memory
      offline = machine.offline
      temporaryFolder = machine.tmpdir
    }
  }
}
