/** Raised whenever the same document would give other text or other passages. Sources of older versions are read again. */
export const readerVersion = 2;
