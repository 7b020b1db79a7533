// The limits of the size of a document, and of its parts.

export const limits = {
  /** The size of a file, and of an answer to a request. */
  fileBytes: 50 * 1_048_576,
  /** HTML is held as a tree that is many times larger than its text. */
  htmlBytes: 10 * 1_048_576,
  htmlDepth: 500,
  htmlElements: 200_000,
  /** The size of all inflated parts of a DOCX together. */
  inflatedBytes: 200 * 1_048_576,
  pdfPages: 2_000,
  csvRows: 50_000,
  /** The length of the text of one document, in UTF-16 code units. */
  textChars: 20_000_000,
  chunksOfSource: 50_000,
  /** From this number of chunks on, short sections of a document share a chunk. */
  sectionsOfDocument: 20_000,
  /** A text with fewer letters and digits counts as empty. */
  textLetters: 10,
  linksOfPage: 2_000,
  /** The size of a sitemap, inflated. */
  sitemapBytes: 50 * 1_048_576,
} as const;
