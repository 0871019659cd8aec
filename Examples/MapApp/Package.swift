// swift-tools-version: 6.2
// An app in 200 lines over an archive: tiles, taps, entries, search, packs and updates. Source only: it builds
// where SwiftUI and MapKit exist; elsewhere it is an empty program.

import PackageDescription

let package = Package(
  name: "MapApp",
  platforms: [.macOS(.v15), .iOS(.v17)],
  dependencies: [.package(name: "QuadrilleClient", path: "../../clients/swift")],
  targets: [
    .executableTarget(
      name: "MapApp",
      dependencies: [.product(name: "QuadrilleClient", package: "QuadrilleClient")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
