// The agreement of a person, sealed: the client holds it and can neither read nor change it. A token is good for one caller, one
// tool and the same arguments, for five minutes.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { CannotOpen, decrypt, encrypt, sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import type { Clock, Ids } from '@parlance/observability';
import stringify from 'safe-stable-stringify';
import { z } from 'zod';

const goodForMs = 5 * 60_000;
const keyBytes = 32;

/** The longest token that is looked at, in characters. */
const longest = 2_048;

/** The call that a confirmation is for. */
export interface Subject {
  readonly organizationId: string;
  /** Type and id of the actor: a key confirms for itself only. */
  readonly actor: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** A preview is confirmed with an argument, an elicitation with the state of its request. */
  readonly channel: 'preview' | 'elicitation';
}

const Sealed = z.object({ id: z.uuid(), expiresAt: z.int(), subject: z.string() });

export interface IssuedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface OpenedToken {
  readonly id: string;
  readonly expiresAt: Date;
}

/** The reason for which a token is refused. */
type Reason = 'malformed' | 'expired' | 'for_something_else' | 'used';

export const refusedToken = (reason: Reason): AppError =>
  new AppError('CONFIRMATION_INVALID', { details: { reason } });

const digestOf = ({ organizationId, actor, tool, arguments: given, channel }: Subject): string =>
  // Keys in one order: the same arguments are the same however a client writes them.
  sha256(stringify([organizationId, actor, tool, channel, given]) ?? '');

const aad = 'mcp confirmation v1';

export class ConfirmationTokens {
  readonly #key: Buffer;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ key, clock, ids }: { readonly key: Secret; readonly clock: Clock; readonly ids: Ids }) {
    this.#key = Buffer.from(hkdfSync('sha256', key.reveal(), '', aad, keyBytes));
    this.#clock = clock;
    this.#ids = ids;
  }

  issue(subject: Subject): IssuedToken {
    const expiresAt = this.#clock.now().getTime() + goodForMs;
    const sealed = { id: this.#ids.next(), expiresAt, subject: digestOf(subject) };
    const token = encrypt(this.#key, Buffer.from(JSON.stringify(sealed)), aad).toString('base64url');
    return { token, expiresAt: new Date(expiresAt) };
  }

  /** @throws AppError CONFIRMATION_INVALID unless the token was issued for this subject and is still good */
  open(token: string, subject: Subject): OpenedToken {
    const { id, expiresAt, subject: sealedFor } = this.#unseal(token);
    if (sealedFor !== digestOf(subject)) throw refusedToken('for_something_else');
    if (expiresAt <= this.#clock.now().getTime()) throw refusedToken('expired');
    return { id, expiresAt: new Date(expiresAt) };
  }

  #unseal(token: string): z.output<typeof Sealed> {
    if (token.length > longest) throw refusedToken('malformed');
    const bytes = Buffer.from(token, 'base64url');
    // Another spelling of the same bytes would be a second token.
    if (bytes.toString('base64url') !== token) throw refusedToken('malformed');
    try {
      return Sealed.parse(JSON.parse(decrypt(this.#key, bytes, aad).toString()));
    } catch (error) {
      if (error instanceof CannotOpen) throw refusedToken('malformed');
      throw error;
    }
  }
}
