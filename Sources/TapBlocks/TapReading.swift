// Writers of blocks handle their values, which stand with their readers.
@_exported public import TapReading
