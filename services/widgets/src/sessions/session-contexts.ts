// The contexts of sessions: the variables that a page sets say something about its visitor, so they lie sealed. Processes of 0.2.0 read
// contexts in the clear alone; while one runs, contexts are written in the clear.
import { CallContext } from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { parseJson, stringifyJson, stringifyStored } from '@parlance/json';
import type { StoredForm, Tx } from '@parlance/postgres';

/** What a sealed context is bound to. */
export const contextBinding = (sessionId: string): string =>
  JSON.stringify(['context of a session', sessionId]);

/** The envelope in the JSON of the column, which is a string then; undefined for a context in the clear, which is an object. */
export const sealedContextIn = (json: string): string | undefined => {
  const stored: unknown = JSON.parse(json);
  return typeof stored === 'string' ? stored : undefined;
};

export class SessionContexts {
  readonly #keyring: Keyring;
  readonly #sealed: Pick<StoredForm, 'isReadByAll'>;

  constructor(keyring: Keyring, sealed: Pick<StoredForm, 'isReadByAll'>) {
    this.#keyring = keyring;
    this.#sealed = sealed;
  }

  /** The context as JSON for its column. */
  async stored(tx: Tx, sessionId: string, context: CallContext): Promise<string> {
    if (!(await this.#sealed.isReadByAll(tx))) return stringifyStored(context);
    const json = Buffer.from(stringifyJson(context));
    return JSON.stringify(this.#keyring.seal(json, contextBinding(sessionId)));
  }

  /** @param stored the value of the column, in either form */
  read(sessionId: string, stored: unknown): CallContext {
    if (typeof stored !== 'string') return CallContext.parse(stored);
    const json = this.#keyring.open(stored, contextBinding(sessionId)).toString('utf8');
    return CallContext.parse(parseJson(json));
  }
}
