// The caller as a signed token. Services trust it and nothing else, so that a message that anybody could put on the
// broker opens nothing. Both sides remember tokens for a while: signing and verifying cost nothing per request.

import type { Secret } from '@parlance/config';
import { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const lifetimeSeconds = 60;
/** A token is handed out for half its life, so that it outlives the request that carries it. */
const reuseMs = 30_000;
const audience = 'parlance-rpc';
const rememberedCallers = 10_000;

const keyOf = (secret: Secret): Uint8Array => new TextEncoder().encode(secret.reveal());

const identity = (caller: Caller): string =>
  `${caller.organizationId}\n${caller.actor.type}\n${caller.actor.id}\n${caller.role}\n${caller.permissions.join()}`;

export class CallerSigner {
  readonly #key: Uint8Array;
  readonly #tokens = new LRUCache<string, Promise<string>>({ max: rememberedCallers, ttl: reuseMs });

  constructor(key: Secret) {
    this.#key = keyOf(key);
  }

  /** A token that says who asks; valid for at least 30 more seconds. */
  sign(caller: Caller): Promise<string> {
    const known = identity(caller);
    const remembered = this.#tokens.get(known);
    if (remembered) return remembered;
    const token = new SignJWT({ caller })
      .setProtectedHeader({ alg: 'HS256' })
      .setAudience(audience)
      .setExpirationTime(`${lifetimeSeconds}s`)
      .sign(this.#key);
    this.#tokens.set(known, token);
    return token;
  }
}

interface Verified {
  readonly caller: Caller;
  readonly expiresAt: number;
}

export class CallerVerifier {
  readonly #key: Uint8Array;
  readonly #verified = new LRUCache<string, Verified>({ max: rememberedCallers });

  constructor(key: Secret) {
    this.#key = keyOf(key);
  }

  /** @throws AppError UNAUTHENTICATED when the token is missing, forged or expired */
  async verify(token: string): Promise<Caller> {
    const known = this.#verified.get(token);
    if (known && known.expiresAt > Date.now()) return known.caller;
    try {
      const { payload } = await jwtVerify(token, this.#key, { audience, algorithms: ['HS256'] });
      const caller = Caller.parse(payload.caller);
      this.#verified.set(token, { caller, expiresAt: (payload.exp ?? 0) * 1_000 });
      return caller;
    } catch (cause) {
      throw new AppError('UNAUTHENTICATED', { cause });
    }
  }
}

/** A service that asks another one for itself, on behalf of an organization (empty: of none). */
export const platformCaller = (service: string, organizationId: string): Caller => ({
  organizationId,
  actor: { type: 'platform', id: service },
  role: 'platform',
  permissions: [],
});
