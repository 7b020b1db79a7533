// The operations of a key management service that all adapters offer.
import { setTimeout as pause } from 'node:timers/promises';
import { StartRefusal } from '@parlance/config';

export interface KeyManagement {
  /** @param context is bound to the result; the same is needed to unwrap it */
  wrap(key: Buffer, context: string): Promise<string>;
  unwrap(ciphertext: string, context: string): Promise<Buffer>;
}

export type Wait = (ms: number) => Promise<unknown>;

export const answerWithinMs = 10_000;
/** A service that is sealed, busy or failing over is worth a wait at the start. */
const tries = 6;
const firstPauseMs = 500;

/**
 * Repeats a request that failed for a while.
 * @param place of the service, for the message
 * @throws StartRefusal of the request at once, or after the last try
 */
export const patiently = async <T>(
  request: () => Promise<T>,
  { place, wait = pause }: { readonly place: string; readonly wait?: Wait | undefined },
): Promise<T> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await request();
    } catch (error) {
      if (error instanceof StartRefusal) throw error;
      if (tried === tries)
        throw new StartRefusal(
          `The key management service at ${place} does not answer (${error instanceof Error ? error.message : 'unknown error'})`,
        );
    }
    await wait(firstPauseMs * 2 ** (tried - 1));
  }
};

export const refused = (action: string, key: string, reason: string): StartRefusal =>
  new StartRefusal(
    `The key management service refuses to ${action} with the key ${key} (${reason}): compare KMS_URL, KMS_TOKEN, and KEK with its KEK_ID`,
  );

export const answerWithout = (member: string, place: string): StartRefusal =>
  new StartRefusal(`The answer of the key management service at ${place} has no ${member}`);
