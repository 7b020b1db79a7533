// Makes a POST with an Idempotency-Key happen once: the first request does the work, the others get its answer.
import { createHmac, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Secret } from '@parlance/config';
import { sha256 } from '@parlance/crypto';
import { AppError, errorCodes } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import type { Logger } from '@parlance/observability';
import type { Tx } from '@parlance/postgres';
import { errorBody, toAppError } from '../http/error-response.js';
import { AnswerSeal } from './answer-seal.js';
import type { AnswerPlace, Claim, IdempotencyStore, RecordId, StoredAnswer } from './idempotency-store.js';

/** A repetition that comes after the answer finds the record, unless the database takes longer than this. */
const settleLimitMs = 2_000;

const acceptable = /^[\x20-\x7e]{1,255}$/;

/** @throws AppError IDEMPOTENCY_KEY_INVALID */
export const parseIdempotencyKey = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !acceptable.test(header)) throw new AppError('IDEMPOTENCY_KEY_INVALID');
  return header;
};

const keyBytes = 32;

/**
 * The key for the hashes of requests that may hold credentials. Without this key, a reader of the records cannot test
 * guesses of a credential against its hash.
 */
const requestHashKey = (secret: Secret): Buffer =>
  Buffer.from(hkdfSync('sha256', secret.reveal(), '', 'parlance hashes of requests', keyBytes));

/** The hash of a request's input: a repetition must have the same one. */
const requestHash = (input: unknown, key: Buffer | undefined): string => {
  const json = stringifyJson(input);
  return key === undefined ? sha256(json) : createHmac('sha256', key).update(json).digest('base64url');
};

/** True for a failure that says something about the request and will not change by asking again. */
const isFinal = ({ code, status }: AppError): boolean => status < 500 && errorCodes[code].retryable !== true;

/** Records the answer in the transaction that does the work, for work that could not find itself done in a second try. */
export type KeepAnswer = (tx: Tx, answer: StoredAnswer) => Promise<void>;

export interface OnceOptions {
  readonly id: RecordId;
  readonly input: unknown;
  /** The input may hold credentials. */
  readonly isConfidential: boolean;
  /**
   * The person who alone may have the answer again, where it holds a credential. The record is then without the Idempotency-Key,
   * too.
   */
  readonly sealedFor?: string;
  readonly requestId: string;
  /** Does the work under this id, and gives the answer that goes out. */
  readonly work: (commandId: string, keep: KeepAnswer) => Promise<StoredAnswer>;
}

export interface OnceResult {
  readonly answer: StoredAnswer;
  readonly replayed: boolean;
}

export class Idempotency {
  readonly #store: IdempotencyStore;
  readonly #logger: Logger;
  readonly #secret: Secret;
  readonly #hashKey: Buffer;

  constructor(store: IdempotencyStore, logger: Logger, secret: Secret) {
    this.#store = store;
    this.#secret = secret;
    this.#hashKey = requestHashKey(secret);
    this.#logger = logger;
  }

  /** @throws AppError IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, and the errors of the work */
  async once({ id, input, isConfidential, sealedFor, requestId, work }: OnceOptions): Promise<OnceResult> {
    const hash = requestHash(input, isConfidential ? this.#hashKey : undefined);
    const seal = new AnswerSeal(this.#secret, id, sealedFor ?? '');
    const place = sealedFor === undefined ? 'sealed' : 'plain';
    const outcome = await this.#store.begin(sealedFor === undefined ? id : seal.recordId, hash);
    switch (outcome.kind) {
      case 'answered':
        // Only the release before keeps an answer elsewhere, and in clear.
        return {
          answer: outcome.place === place ? seal.open(outcome.answer) : outcome.answer,
          replayed: true,
        };
      case 'reused':
        throw new AppError('IDEMPOTENCY_KEY_REUSED');
      case 'running':
        throw new AppError('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
      case 'claimed':
        return { answer: await this.#work(outcome.claim, requestId, work, { seal, place }), replayed: false };
    }
  }

  async #work(
    claim: Claim,
    requestId: string,
    work: OnceOptions['work'],
    { seal, place }: { readonly seal: AnswerSeal; readonly place: AnswerPlace },
  ): Promise<StoredAnswer> {
    // Leaves an answer alone that was kept with the work.
    const finish = (answer: StoredAnswer) => this.#store.finish(claim, seal.seal(answer), place);
    try {
      const answer = await work(claim.commandId, (tx, kept) =>
        this.#store.finishWithin(tx, claim, seal.seal(kept), place),
      );
      await this.#settle(() => finish(answer));
      return answer;
    } catch (thrown) {
      const error = toAppError(thrown);
      const answer = { status: error.status, body: errorBody(error, requestId) };
      await this.#settle(() => (isFinal(error) ? finish(answer) : this.#store.release(claim)));
      throw thrown;
    }
  }

  // The work is done either way; without its record a repetition waits for the lease and then finds it done downstream.
  // So the answer does not wait long for a database that has gone silent.
  async #settle(write: () => Promise<void>): Promise<void> {
    const written = write().catch((error: unknown) => {
      this.#logger.warn({ err: error }, 'idempotency record was not settled');
    });
    const patience = new AbortController();
    const waited = delay(settleLimitMs, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([written, waited]);
    patience.abort();
  }
}
