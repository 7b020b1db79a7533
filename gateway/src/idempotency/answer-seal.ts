// Encrypts the answers that are kept for repeated requests: they hold names, numbers and sometimes credentials. The key is derived
// from the platform's secret and the Idempotency-Key. Where an answer holds a credential, the record has only a keyed hash of the
// Idempotency-Key, so that the platform can open it only when the same person repeats the request.
import { createHmac, hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
import { decrypt, encrypt } from '@parlance/crypto';
import type { RecordId, StoredAnswer } from './idempotency-store.js';

const keyBytes = 32;

const derive = (secret: Secret, purpose: string, context: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret.reveal(), context, purpose, keyBytes));

export class AnswerSeal {
  /** The id of the record, without the Idempotency-Key. */
  readonly recordId: RecordId;
  readonly #key: Buffer;
  readonly #aad: string;

  /** @param userId the person whose repetition may open the answer; empty for anybody of the organization */
  constructor(secret: Secret, id: RecordId, userId: string) {
    const { organizationId, route, key } = id;
    const context = JSON.stringify([organizationId, route, userId, key]);
    const hashKey = derive(secret, 'parlance hashes of idempotency keys', '');
    this.recordId = {
      organizationId,
      route,
      key: createHmac('sha256', hashKey).update(context).digest('base64url'),
    };
    this.#key = derive(secret, 'parlance sealed answers', context);
    this.#aad = JSON.stringify([organizationId, route, userId]);
  }

  seal({ status, body }: StoredAnswer): StoredAnswer {
    return { status, body: encrypt(this.#key, Buffer.from(body), this.#aad).toString('base64url') };
  }

  /** @throws CannotOpen */
  open({ status, body }: StoredAnswer): StoredAnswer {
    return { status, body: decrypt(this.#key, Buffer.from(body, 'base64url'), this.#aad).toString() };
  }
}
