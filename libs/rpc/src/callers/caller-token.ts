// The caller of one request as a signed token, a JWT with Ed25519. It is good for one subject, one payload, one reply and half a
// minute. So a message of another client of the broker opens nothing, and neither does a repeated one.
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Clock, systemClock } from '@parlance/observability';
import { z } from 'zod';
import type { CallerKeys } from './caller-keys.js';
import { platformCaller } from './platform-caller.js';
import { SeenOnce } from './seen-once.js';

/** All of a request that a token binds. */
export interface SignedRequest {
  readonly subject: string;
  /** The subject of the answer; another one for every request. */
  readonly reply: string;
  /** The bytes on the wire, sealed or not. */
  readonly payload: Uint8Array;
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly deadline: number;
  readonly commandId: string | undefined;
}

const lifetimeSeconds = 30;
/** Clocks of two machines may differ by this much: a service with a slow clock goes on working. */
const skewSeconds = 60;
/** No request is valid for longer after it was sent. */
export const rememberedMs = (lifetimeSeconds + 2 * skewSeconds) * 1_000;
const issuerOfAnyCaller = 'gateway';

const Claims = z.object({
  iss: z.string(),
  aud: z.string(),
  iat: z.number(),
  exp: z.number(),
  caller: Caller,
  request: z.object({
    reply: z.string(),
    payload: z.string(),
    id: z.string(),
    deadline: z.number(),
    command: z.string().optional(),
  }),
});
type Claims = z.infer<typeof Claims>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));

/** A verifier takes this text and no other, so a token has no say in its algorithm. */
const headerOf = (issuer: string): string => encode({ alg: 'EdDSA', typ: 'JWT', kid: issuer });

const boundBy = ({ reply, payload, requestId, deadline, commandId }: SignedRequest): Claims['request'] => ({
  reply,
  payload: createHash('sha256').update(payload).digest('base64url'),
  id: requestId,
  deadline,
  ...(commandId === undefined ? {} : { command: commandId }),
});

export class CallerSigner {
  readonly #keys: CallerKeys;
  readonly #clock: Clock;
  readonly #header: string;

  constructor(keys: CallerKeys, clock: Clock = systemClock) {
    this.#keys = keys;
    this.#clock = clock;
    this.#header = headerOf(keys.name);
  }

  /** A token for this request alone, valid for 30 seconds. */
  sign(caller: Caller, request: SignedRequest): string {
    const iat = Math.floor(this.#clock.now().getTime() / 1_000);
    const claims: Claims = {
      ...{ iss: this.#keys.name, aud: request.subject, iat, exp: iat + lifetimeSeconds },
      ...{ caller, request: boundBy(request) },
    };
    const signed = `${this.#header}.${encode(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#keys.signing).toString('base64url')}`;
  }
}

interface Issuer {
  readonly name: string;
  readonly key: KeyObject;
}

export interface Verified {
  readonly caller: Caller;
  /** The process that signed. */
  readonly issuer: string;
}

/** This copy has taken the request before. Its sender has sent it again, or somebody replays it. */
export class TakenBefore extends Error {
  override readonly name = 'TakenBefore';
}

const sameRequest = (one: Claims['request'], other: Claims['request']): boolean =>
  one.reply === other.reply &&
  one.payload === other.payload &&
  one.id === other.id &&
  one.deadline === other.deadline &&
  one.command === other.command;

/** Both times in seconds. */
export const isInTime = (issuedAt: number, now: number): boolean =>
  issuedAt - skewSeconds <= now && now < issuedAt + lifetimeSeconds + skewSeconds;

/** The gateway speaks for every caller; a service speaks for itself. */
export const maySign = (issuer: string, { organizationId, actor, role, permissions }: Caller): boolean => {
  if (issuer === issuerOfAnyCaller) return true;
  const own = platformCaller(issuer, organizationId);
  const isOwn = actor.type === own.actor.type && actor.id === own.actor.id;
  return isOwn && role === own.role && permissions.length === 0;
};

export class CallerVerifier {
  readonly #clock: Clock;
  readonly #issuers: ReadonlyMap<string, Issuer>;
  readonly #taken: SeenOnce;

  constructor(keys: CallerKeys, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#issuers = new Map(
      keys.names.map((name) => [headerOf(name), { name, key: keys.publicKeyOf(name) }]),
    );
    this.#taken = new SeenOnce(rememberedMs, clock);
  }

  /**
   * Takes each token once.
   * @throws AppError UNAUTHENTICATED, with the reason as its cause. Such a token is forged, expired, taken before, of
   *   another request, or signed by a process that may not speak for its caller
   */
  verify(token: string, request: SignedRequest): Verified {
    const refuse = (reason: string): never => {
      throw new AppError('UNAUTHENTICATED', { cause: new Error(`caller token ${reason}`) });
    };
    const [header = '', body = '', signature = '', ...rest] = token.split('.');
    const issuer = this.#issuers.get(header) ?? refuse('of an unknown issuer');
    const signed = Buffer.from(`${header}.${body}`);
    const isSigned =
      rest.length === 0 && verify(null, signed, issuer.key, Buffer.from(signature, 'base64url'));
    if (!isSigned) return refuse(`was not signed with the key of ${issuer.name} in CALLER_PUBLIC_KEYS`);
    // A process of this platform wrote the signed claims; a copy of another version may write other claims.
    const claims = Claims.safeParse(decode(body)).data ?? refuse(`of ${issuer.name} has unknown claims`);
    const now = this.#clock.now().getTime() / 1_000;
    const isInTime = claims.iat - skewSeconds <= now && now < claims.exp + skewSeconds;
    if (claims.iss !== issuer.name || claims.exp - claims.iat > lifetimeSeconds) refuse('has wrong claims');
    if (!isInTime) refuse(`of ${issuer.name} is not valid at this time; do the clocks agree?`);
    if (claims.aud !== request.subject || !sameRequest(claims.request, boundBy(request)))
      refuse(`of ${issuer.name} is for another request`);
    if (!maySign(issuer.name, claims.caller))
      refuse(`of ${issuer.name} names a caller that it may not speak for`);
    if (!this.#taken.add(`${issuer.name} ${request.reply}`)) {
      const cause = new TakenBefore(`caller token of ${issuer.name} was taken before`);
      throw new AppError('UNAUTHENTICATED', { cause });
    }
    return { caller: claims.caller, issuer: issuer.name };
  }
}
