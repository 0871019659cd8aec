// Whoever writes blocks handles their values, which stand with their readers.
@_exported public import TapReading
