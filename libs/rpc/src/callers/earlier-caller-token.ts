// The tokens of version 0.1: one key for all processes, and one token for all requests of a caller. They are sent and taken only
// while CALLER_SIGNING_KEY is set, so that processes of both versions work side by side.
import type { Secret } from '@parlance/config';
import { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Clock, systemClock } from '@parlance/observability';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

const lifetimeSeconds = 60;
/** A token is handed out for half its life, so that it outlives the request that carries it. */
const reuseMs = 30_000;
/** Clocks of two machines may differ by this much. */
const skewSeconds = 60;
const audience = 'parlance-rpc';
const algorithm = 'HS256';
const rememberedTokens = 10_000;

const keyOf = (secret: Secret): Uint8Array => new TextEncoder().encode(secret.reveal());

const identityOf = ({ organizationId, actor, role, permissions }: Caller): string =>
  JSON.stringify([organizationId, ...Object.values(actor), role, permissions.join()]);

interface Signed {
  readonly token: Promise<string>;
  readonly until: number;
}

export class EarlierSigner {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #signed = new LRUCache<string, Signed>({ max: rememberedTokens });

  constructor(key: Secret, clock: Clock = systemClock) {
    this.#key = keyOf(key);
    this.#clock = clock;
  }

  /** A token that names the caller; valid for at least 30 more seconds. */
  sign(caller: Caller): Promise<string> {
    const now = this.#clock.now().getTime();
    const identity = identityOf(caller);
    const known = this.#signed.get(identity);
    if (known !== undefined && now < known.until) return known.token;
    const issuedAt = Math.floor(now / 1_000);
    const token = new SignJWT({ caller })
      .setProtectedHeader({ alg: algorithm })
      .setAudience(audience)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(this.#key);
    this.#signed.set(identity, { token, until: now + reuseMs });
    return token;
  }
}

interface Verified {
  readonly caller: Caller;
  /** Epoch milliseconds. */
  readonly until: number;
}

export class EarlierVerifier {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #verified = new LRUCache<string, Verified>({ max: rememberedTokens });

  constructor(key: Secret, clock: Clock = systemClock) {
    this.#key = keyOf(key);
    this.#clock = clock;
  }

  /** The caller of a token that was verified before and still holds; saves the common case an await. */
  known(token: string): Caller | undefined {
    const verified = this.#verified.get(token);
    return verified !== undefined && this.#clock.now().getTime() < verified.until
      ? verified.caller
      : undefined;
  }

  /** @throws AppError UNAUTHENTICATED when the token is missing, forged or expired */
  async verify(token: string): Promise<Caller> {
    const known = this.known(token);
    if (known !== undefined) return known;
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        audience,
        algorithms: [algorithm],
        requiredClaims: ['exp', 'iat'],
        clockTolerance: skewSeconds,
        currentDate: this.#clock.now(),
      });
      const caller = Caller.parse(payload.caller);
      this.#verified.set(token, { caller, until: ((payload.exp ?? 0) + skewSeconds) * 1_000 });
      return caller;
    } catch (cause) {
      throw new AppError('UNAUTHENTICATED', { cause });
    }
  }
}
