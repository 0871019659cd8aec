// swift-tools-version: 6.2
// The targets stand in the order of the data: a target imports only targets listed above it.
// `--explicit-target-dependency-import-check error` (Makefile, .ci/run) enforces that in every build.

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let orderedCollections = Target.Dependency.product(
  name: "OrderedCollections", package: "swift-collections")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let flyingFox = Target.Dependency.product(name: "FlyingFox", package: "FlyingFox")
let flyingSocks = Target.Dependency.product(name: "FlyingSocks", package: "FlyingFox")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// The fuzzers exist only where `make fuzz` asks for them: without libFuzzer they do not link.
let isFuzzing = Context.environment["QUADRILLE_FUZZ"] == "1"
let fuzzers: [Target] =
  isFuzzing
  ? [
    .executableTarget(
      name: "quadrille-fuzz", dependencies: ["FuzzTargets", "Platform"], path: "Fuzzing/Driver",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])])
  ] : []

let package = Package(
  name: "Quadrille",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "quadrille", targets: ["quadrille"]),
    .executable(name: "quadrille-preview", targets: ["quadrille-preview"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
  ],
  targets: [
    // C, behind module maps and shims.
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CDeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CFreeType", pkgConfig: "freetype2",
      providers: [.apt(["libfreetype-dev"]), .brew(["freetype"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(name: "CPNG", dependencies: ["CLibPNG"]),
    .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
    // Built against the headers of libcurl and loaded at the first download: linking it would cost
    // every run 9 ms.
    .target(name: "CCurl"),
    .target(name: "CRename"),

    // Base.
    .target(name: "Platform", swiftSettings: strict),
    .target(
      name: "Files", dependencies: ["CRename", "Platform", crypto, systemPackage],
      swiftSettings: strict),
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "Calendar", swiftSettings: strict),
    .target(name: "Tiling", dependencies: ["Platform"], swiftSettings: strict),
    .target(name: "Raster", dependencies: ["CFreeType", "Platform"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite"], swiftSettings: strict),
    .target(
      name: "PNG", dependencies: ["CPNG", "CDeflate", "Platform", "Raster"], swiftSettings: strict),
    .target(
      name: "Features", dependencies: ["JSON", "Tiling", orderedCollections], swiftSettings: strict),

    .target(name: "TapBlocks", dependencies: ["CDeflate", "Tiling"], swiftSettings: strict),

    // Stages.
    .target(
      name: "Expressions",
      dependencies: ["Calendar", "Features", "Platform", "Raster", "Tiling", orderedCollections],
      swiftSettings: strict),
    .target(
      name: "Ingest",
      dependencies: [
        "Calendar", "Expressions", "Features", "JSON", "Platform", "SQLite", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Fetching",
      dependencies: [
        "CCurl", "CZlib", "Calendar", "Files", "JSON", "Platform", "Tiling", crypto, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "SpatialIndex", dependencies: ["Features", "Platform", "Tiling"], swiftSettings: strict),
    .target(
      name: "Clustering", dependencies: ["Platform", "SpatialIndex", "Tiling"],
      swiftSettings: strict),
    .target(
      name: "Overlays",
      dependencies: [
        "CJPEG", "Calendar", "Features", "Files", "JSON", "PNG", "Platform", "Raster", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Rendering",
      dependencies: [
        "Clustering", "Expressions", "Features", "Overlays", "PNG", "Platform", "Raster",
        "SpatialIndex", "TapBlocks", "Tiling",
      ],
      swiftSettings: strict),
    .target(
      name: "MBTiles",
      dependencies: [
        "CDeflate", "Files", "Platform", "SQLite", "TapBlocks", "Tiling", crypto, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "PMTiles", dependencies: ["CDeflate", "MBTiles", "Tiling", systemPackage],
      swiftSettings: strict),

    // The whole.
    .target(
      name: "Pipeline",
      dependencies: [
        "Calendar", "Clustering", "Expressions", "Features", "Fetching", "Files", "Ingest", "JSON",
        "MBTiles", "Overlays", "PMTiles", "PNG", "Platform", "Raster", "Rendering", "SpatialIndex",
        "SQLite", "TapBlocks", "Tiling", crypto, logging, orderedCollections, systemPackage, yams,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "quadrille",
      dependencies: [
        "Calendar", "JSON", "Pipeline", "Platform", "Tiling", arguments, systemPackage,
      ],
      swiftSettings: strict),
    // The server of `quadrille preview`, a program of its own: the main one does not link it.
    .target(
      name: "Preview",
      dependencies: [
        "CDeflate", "Features", "Files", "Ingest", "JSON", "MBTiles", "Overlays", "PNG", "Pipeline",
        "Platform", "TapBlocks", "Tiling", systemPackage,
      ],
      resources: [.embedInCode("Page")], swiftSettings: strict),
    .executableTarget(
      name: "quadrille-preview",
      dependencies: ["Pipeline", "Platform", "Preview", arguments, flyingFox, flyingSocks],
      swiftSettings: strict),
    .executableTarget(name: "sample-data", swiftSettings: strict),

    // Tests.
    .testTarget(name: "SampleDataTests", dependencies: ["sample-data"], swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["Platform"], path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(
      name: "FilesTests", dependencies: ["Files", "TestSupport", systemPackage],
      swiftSettings: strict),
    .testTarget(
      name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "CalendarTests", dependencies: ["Calendar", "Platform"], swiftSettings: strict),
    .testTarget(name: "TilingTests", dependencies: ["Tiling"], swiftSettings: strict),
    .testTarget(
      name: "RasterTests", dependencies: ["Platform", "Raster", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["Platform", "SQLite"], swiftSettings: strict),
    .testTarget(
      name: "PNGTests", dependencies: ["CDeflate", "PNG", "Raster"], swiftSettings: strict),
    .testTarget(
      name: "FeaturesTests", dependencies: ["Features", "JSON", "Tiling", orderedCollections],
      swiftSettings: strict),
    .testTarget(
      name: "TapBlocksTests", dependencies: ["TapBlocks", "TestSupport", "Tiling"],
      swiftSettings: strict),
    .testTarget(
      name: "ExpressionsTests",
      dependencies: ["Expressions", "Features", "Raster", "Tiling", orderedCollections],
      swiftSettings: strict),
    .testTarget(
      name: "IngestTests",
      dependencies: [
        "Expressions", "Features", "Ingest", "JSON", "Platform", "SQLite", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FetchingTests",
      dependencies: [
        "CCurl", "Fetching", "Platform", "TestSupport", "Tiling", crypto, systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "SpatialIndexTests",
      dependencies: ["Features", "Raster", "SpatialIndex", "TestSupport", "Tiling"],
      swiftSettings: strict),
    .testTarget(
      name: "ClusteringTests", dependencies: ["Clustering", "SpatialIndex", "Tiling"],
      swiftSettings: strict),
    .testTarget(
      name: "OverlaysTests",
      dependencies: [
        "Calendar", "Features", "Overlays", "PNG", "Raster", "TestSupport", "Tiling",
        orderedCollections,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Clustering", "Expressions", "Features", "Ingest", "PNG", "Platform", "Raster", "Rendering",
        "SpatialIndex", "TestSupport", "Tiling", orderedCollections,
      ],
      exclude: ["Goldens"],
      swiftSettings: strict),
    .testTarget(
      name: "MBTilesTests",
      dependencies: [
        "CSQLite", "Files", "MBTiles", "Platform", "SQLite", "Tiling", crypto, systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PMTilesTests",
      dependencies: ["MBTiles", "PMTiles", "TestSupport", "Tiling", systemPackage],
      swiftSettings: strict),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "CSQLite", "Clustering", "Expressions", "Features", "Fetching", "Files", "Ingest", "JSON",
        "MBTiles", "Overlays", "PMTiles", "PNG", "Pipeline", "Platform", "Raster", "Rendering",
        "SQLite", "TapBlocks", "TestSupport", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PreviewTests",
      dependencies: [
        "CDeflate", "JSON", "PNG", "Pipeline", "Preview", "Raster", "SQLite", "TapBlocks",
        "TestSupport", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "CDeflate", "Clustering", "Expressions", "Features", "Fetching", "Files", "Ingest", "JSON",
        "MBTiles", "Overlays", "PMTiles", "PNG", "Pipeline", "Platform", "Raster", "SQLite",
        "TapBlocks", "Tiling", orderedCollections, systemPackage,
      ],
      path: "Tests/FuzzTargets",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "MBTiles", "PNG", "Platform", "Raster", "TestSupport", "Tiling", "quadrille",
        "quadrille-preview", systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FaultTests",
      dependencies: ["PNG", "Platform", "Raster", "SQLite", "TestSupport", "quadrille"],
      swiftSettings: strict),
  ] + fuzzers
)
