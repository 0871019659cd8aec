// Every user of point sets reads their columns, so these come with this target.
@_exported public import Columns
