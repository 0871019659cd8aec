// swift-tools-version: 6.2
// An app that shows archives: clusters that open, taps, a player of a series, and updates. Source only:
// it builds where SwiftUI and MapKit exist; elsewhere it is an empty program.

import PackageDescription

let package = Package(
  name: "MapApp",
  platforms: [.macOS(.v15), .iOS(.v15)],
  dependencies: [
    // In an app of your own: .package(url: "…/quadrille", from: "0.2.0").
    .package(name: "Quadrille", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "MapApp",
      dependencies: [.product(name: "QuadrilleClient", package: "Quadrille")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ]
)
