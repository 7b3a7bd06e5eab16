export const PACKAGE = "publishes a version for everybody";
export const UNPUBLISH = "withdraws a published version for everyone";
