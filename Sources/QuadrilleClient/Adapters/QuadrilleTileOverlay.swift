#if canImport(MapKit) && !os(watchOS)
  import CoreGraphics
  import CoreLocation
  public import Foundation
  import ImageIO
  public import MapKit

  /// Shows an archive in a map of MapKit.
  ///
  /// The map enlarges nothing itself: tiles after the archive's last zoom are cut from the last
  /// zoom's and scaled here. After an update create an overlay of the new archive.
  public final class QuadrilleTileOverlay: MKTileOverlay {
    /// The archive that is shown.
    public let archive: MapArchive

    /// Creates an overlay over other content of the map.
    public init(archive: MapArchive) {
      self.archive = archive
      super.init(urlTemplate: nil)
      minimumZ = archive.info.minZoom
      // MapKit asks for zooms to 21 at most.
      maximumZ = 21
      tileSize = CGSize(width: 256, height: 256)
      canReplaceMapContent = false
    }

    /// Loads the picture of a tile; an empty one where the archive has none.
    public override func loadTile(
      at path: MKTileOverlayPath, result: @escaping (Data?, (any Error)?) -> Void
    ) {
      let answer = TileAnswer(result)
      let archive = archive
      let address = TileAddress(zoom: path.z, column: path.x, row: path.y)
      Task {
        do {
          let picture = try await archive.picture(address)
          answer.send(
            picture.map { $0.part == .whole ? $0.data : Self.enlarged($0) } ?? Data(), nil)
        } catch {
          answer.send(nil, error)
        }
      }
    }

    /// Returns the part of a picture at the size of a whole one, as PNG.
    private static func enlarged(_ picture: TilePicture) -> Data {
      guard let source = CGImageSourceCreateWithData(picture.data as CFData, nil),
        let image = CGImageSourceCreateImageAtIndex(source, 0, nil)
      else { return Data() }
      let (side, part) = (Double(image.width), picture.part)
      guard
        let context = CGContext(
          data: nil, width: image.width, height: image.width, bitsPerComponent: 8, bytesPerRow: 0,
          space: CGColorSpaceCreateDeviceRGB(),
          bitmapInfo: CGImageAlphaInfo.premultipliedLast.rawValue)
      else { return Data() }
      // The context's origin is at the bottom.
      let scale = side / part.side
      context.draw(
        image,
        in: CGRect(
          x: -part.x * scale, y: (part.y + part.side - 1) * scale, width: scale, height: scale))
      let data = NSMutableData()
      guard let result = context.makeImage(),
        let target = CGImageDestinationCreateWithData(data, "public.png" as CFString, 1, nil)
      else { return Data() }
      CGImageDestinationAddImage(target, result, nil)
      return CGImageDestinationFinalize(target) ? data as Data : Data()
    }
  }

  /// The function that MapKit wants to be called, from any thread.
  private struct TileAnswer: @unchecked Sendable {
    private let result: (Data?, (any Error)?) -> Void

    init(_ result: @escaping (Data?, (any Error)?) -> Void) { self.result = result }

    func send(_ data: Data?, _ error: (any Error)?) { result(data, error) }
  }

  extension MapBox {
    /// The box as MapKit's rectangle, for a map that shows all of it.
    public var mapRect: MKMapRect {
      let corners = [
        MKMapPoint(CLLocationCoordinate2D(latitude: north, longitude: west)),
        MKMapPoint(CLLocationCoordinate2D(latitude: south, longitude: east)),
      ]
      return MKMapRect(
        x: corners[0].x, y: corners[0].y, width: corners[1].x - corners[0].x,
        height: corners[1].y - corners[0].y)
    }
  }
#endif
