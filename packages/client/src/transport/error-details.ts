/** The details of errors beside their codes. */
export interface ErrorDetails {
  VALIDATION_ERROR: { issues: { path: string; code: string; message: string }[] };
}
