// The result of a handler.

/** Calls that an organization may have in progress. */
export interface Concurrency {
  readonly limit: number;
  /** The number of further calls that may begin. */
  readonly remaining: number;
}

/** Data with the extras that may stand beside it in the envelope or in headers. */
export interface Answer<D> {
  readonly data: D;
  readonly nextCursor?: string;
  /** Replaces the row's own sentence. */
  readonly message?: string;
  /** The same command was carried out before; nothing new happened. */
  readonly repeated?: boolean;
  /** The calls at once and their limit; for an operation that dials. */
  readonly concurrency?: Concurrency;
}

export type AnswerExtras = Omit<Answer<unknown>, 'data'>;

class AnswerWithExtras<D> implements Answer<D> {
  readonly data: D;

  constructor(data: D, extras: AnswerExtras) {
    this.data = data;
    Object.assign(this, extras);
  }
}

/** Data with its extras. */
export const answer = <D>(data: D, extras: AnswerExtras = {}): Answer<D> =>
  new AnswerWithExtras(data, extras);

/** Handlers may return bare data; only a result of `answer` is taken apart. */
export const toReply = (result: unknown): Answer<unknown> =>
  result instanceof AnswerWithExtras ? result : { data: result };
