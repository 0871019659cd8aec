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
      name: "quadrille-fuzz", dependencies: ["FuzzTargets"], path: "Fuzzing/Driver",
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
    .target(name: "Failures", swiftSettings: strict),
    .target(name: "Tiling", swiftSettings: strict),
    .target(name: "Raster", dependencies: ["CFreeType", "Failures"], swiftSettings: strict),
    .target(name: "SQLite", dependencies: ["CSQLite", "Failures"], swiftSettings: strict),
    .target(
      name: "PNG", dependencies: ["CDeflate", "CPNG", "Failures", "Raster"], swiftSettings: strict),
    .target(
      name: "Features", dependencies: ["Failures", "Tiling", orderedCollections],
      swiftSettings: strict),

    .target(name: "TapBlocks", dependencies: ["CDeflate", "Tiling"], swiftSettings: strict),

    // Stages.
    .target(
      name: "Expressions",
      dependencies: ["Failures", "Features", "Raster", "Tiling", orderedCollections],
      swiftSettings: strict),
    .target(
      name: "Ingest",
      dependencies: [
        "Expressions", "Failures", "Features", "SQLite", "Tiling", orderedCollections,
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Fetching",
      dependencies: ["CCurl", "CZlib", "Failures", "Tiling", crypto, systemPackage],
      swiftSettings: strict),
    .target(
      name: "SpatialIndex", dependencies: ["Features", "Tiling"], swiftSettings: strict),
    .target(
      name: "Clustering", dependencies: ["Failures", "SpatialIndex", "Tiling"],
      swiftSettings: strict),
    .target(
      name: "Overlays",
      dependencies: [
        "CJPEG", "Failures", "Features", "PNG", "Raster", "Tiling", orderedCollections,
      ],
      swiftSettings: strict),
    .target(
      name: "Rendering",
      dependencies: [
        "Clustering", "Expressions", "Failures", "Features", "Overlays", "PNG", "Raster",
        "SpatialIndex", "TapBlocks", "Tiling",
      ],
      swiftSettings: strict),
    .target(
      name: "MBTiles",
      dependencies: [
        "CDeflate", "CRename", "Failures", "SQLite", "TapBlocks", "Tiling", crypto, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "PMTiles", dependencies: ["CDeflate", "MBTiles", "Tiling", systemPackage],
      swiftSettings: strict),

    // The run: each stands on those above it; Series, Queries and ReportPages do not know each other.
    .target(
      name: "Runs", dependencies: ["Failures", "Features", systemPackage], swiftSettings: strict),
    .target(
      name: "Definition",
      dependencies: [
        "Expressions", "Features", "Fetching", "Ingest", "MBTiles", "Overlays", "Raster",
        "Rendering", "Runs", "Tiling", orderedCollections, systemPackage, yams,
      ],
      swiftSettings: strict),
    .target(
      name: "Reuse",
      dependencies: [
        "Clustering", "Definition", "Features", "Fetching", "Ingest", "MBTiles", "Rendering",
        "Runs", "SpatialIndex", "Tiling", crypto, orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Reports",
      dependencies: [
        "Definition", "Features", "Fetching", "Ingest", "MBTiles", "Raster", "Rendering",
        "Runs", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Archives",
      dependencies: [
        "Definition", "Features", "Ingest", "MBTiles", "Overlays", "PMTiles", "PNG", "Reports",
        "Reuse", "Runs", "SpatialIndex", "SQLite", "TapBlocks", "Tiling", orderedCollections,
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Baking",
      dependencies: [
        "Archives", "Clustering", "Definition", "Expressions", "Features", "Fetching",
        "Ingest", "MBTiles", "Overlays", "PNG", "Raster", "Rendering", "Reports", "Reuse",
        "Runs", "SpatialIndex", "TapBlocks", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Series",
      dependencies: [
        "Archives", "Baking", "Definition", "Features", "Fetching", "Ingest", "MBTiles",
        "Overlays", "PNG", "Raster", "Rendering", "Reports", "Reuse", "Runs", "Tiling",
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Queries",
      dependencies: [
        "Archives", "Baking", "Clustering", "Definition", "Expressions", "Features", "Ingest",
        "MBTiles", "PNG", "Raster", "Rendering", "Reports", "Runs", "SQLite", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "ReportPages",
      dependencies: [
        "Definition", "Features", "Fetching", "Ingest", "MBTiles", "Overlays", "Reports",
        "Reuse", "Runs", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Pipeline",
      dependencies: [
        "Archives", "Baking", "Definition", "MBTiles", "Queries", "Reports", "Reuse", "Runs",
        "Series", "Tiling", systemPackage,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "quadrille",
      dependencies: [
        "Archives", "Baking", "Definition", "Pipeline", "Queries", "ReportPages", "Reports",
        "Runs", "Tiling", arguments, systemPackage,
      ],
      swiftSettings: strict),
    // The server of `quadrille preview`, a program of its own: the main one does not link it.
    .target(
      name: "Preview",
      dependencies: [
        "Archives", "CDeflate", "Definition", "Features", "Ingest", "MBTiles", "Overlays",
        "PNG", "Runs", "TapBlocks", "Tiling", systemPackage,
      ],
      resources: [.embedInCode("Page")], swiftSettings: strict),
    .executableTarget(
      name: "quadrille-preview",
      dependencies: ["Definition", "Preview", "Runs", arguments, flyingFox, flyingSocks],
      swiftSettings: strict),
    .executableTarget(name: "sample-data", swiftSettings: strict),

    // Tests.
    .testTarget(name: "SampleDataTests", dependencies: ["sample-data"], swiftSettings: strict),
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: strict),
    .testTarget(name: "TilingTests", dependencies: ["Tiling"], swiftSettings: strict),
    .testTarget(name: "RepositoryTests", swiftSettings: strict),
    .testTarget(
      name: "RasterTests", dependencies: ["Raster", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "SQLiteTests", dependencies: ["SQLite"], swiftSettings: strict),
    .testTarget(
      name: "PNGTests", dependencies: ["CDeflate", "PNG", "Raster"], swiftSettings: strict),
    .testTarget(
      name: "FeaturesTests", dependencies: ["Features", "Tiling", orderedCollections],
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
        "Expressions", "Failures", "Features", "Ingest", "SQLite", "Tiling", orderedCollections,
        systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FetchingTests",
      dependencies: ["CCurl", "Fetching", "TestSupport", "Tiling", crypto, systemPackage],
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
        "Features", "Overlays", "PNG", "Raster", "TestSupport", "Tiling", orderedCollections,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Clustering", "Expressions", "Features", "Ingest", "PNG", "Raster", "Rendering",
        "SpatialIndex", "TestSupport", "Tiling", orderedCollections,
      ],
      exclude: ["Goldens"],
      swiftSettings: strict),
    .testTarget(
      name: "MBTilesTests",
      dependencies: ["CSQLite", "Failures", "MBTiles", "SQLite", "Tiling", crypto, systemPackage],
      swiftSettings: strict),
    .testTarget(
      name: "PMTilesTests",
      dependencies: ["MBTiles", "PMTiles", "TestSupport", "Tiling", systemPackage],
      swiftSettings: strict),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "Archives", "Baking", "Clustering", "CSQLite", "Definition", "Expressions", "Failures",
        "Features", "Fetching", "Ingest", "MBTiles", "Overlays", "Pipeline", "PMTiles", "PNG",
        "Queries", "Raster", "Rendering", "ReportPages", "Reports", "Reuse", "Runs", "Series",
        "SQLite", "TapBlocks", "TestSupport", "Tiling", crypto, orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PreviewTests",
      dependencies: [
        "CDeflate", "PNG", "Preview", "Raster", "Runs", "SQLite", "TapBlocks", "TestSupport",
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "Archives", "CDeflate", "Clustering", "Definition", "Expressions", "Features",
        "Fetching", "Ingest", "MBTiles", "Overlays", "Pipeline", "PMTiles", "PNG", "Queries",
        "Raster", "Reuse", "Runs", "SQLite", "TapBlocks", "Tiling", orderedCollections,
        systemPackage,
      ],
      path: "Tests/FuzzTargets",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "MBTiles", "PNG", "Raster", "TestSupport", "Tiling", "quadrille", "quadrille-preview",
        systemPackage,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FaultTests",
      dependencies: ["PNG", "Raster", "SQLite", "TestSupport", "quadrille"], swiftSettings: strict),
  ] + fuzzers
)
