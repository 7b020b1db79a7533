// How large a document may be, and what reading it may take.

export const limits = {
  /** Of a file, and of an answer to a request. */
  fileBytes: 50 * 1_048_576,
  /** HTML is held as a tree that is many times larger than its text. */
  htmlBytes: 10 * 1_048_576,
  htmlDepth: 500,
  htmlElements: 200_000,
  /** All parts of a DOCX together, inflated. */
  inflatedBytes: 200 * 1_048_576,
  pdfPages: 2_000,
  csvRows: 50_000,
  /** Of the text of one document, in UTF-16 code units. */
  textChars: 20_000_000,
  chunksOfSource: 50_000,
  /** Fewer letters and digits than these say nothing. */
  textLetters: 10,
  linksOfPage: 2_000,
} as const;
