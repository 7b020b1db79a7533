// A set for measuring the quality of searches: chunks of documents, and questions with known answers.

export interface Section {
  /** Names the section in judgements; the chunks of one section share it. */
  readonly key: string;
  readonly headings: readonly string[];
  readonly text: string;
}

export interface JudgedQuestion {
  readonly question: string;
  /** Keys of the sections that answer it. */
  readonly relevant: readonly string[];
}

export interface QuestionSet {
  readonly name: string;
  /** A text search configuration. */
  readonly language: string;
  readonly sections: readonly Section[];
  readonly questions: readonly JudgedQuestion[];
}
