// swift-tools-version: 6.2
// The targets stand in the order of the data: a target imports only targets listed above it.
// ArchitectureTests compares the lists with the imports in the code.

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// `make test` builds tests and program with optimization. The code of tests need not be optimized,
// and compiles in a third of the time without; loops over pixels stand in TestSupport, PlainPainting
// and PipelineSamples.
let testing = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// For targets whose unsafe expressions are all marked.
let memorySafe = strict + [.strictMemorySafety()]

let orderedCollections = Target.Dependency.product(
  name: "OrderedCollections", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let systemPackage = Target.Dependency.product(name: "SystemPackage", package: "swift-system")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

// The fuzzers exist only where `make fuzz` asks for them: without libFuzzer they do not link.
let isFuzzing = Context.environment["QUADRILLE_FUZZ"] == "1"
let fuzzers: [Target] =
  isFuzzing
  ? [
    .executableTarget(
      name: "quadrille-fuzz", dependencies: ["FuzzTargets", "Platform"], path: "Fuzzing/Driver",
      swiftSettings: strict)
  ] : []

// Measure single stages from within (Benchmarks/README.md); no part of the program.
let isMeasuring = Context.environment["QUADRILLE_BENCH"] == "1"
let benchmarks: [Target] =
  isMeasuring
  ? [
    .executableTarget(
      name: "quadrille-reading", dependencies: ["Features", "Ingest", systemPackage],
      path: "Benchmarks/Reading", swiftSettings: strict),
    .executableTarget(
      name: "quadrille-clusters", dependencies: ["Clustering", "Columns", "Tiling"],
      path: "Benchmarks/Clusters", swiftSettings: strict),
    .executableTarget(
      name: "quadrille-reader", dependencies: ["CSQLite", "QuadrilleClient"],
      path: "Benchmarks/Client", swiftSettings: strict),
    .executableTarget(
      name: "quadrille-shaping", dependencies: ["Platform", "Raster"], path: "Benchmarks/Shaping",
      swiftSettings: strict),
  ] : []

let package = Package(
  name: "Quadrille",
  // iOS is that of QuadrilleClient; nothing else is built for it.
  platforms: [.macOS(.v15), .iOS(.v15)],
  products: [
    .executable(name: "quadrille", targets: ["quadrille"]),
    .executable(name: "quadrille-preview", targets: ["quadrille-preview"]),
    .library(name: "QuadrilleKit", targets: ["QuadrilleKit"]),
    .library(name: "QuadrilleClient", targets: ["QuadrilleClient"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // C, behind module maps and shims.
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CLibPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CDeflate", providers: [.apt(["libdeflate-dev"]), .brew(["libdeflate"])]),
    // Linking it costs the start of a program 0.4 ms.
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CFreeType", pkgConfig: "freetype2",
      providers: [.apt(["libfreetype-dev"]), .brew(["freetype"])]),
    // The three are linked: together they cost the start of the program 1.4 ms.
    .systemLibrary(
      name: "CFriBidi", pkgConfig: "fribidi",
      providers: [.apt(["libfribidi-dev"]), .brew(["fribidi"])]),
    .systemLibrary(
      name: "CHarfBuzz", pkgConfig: "harfbuzz",
      providers: [.apt(["libharfbuzz-dev"]), .brew(["harfbuzz"])]),
    .systemLibrary(
      name: "CLibICU", pkgConfig: "icu-i18n", providers: [.apt(["libicu-dev"]), .brew(["icu4c"])]),
    .systemLibrary(
      name: "CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"]), .brew(["jpeg-turbo"])]),
    .target(name: "CICU", dependencies: ["CLibICU"]),
    .target(name: "CPNG", dependencies: ["CLibPNG"]),
    .target(name: "CJPEG", dependencies: ["CLibJPEG"]),
    // Built against the headers of libcurl and loaded at the first download: linking it would cost
    // every run 9 ms.
    .target(name: "CCurl"),
    .target(name: "CFiles"),
    .target(name: "CChild"),
    .target(name: "CLimit"),
    // Built against the headers of libzstd and libbz2, and loaded at the first file that needs them.
    .target(name: "CUnpack"),
    // Built against the headers of libwebp and loaded at the first tile in WebP.
    .target(name: "CWebP"),
    .target(name: "CProj"),
    .systemLibrary(name: "CScan"),

    // Base.
    .target(name: "Platform", swiftSettings: memorySafe),
    .target(name: "Workers", dependencies: ["Platform"], swiftSettings: memorySafe),
    .target(name: "Failures", dependencies: [systemPackage], swiftSettings: memorySafe),
    .target(
      name: "Hashing",
      dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))],
      swiftSettings: strict),
    .target(
      name: "Files", dependencies: ["CFiles", "Platform", "Hashing", systemPackage],
      swiftSettings: strict),
    .target(name: "Pictures", dependencies: ["Files"], swiftSettings: strict),
    .target(
      name: "Children", dependencies: ["CChild", "Platform", systemPackage], swiftSettings: strict),
    .target(
      name: "Columns", dependencies: ["Platform", systemPackage], swiftSettings: strict),
    .target(name: "JSON", dependencies: ["CScan"], swiftSettings: strict),
    .target(name: "Calendar", swiftSettings: strict),
    .target(name: "Tiling", dependencies: ["Platform"], swiftSettings: memorySafe),
    .target(
      name: "TextAnalysis", dependencies: ["CFriBidi", "CICU", "Failures"], swiftSettings: strict),
    .target(
      name: "Raster",
      dependencies: [
        "CFreeType", "CHarfBuzz", "Failures", "Files", "Platform", "TextAnalysis", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "SQLite", dependencies: ["CSQLite", "Failures", "Workers"], swiftSettings: strict),
    .target(
      name: "PNG", dependencies: ["CDeflate", "CPNG", "Failures", "Platform", "Raster"],
      swiftSettings: strict),
    .target(
      name: "TileCodecs", dependencies: ["CJPEG", "CWebP", "Failures", "Files", "PNG", "Raster"],
      swiftSettings: strict),
    .target(
      name: "Features",
      dependencies: ["Columns", "Failures", "JSON", "Tiling", orderedCollections],
      swiftSettings: strict),

    .target(name: "TapReading", swiftSettings: strict),
    .target(
      name: "TapBlocks", dependencies: ["CDeflate", "TapReading", "Tiling"],
      swiftSettings: strict),

    // Stages.
    .target(
      name: "Unpacking",
      dependencies: [
        "Calendar", "CDeflate", "CUnpack", "CZlib", "Features", "Files", "Platform", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Projections", dependencies: ["CProj", "Failures", "Platform", "Tiling"],
      swiftSettings: strict),
    .target(
      name: "GDAL",
      dependencies: [
        "Children", "Features", "Files", "PNG", "Raster", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Expressions",
      dependencies: [
        "Calendar", "Failures", "Features", "JSON", "Platform", "Raster", "TextAnalysis", "Tiling",
        orderedCollections,
      ],
      swiftSettings: strict),
    .target(
      name: "Ingest",
      dependencies: [
        "Calendar", "CScan", "Failures", "Features", "Files", "JSON", "Platform", "TextAnalysis",
        "Tiling", "Workers", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "RecordChanges",
      dependencies: [
        "Calendar", "Features", "Ingest", "JSON", "Platform", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Examination",
      dependencies: [
        "Features", "Files", "Ingest", "JSON", "Platform", "TextAnalysis",
        "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "GeoPackages",
      dependencies: [
        "Columns", "Expressions", "Features", "Files", "Ingest", "SQLite", "Tiling", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Fetching",
      dependencies: [
        "Calendar", "CCurl", "CZlib", "Failures", "Files", "JSON", "Platform", "Tiling",
        "Unpacking", "Hashing", "Workers", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "SpatialIndex", dependencies: ["Columns", "Features", "Platform", "Tiling", "Workers"],
      swiftSettings: strict),
    .target(
      name: "VectorTiles",
      dependencies: ["Failures", "Features", "Platform", "SpatialIndex", "Tiling", heap],
      swiftSettings: strict),
    .target(
      name: "Clustering",
      dependencies: [
        "Columns", "Failures", "Features", "JSON", "Platform", "SpatialIndex", "Tiling",
      ],
      swiftSettings: strict),
    .target(
      name: "Overlays",
      dependencies: [
        "Calendar", "CJPEG", "Failures", "Features", "Files", "JSON", "Platform", "PNG", "Raster",
        "TileCodecs", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Styling",
      dependencies: [
        "Expressions", "Failures", "Features", "JSON", "Platform", "Raster", orderedCollections,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Sprites",
      dependencies: [
        "Failures", "Features", "Files", "Ingest", "PNG", "Raster", "Styling", "TileCodecs",
        orderedCollections,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Scenes",
      dependencies: [
        "Clustering", "Columns", "Expressions", "Failures", "Features", "Files", "Overlays",
        "Platform", "Raster", "SpatialIndex", "Styling", "Tiling", orderedCollections,
      ], swiftSettings: strict),
    .target(
      name: "Painting",
      dependencies: [
        "TileCodecs", "Columns", "Features", "Overlays", "Platform", "PNG", "Raster", "Scenes",
        "SpatialIndex",
        "Styling", "TapBlocks", "Tiling",
      ], swiftSettings: strict),
    .target(
      name: "MBTiles",
      dependencies: [
        "CDeflate", "Columns", "Failures", "Files", "Hashing", "Pictures", "Platform", "SQLite",
        "TapBlocks", "Tiling", "Workers", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "ArchiveDeltas",
      dependencies: [
        "Files", "MBTiles", "SQLite",
        "TapBlocks", "Tiling", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "PMTiles",
      dependencies: [
        "CDeflate", "Files", "MBTiles", "Pictures", "Tiling", systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Tilesets",
      dependencies: [
        "Features", "Files", "Ingest", "JSON", "MBTiles", "PMTiles", "Tiling", orderedCollections,
        systemPackage,
      ],
      swiftSettings: strict),

    // The run: each stands on those above it; Shards, Queries, Drafts and ReportPages do not know each
    // other.
    .target(
      name: "Runs",
      dependencies: [
        "Failures", "Features", "Files", "JSON", "Platform", "Workers", systemPackage,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Definition",
      dependencies: [
        "Columns", "Expressions", "Failures", "Features", "Fetching", "Files", "GDAL",
        "GeoPackages",
        "Hashing", "Ingest", "JSON", "MBTiles", "Overlays", "Platform", "Projections", "Raster",
        "RecordChanges", "Runs",
        "Styling", "TileCodecs", "Tilesets", "Tiling", orderedCollections, systemPackage, yams,
      ],
      swiftSettings: strict),
    .target(
      name: "Inputs",
      dependencies: [
        "Definition", "Expressions", "Failures", "Features", "Fetching", "Files", "GDAL",
        "GeoPackages", "Hashing", "Ingest", "JSON", "MBTiles", "Overlays", "PMTiles", "Platform",
        "Projections", "Raster", "RecordChanges", "Runs", "Scenes", "Styling", "Tilesets", "Tiling",
        "Unpacking",
        "VectorTiles",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Reuse",
      dependencies: [
        "CLimit", "Clustering", "Columns", "Definition", "Features", "Files", "Hashing", "Ingest",
        "Inputs", "JSON", "MBTiles", "Platform", "Projections", "Runs", "Scenes", "SpatialIndex",
        "TapBlocks", "TextAnalysis", "Tiling", "Workers", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Reports",
      dependencies: [
        "Definition", "Features", "Fetching", "Files", "Ingest", "JSON", "MBTiles", "Raster",
        "Runs", "Styling", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Archives",
      dependencies: [
        "ArchiveDeltas", "Calendar", "Columns", "Definition", "Features", "Files", "Hashing",
        "Ingest",
        "JSON", "MBTiles", "Overlays", "Pictures", "Platform", "PMTiles", "PNG", "Raster",
        "Reports", "Reuse", "Runs", "SpatialIndex", "SQLite", "TapBlocks", "TileCodecs",
        "Tilesets", "Tiling", "VectorTiles", orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Publication",
      dependencies: [
        "ArchiveDeltas", "Archives", "Calendar", "Definition", "Files", "Hashing", "Inputs",
        "JSON", "MBTiles", "Overlays", "Platform", "Reports", "Reuse", "Runs", "Tiling",
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "SourceStages",
      dependencies: [
        "Calendar", "Clustering", "Columns", "Definition", "Examination", "Expressions", "Features",
        "Files", "Hashing", "Ingest",
        "Inputs", "JSON", "MBTiles", "Overlays", "Raster", "RecordChanges", "Reports", "Reuse",
        "Runs", "Scenes", "SpatialIndex", "Sprites", "Styling", "Tiling", orderedCollections,
      ],
      swiftSettings: strict),
    .target(
      name: "Baking",
      dependencies: [
        "Archives", "Clustering", "Columns", "Definition", "Examination", "Expressions",
        "Features", "Fetching", "Files", "GeoPackages", "Hashing", "Ingest", "Inputs", "JSON",
        "MBTiles", "Overlays", "Painting", "Pictures", "Platform", "PNG", "Publication",
        "Raster", "Reports", "Reuse", "Runs", "Scenes", "SourceStages", "SpatialIndex",
        "Styling", "TapBlocks", "TileCodecs", "Tilesets", "Tiling", "Workers",
        orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Series",
      dependencies: [
        "Archives", "Baking", "Definition", "Features", "Fetching", "Files", "Ingest",
        "Inputs", "JSON", "MBTiles", "Overlays", "Platform", "PNG", "Publication", "Raster",
        "Reports", "Reuse",
        "Runs",
        "Scenes", "SourceStages", "Styling", "TileCodecs", "Tiling", systemPackage,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Shards",
      dependencies: [
        "Baking", "Columns", "Definition", "Features", "Fetching", "Files", "GDAL", "Hashing",
        "Ingest", "Inputs", "JSON", "MBTiles", "Platform", "Publication", "Reports", "Reuse",
        "Runs", "Scenes", "Series", "SourceStages", "TapBlocks", "TileCodecs", "Tiling",
        systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Queries",
      dependencies: [
        "Archives", "Baking", "Calendar", "Clustering", "Columns", "Definition", "Examination",
        "Expressions",
        "Failures", "Features", "Files", "Ingest", "Inputs", "JSON", "MBTiles", "Painting",
        "Platform", "PNG", "Raster", "Reports", "Reuse", "Runs", "Scenes", "SourceStages", "SQLite",
        "Styling",
        "TileCodecs",
        "Tiling", heap, orderedCollections, systemPackage,
      ],
      swiftSettings: strict),
    .target(
      name: "Drafts",
      dependencies: [
        "Baking", "Definition", "Examination", "Features", "Files", "GDAL", "GeoPackages", "Ingest",
        "Inputs",
        "MBTiles", "Overlays", "Platform", "RecordChanges", "Reuse", "Runs", "Scenes",
        "SourceStages", "SpatialIndex",
        "Styling",
        "Tilesets", "Tiling", "Unpacking", "VectorTiles", orderedCollections, systemPackage,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "ReportPages",
      dependencies: [
        "Archives", "Definition", "Features", "Fetching", "Files", "Ingest", "MBTiles", "Overlays",
        "Pictures", "Reports", "Reuse", "Runs", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: memorySafe),
    .target(
      name: "Pipeline",
      dependencies: [
        "Archives", "Baking", "Columns", "Definition", "Drafts", "Inputs", "MBTiles", "PNG",
        "Publication", "Queries", "Raster", "Reports", "Reuse", "Runs", "Series", "Shards",
        "SourceStages", "Tiling",
        systemPackage,
      ],
      swiftSettings: memorySafe),
    // The same for Swift programs that embed it, with a public interface.
    .target(
      name: "QuadrilleKit",
      dependencies: [
        "Archives", "Baking", "Definition", "Drafts", "Examination", "Features", "Files", "Ingest",
        "JSON",
        "MBTiles", "Pipeline", "PNG", "Raster", "Reports", "Runs", "SourceStages", "Tiling",
        "Workers",
        systemPackage,
      ],
      swiftSettings: memorySafe),
    // The same archives in an app: this target and the few that it imports are all that is built.
    .target(
      name: "QuadrilleClient",
      dependencies: [
        .target(name: "CCrypto", condition: .when(platforms: [.linux])), "CSQLite", "CZlib",
        "TapReading",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "quadrille",
      dependencies: [
        "Archives", "Baking", "Calendar", "Children", "CLimit", "Definition", "Drafts", "Features",
        "Files", "Inputs", "JSON", "Pipeline", "Platform", "Publication", "Queries", "ReportPages",
        "Reports", "Runs", "Shards", "SourceStages", "Tiling", arguments, systemPackage,
      ],
      swiftSettings: strict),
    // The server of `quadrille preview`, a program of its own: the main one does not link it. It
    // paints the tiles of data that is not baked.
    .target(
      name: "Preview",
      dependencies: [
        "Archives", "CDeflate", "Definition", "Failures", "Features", "Files", "Ingest", "JSON",
        "MBTiles", "Overlays", "Pictures", "Platform", "Reports", "Runs", "Styling", "TapBlocks",
        "Tiling", systemPackage,
      ],
      resources: [.embedInCode("Page")], swiftSettings: strict),
    .executableTarget(
      name: "quadrille-preview",
      dependencies: [
        "Baking", "Children", "Definition", "Drafts", "Files", "Inputs", "JSON", "Pipeline",
        "Platform", "Preview", "Runs", "Tiling", "Workers", arguments, systemPackage,
      ],
      swiftSettings: strict),

    // Tests.
    .target(
      name: "TestSupport",
      dependencies: ["CChild", "CDeflate", "Children", "Platform", systemPackage],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(
      name: "PlainPainting",
      dependencies: ["Columns", "Painting", "Raster", "Scenes", "Styling", "Tiling"],
      path: "Tests/PlainPainting", swiftSettings: strict),
    .target(
      name: "VectorTileSamples", dependencies: ["SpatialIndex", "Tiling", "VectorTiles"],
      path: "Tests/VectorTileSamples", swiftSettings: strict),
    .target(
      name: "DefinitionSamples", dependencies: ["Definition", "JSON", "Runs"],
      path: "Tests/DefinitionSamples", swiftSettings: strict),
    .target(
      name: "PipelineSamples",
      dependencies: [
        "Baking", "Definition", "Examination", "Ingest", "Inputs", "Overlays", "Painting",
        "Pipeline", "PNG",
        "Queries", "Raster", "Reports", "Reuse", "Runs", "Scenes", "Series", "SourceStages",
        "SQLite", "Styling",
        "TestSupport", "Tiling", systemPackage,
      ],
      path: "Tests/PipelineSamples",
      swiftSettings: strict),
    .testTarget(name: "HashingTests", dependencies: ["Hashing"], swiftSettings: testing),
    .testTarget(
      name: "FilesTests",
      dependencies: ["Archives", "Files", "Runs", "TestSupport", systemPackage],
      swiftSettings: testing),
    .testTarget(
      name: "ColumnsTests", dependencies: ["Columns", "TestSupport", systemPackage],
      swiftSettings: testing),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "CalendarTests", dependencies: ["Calendar", "Platform"], swiftSettings: testing),
    .testTarget(
      name: "TilingTests", dependencies: ["Scenes", "TestSupport", "Tiling"], swiftSettings: testing
    ),
    .testTarget(
      name: "RepositoryTests", dependencies: ["TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "TextAnalysisTests", dependencies: ["TestSupport", "TextAnalysis"],
      swiftSettings: testing),
    .testTarget(
      name: "RasterTests", dependencies: ["Platform", "Raster", "TestSupport", "TextAnalysis"],
      swiftSettings: testing),
    .testTarget(
      name: "SQLiteTests", dependencies: ["Platform", "SQLite", "TestSupport"],
      swiftSettings: testing),
    .testTarget(
      name: "PNGTests", dependencies: ["CDeflate", "PNG", "Raster", "TestSupport", "TileCodecs"],
      swiftSettings: testing),
    .testTarget(
      name: "TileCodecsTests",
      dependencies: [
        "MBTiles", "Pictures", "PNG", "Raster", "TestSupport", "TileCodecs",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "FeaturesTests",
      dependencies: ["Features", "JSON", "TestSupport", "Tiling", orderedCollections],
      swiftSettings: testing),
    .testTarget(
      name: "TapBlocksTests", dependencies: ["TapBlocks", "TestSupport", "Tiling"],
      swiftSettings: testing),
    .executableTarget(
      name: "expression-fixture",
      dependencies: [
        "Expressions", "Features", "Ingest", "JSON", "Raster", "TextAnalysis", "Tiling",
        orderedCollections, systemPackage,
      ],
      path: "Tests/ExpressionFixtures", swiftSettings: strict),
    .testTarget(
      name: "ExpressionsTests",
      dependencies: [
        "expression-fixture", "Expressions", "Features", "JSON", "Raster", "TestSupport",
        "Tiling", orderedCollections,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "IngestTests",
      dependencies: [
        "Examination", "Expressions", "Failures", "Features", "Files", "GeoPackages", "Ingest",
        "JSON", "Platform",
        "RecordChanges", "SQLite", "TestSupport", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "UnpackingTests",
      dependencies: ["Features", "Files", "TestSupport", "Unpacking", systemPackage],
      swiftSettings: testing),
    .testTarget(
      name: "GDALTests",
      dependencies: [
        "Children", "Features", "Files", "GDAL", "PNG", "Raster", "TestSupport", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "FetchingTests",
      dependencies: [
        "CCurl", "Fetching", "Platform", "TestSupport", "Tiling", "Hashing", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "SpatialIndexTests",
      dependencies: [
        "Columns", "Features", "Raster", "SpatialIndex", "TestSupport", "Tiling", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ClusteringTests",
      dependencies: ["Clustering", "Columns", "Features", "TestSupport", "Tiling"],
      swiftSettings: testing),
    .testTarget(
      name: "OverlaysTests",
      dependencies: [
        "Calendar", "Features", "Files", "Overlays", "PNG", "Raster", "TestSupport", "TileCodecs",
        "Tiling",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "RenderingTests",
      dependencies: [
        "Clustering", "Columns", "Expressions", "Features", "Ingest", "Painting", "PlainPainting",
        "Platform", "PNG", "Raster", "Scenes", "SpatialIndex", "Sprites", "Styling", "TestSupport",
        "Tiling", orderedCollections, systemPackage,
      ],
      exclude: ["Goldens"],
      swiftSettings: testing),
    .testTarget(
      name: "MBTilesTests",
      dependencies: [
        "ArchiveDeltas", "Columns", "Failures", "Files", "Hashing", "MBTiles", "Pictures",
        "Platform", "ReportPages", "Reports", "SQLite", "TapBlocks", "TestSupport", "Tiling",
        systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PMTilesTests",
      dependencies: ["MBTiles", "PMTiles", "TestSupport", "Tiling", systemPackage],
      swiftSettings: testing),
    .testTarget(
      name: "TilesetsTests",
      dependencies: [
        "Features", "Files", "MBTiles", "PMTiles", "SQLite", "TestSupport", "Tilesets", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "VectorTilesTests",
      dependencies: [
        "Failures", "Features", "PMTiles", "SpatialIndex", "TestSupport", "Tiling",
        "VectorTileSamples", "VectorTiles",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "RunsTests",
      dependencies: [
        "Features", "Files", "JSON", "Platform", "Runs", "TestSupport", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "DefinitionTests",
      dependencies: [
        "Definition", "DefinitionSamples", "Expressions", "Features", "Ingest", "JSON", "Overlays",
        "Runs", "Styling", "TestSupport", "Tiling", orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "InputsTests",
      dependencies: [
        "Archives", "Baking", "Definition", "DefinitionSamples", "Examination", "Features",
        "Fetching", "GDAL",
        "GeoPackages", "Ingest", "Inputs", "JSON", "MBTiles", "Overlays", "Pipeline",
        "PipelineSamples", "Platform", "PMTiles", "PNG", "Queries", "Raster", "Reports", "Runs",
        "SourceStages", "SQLite", "Styling", "TestSupport", "TileCodecs", "Tiling",
        "VectorTileSamples",
        "VectorTiles", orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ReuseTests",
      dependencies: [
        "Archives", "Baking", "Columns", "Definition", "Features", "Files", "Hashing", "Ingest",
        "Inputs", "JSON", "MBTiles", "Pipeline", "PipelineSamples", "Platform", "Queries",
        "Reports", "Reuse", "Runs", "SourceStages", "SQLite", "Scenes", "TestSupport", "Tiling",
        systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ReportsTests",
      dependencies: [
        "Definition", "DefinitionSamples", "Features", "Ingest", "JSON", "MBTiles", "Pipeline",
        "PipelineSamples", "Platform", "Raster", "Reports", "Runs", "Styling", "TestSupport",
        systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ArchivesTests",
      dependencies: [
        "ArchiveDeltas", "Archives", "Baking", "Clustering", "Definition", "Features", "Files",
        "Hashing", "Ingest", "JSON", "MBTiles", "Pictures", "Pipeline", "PipelineSamples",
        "Platform", "PMTiles", "PNG", "Publication", "Queries", "Raster", "Reports", "Reuse",
        "Runs", "Scenes", "SourceStages", "SQLite", "TapBlocks", "TestSupport", "TileCodecs",
        "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "BakingTests",
      dependencies: [
        "Archives", "Baking", "Clustering", "Columns", "Definition", "DefinitionSamples",
        "Features", "Files", "Hashing", "Ingest", "Inputs", "MBTiles", "Painting", "Pictures",
        "Pipeline", "PipelineSamples", "PlainPainting", "PNG", "Publication", "Raster",
        "Reports", "Reuse", "Runs", "Scenes", "SourceStages", "SQLite", "TapBlocks", "TestSupport",
        "TileCodecs",
        "Tiling", orderedCollections, systemPackage,
      ],
      exclude: ["Goldens"],
      swiftSettings: testing),
    .testTarget(
      name: "SeriesTests",
      dependencies: [
        "Archives", "Baking", "Definition", "DefinitionSamples", "Features", "Files", "Hashing",
        "JSON", "MBTiles",
        "Overlays", "Pipeline", "PipelineSamples", "PNG", "Preview", "Queries", "Raster",
        "ReportPages", "Reports", "Runs", "SourceStages", "TestSupport", "Tiling", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "QueriesTests",
      dependencies: [
        "Baking", "Columns", "Definition", "DefinitionSamples", "Examination", "Features", "Ingest",
        "Inputs",
        "JSON", "Pipeline", "PipelineSamples", "PNG", "Queries", "Raster", "Reports", "Reuse",
        "Runs", "SourceStages", "SQLite",
        "TestSupport", "Tiling", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ProjectionsTests", dependencies: ["Projections", "Tiling"], swiftSettings: testing),
    .testTarget(
      name: "DraftsTests",
      dependencies: [
        "Definition", "DefinitionSamples", "Drafts", "Examination", "Features", "Ingest",
        "Pipeline", "PipelineSamples", "PNG", "Raster", "Reports", "Runs", "SQLite", "Styling",
        "TapBlocks", "TestSupport", "Tiling", "VectorTiles", "VectorTileSamples",
        orderedCollections,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ReportPagesTests",
      dependencies: [
        "Definition", "DefinitionSamples", "Features", "JSON", "MBTiles", "Pictures", "Pipeline",
        "ReportPages", "Reports", "Runs", "TestSupport", "Tiling", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PipelineTests",
      dependencies: [
        "ArchiveDeltas", "Archives", "Baking", "Clustering", "Definition", "DefinitionSamples",
        "Examination", "Expressions",
        "Failures", "Features", "Fetching", "Files", "Hashing", "Ingest", "Inputs", "JSON",
        "MBTiles", "Overlays", "Pipeline", "PipelineSamples", "PNG", "Publication", "Queries",
        "Raster", "RecordChanges", "ReportPages", "Reports",
        "Reuse",
        "Runs", "Scenes", "Series", "SourceStages", "SQLite", "Styling", "TestSupport", "Tiling",
        orderedCollections, systemPackage,
      ],
      swiftSettings: testing),
    // The example as another package sees the library: what is `package` is hidden from it.
    .executableTarget(
      name: "embedding-example", dependencies: ["QuadrilleKit"],
      path: "Examples/Embedding/Sources/Embedding", packageAccess: false,
      swiftSettings: [.treatAllWarnings(as: .error)]),
    .testTarget(
      name: "QuadrilleKitTests",
      dependencies: [
        "Baking", "Definition", "embedding-example", "Failures", "Pipeline", "PNG", "QuadrilleKit",
        "Raster", "Runs",
        "TestSupport", "Tiling",
      ],
      swiftSettings: testing),
    .executableTarget(
      name: "update-fixture", dependencies: ["QuadrilleClient"], path: "Tests/UpdateFixture",
      swiftSettings: strict),
    .testTarget(
      name: "QuadrilleClientTests",
      dependencies: [
        .target(name: "CCrypto", condition: .when(platforms: [.linux])), "CZlib",
        "QuadrilleClient", "TestSupport", "update-fixture",
      ],
      swiftSettings: testing),
    .testTarget(
      name: "ShardsTests",
      dependencies: [
        "Baking", "Columns", "Definition", "Pipeline", "PNG", "Raster", "Reports", "Reuse", "Runs",
        "Shards", "TestSupport", "Tiling", "VectorTileSamples", "VectorTiles", systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "PreviewTests",
      dependencies: [
        "CDeflate", "Definition", "Examination", "Features", "JSON", "Platform", "PNG", "Preview",
        "Raster", "Runs", "SQLite", "TapBlocks", "TestSupport", "Tiling", orderedCollections,
        systemPackage,
      ],
      swiftSettings: testing),
    .target(
      name: "FuzzTargets",
      dependencies: [
        "ArchiveDeltas", "Archives", "Baking", "CDeflate", "Clustering", "Definition",
        "Expressions", "Features",
        "Fetching", "Files", "GeoPackages", "Ingest", "JSON", "MBTiles", "Overlays", "Pipeline",
        "Platform", "PMTiles", "PNG", "Preview", "Queries", "Raster", "RecordChanges", "Reuse",
        "Runs", "Series",
        "Shards", "Sprites", "SQLite", "Styling", "TapBlocks", "Tiling", "Unpacking",
        "VectorTiles", orderedCollections, systemPackage,
      ],
      path: "Tests/FuzzTargets",
      swiftSettings: strict),
    .testTarget(
      name: "FuzzTests", dependencies: ["FuzzTargets", "TestSupport"], swiftSettings: testing),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "MBTiles", "Platform", "PNG", "quadrille", "quadrille-preview", "QuadrilleClient", "Raster",
        "SQLite", "TestSupport", "TileCodecs", "Tiling", "VectorTileSamples", "VectorTiles",
        systemPackage,
      ],
      swiftSettings: testing),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Platform", "PNG", "quadrille", "Raster", "SQLite", "TestSupport", "VectorTileSamples",
        "VectorTiles",
      ], swiftSettings: testing),
  ] + fuzzers + benchmarks
)
