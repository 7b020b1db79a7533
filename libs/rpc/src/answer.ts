// What a handler gives back.

/** Data with what may stand beside it in the envelope. */
export interface Answer<D> {
  readonly data: D;
  readonly nextCursor?: string;
  /** Replaces the row's own sentence. */
  readonly message?: string;
  /** The same command was carried out before; nothing new happened. */
  readonly repeated?: boolean;
}

export type AnswerExtras = Omit<Answer<unknown>, 'data'>;

class AnswerWithExtras<D> implements Answer<D> {
  readonly data: D;

  constructor(data: D, extras: AnswerExtras) {
    this.data = data;
    Object.assign(this, extras);
  }
}

/** Data with a cursor, a sentence, or the note that it repeats an earlier result. */
export const answer = <D>(data: D, extras: AnswerExtras = {}): Answer<D> =>
  new AnswerWithExtras(data, extras);

/** Handlers may return bare data; only what `answer` made is taken apart. */
export const toReply = (result: unknown): Answer<unknown> =>
  result instanceof AnswerWithExtras ? result : { data: result };
