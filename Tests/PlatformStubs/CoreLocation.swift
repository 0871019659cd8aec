public struct CLLocationCoordinate2D: Sendable {
  public var latitude: Double
  public var longitude: Double
  public init(latitude: Double, longitude: Double) {
    (self.latitude, self.longitude) = (latitude, longitude)
  }
}
