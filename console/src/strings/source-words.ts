/** Words for the states of knowledge sources. */
export const sourceStrings = {
  states: {
    pending: 'Waiting',
    processing: 'Being read',
    reprocessing: 'Being read again',
    ready: 'Ready',
    failed: 'Failed',
  },
  errors: {
    FETCH_FAILED: 'The page did not answer. Check its address and read it again.',
    UNSUPPORTED_TYPE: 'The platform cannot read files of this kind.',
    TOO_LARGE: 'It is too large. Split it.',
    TOO_SMALL: 'It has too little text.',
    PARSE_FAILED: 'The file cannot be read. It may be damaged.',
    EMBEDDING_FAILED: 'Its meaning could not be computed. Read it again later.',
    URL_NOT_ALLOWED: 'The platform does not go to this address.',
    ROBOTS_REFUSED: 'The site forbids programs to read it.',
  },
  waiting: (tries: number, maxTries: number): string => `Try ${tries} of ${maxTries} failed.`,
  nextTry: 'Next try:',
  progress: (done: number, found: number): string => `${done} of ${found} pages`,
} as const;
