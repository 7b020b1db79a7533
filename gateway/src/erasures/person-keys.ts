// The keys around one telephone number: for its hash, for the number while its erasure runs, and for the confirmation.
import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { PersonCounts } from '@parlance/contracts';
import { decrypt, encrypt, equalSecrets } from '@parlance/crypto';
import { z } from 'zod';

const confirmationSeconds = 10 * 60;
const keyBytes = 32;

/** What a confirmation is good for. */
export interface ConfirmedErasure {
  readonly organizationId: string;
  readonly phoneNumber: string;
  /** The caller, as `user:<id>` or `key:<id>`. */
  readonly actor: string;
}

const Confirmed = z.object({ id: z.uuid(), until: z.int(), found: PersonCounts });
export type Confirmed = z.infer<typeof Confirmed>;

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
};

export class PersonKeys {
  readonly #hashKey: Buffer;
  readonly #sealKey: Buffer;
  readonly #signKey: Buffer;

  constructor(secret: Secret) {
    const derive = (purpose: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret.reveal(), '', purpose, keyBytes));
    this.#hashKey = derive('parlance hashes of erased numbers');
    this.#sealKey = derive('parlance numbers of erasures');
    this.#signKey = derive('parlance confirmations of erasures');
  }

  hash({ organizationId, phoneNumber }: Pick<ConfirmedErasure, 'organizationId' | 'phoneNumber'>): string {
    return createHmac('sha256', this.#hashKey).update(`${organizationId}|${phoneNumber}`).digest('base64url');
  }

  seal(erasureId: string, phoneNumber: string): string {
    return encrypt(this.#sealKey, Buffer.from(phoneNumber), erasureId).toString('base64url');
  }

  /** @throws CannotOpen */
  open(erasureId: string, sealed: string): string {
    return decrypt(this.#sealKey, Buffer.from(sealed, 'base64url'), erasureId).toString();
  }

  /** A text that confirms this erasure, with the time at which it ends. */
  confirmation(
    erasure: ConfirmedErasure,
    { id, found, now }: { readonly id: string; readonly found: PersonCounts; readonly now: Date },
  ): { readonly text: string; readonly before: Date } {
    const until = Math.floor(now.getTime() / 1_000) + confirmationSeconds;
    const content = Buffer.from(JSON.stringify({ id, until, found })).toString('base64url');
    return { text: `${content}.${this.#signature(erasure, content)}`, before: new Date(until * 1_000) };
  }

  /** Undefined unless it was made for this erasure, and has not ended. */
  confirmed(erasure: ConfirmedErasure, text: string, now: Date): Confirmed | undefined {
    const [content = '', signature = '', ...rest] = text.split('.');
    if (rest.length > 0 || !equalSecrets(signature, this.#signature(erasure, content))) return undefined;
    const confirmed = Confirmed.safeParse(parsed(content));
    return confirmed.success && confirmed.data.until * 1_000 > now.getTime() ? confirmed.data : undefined;
  }

  #signature({ organizationId, phoneNumber, actor }: ConfirmedErasure, content: string): string {
    return createHmac('sha256', this.#signKey)
      .update(JSON.stringify([organizationId, phoneNumber, actor, content]))
      .digest('base64url');
  }
}
