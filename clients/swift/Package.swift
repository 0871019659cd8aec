// swift-tools-version: 6.2
// The library for apps alone: it fetches nothing of what only the program needs. Its targets are those of the
// package in ../.., by links to their sources; ClientPackageTests compares the two.

import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "QuadrilleClient",
  platforms: [.macOS(.v15), .iOS(.v15)],
  products: [.library(name: "QuadrilleClient", targets: ["QuadrilleClient"])],
  targets: [
    .systemLibrary(
      name: "CSQLite", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"]), .brew(["openssl"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "TapReading", swiftSettings: strict),
    .target(
      name: "QuadrilleClient",
      dependencies: [
        .target(name: "CCrypto", condition: .when(platforms: [.linux])), "CSQLite", "CZlib",
        "TapReading",
      ],
      swiftSettings: strict),
  ]
)
