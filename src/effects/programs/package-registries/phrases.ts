export const PACKAGE = "publishes a version, which cannot be undone";
export const UNPUBLISH = "withdraws a published version for everyone";
