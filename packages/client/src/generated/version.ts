// Versions. Written by `npm run gen` from the interface document; changes here are lost.

/** The version of this package. */
export const packageVersion = '0.2.0';

/** The version of the interface that this package was made from. */
export const apiVersion = '2026-07';
