// Code that writes blocks also uses their values, which TapReading declares.
@_exported public import TapReading
