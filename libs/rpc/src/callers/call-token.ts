// The token of one call. The voice runtime of the call may run the agent's tools with it, search the agent's knowledge and
// tell the progress of the call. It gives no other right. Agents-config makes it, and the gateway checks it.
import { hkdfSync, type KeyObject } from 'node:crypto';
import { type CallerEnv, readPrivateKey, type Secret } from '@parlance/config';
import type { Caller } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type Clock, systemClock } from '@parlance/observability';
import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** The call that a token is good for. */
export interface TokenOfCall {
  readonly organizationId: string;
  readonly agentId: string;
  readonly callId: string;
}

const audience = 'parlance-call';
const issuer = 'agents-config';
const keyBytes = 32;
/** Clocks of two machines may differ by this much. */
const skewSeconds = 60;
const Claims = z.object({ sub: z.string().min(1), org: z.string().min(1), agent: z.string().min(1) });

/** The signature of a token: with the issuer's own key, or in the form of version 0.1. */
interface Signature {
  readonly alg: 'EdDSA' | 'HS256';
  readonly key: KeyObject | Uint8Array;
}

/** A key of its own, so that neither kind of token passes for the other. */
const earlierSignature = (callerSigningKey: Secret): Signature => ({
  alg: 'HS256',
  key: new Uint8Array(
    hkdfSync('sha256', callerSigningKey.reveal(), '', 'parlance token of a call', keyBytes),
  ),
});

/** Makes tokens, in agents-config. */
export class CallTokenIssuer {
  readonly #signature: Signature;
  readonly #clock: Clock;

  /** While CALLER_SIGNING_KEY is set, tokens are those of version 0.1, which gateways of both versions take. */
  constructor(env: CallerEnv, clock: Clock = systemClock) {
    this.#signature =
      env.CALLER_SIGNING_KEY === undefined
        ? { alg: 'EdDSA', key: readPrivateKey(env.CALLER_PRIVATE_KEY) }
        : earlierSignature(env.CALLER_SIGNING_KEY);
    this.#clock = clock;
  }

  /** @param lifetimeSeconds the longest that the call may last, and the time after its end for which the token is good */
  async issue(
    { organizationId, agentId, callId }: TokenOfCall,
    lifetimeSeconds: number,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const issuedAt = Math.floor(this.#clock.now().getTime() / 1_000);
    const expiresAt = issuedAt + lifetimeSeconds;
    const { alg, key } = this.#signature;
    const token = await new SignJWT({ org: organizationId, agent: agentId })
      .setProtectedHeader({ alg })
      .setAudience(audience)
      .setSubject(callId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(key);
    return { token, expiresAt: new Date(expiresAt * 1_000) };
  }
}

/** The variables with keys that tokens of running calls may be signed with. */
export type CallTokenEnv = Pick<CallerEnv, 'CALLER_PUBLIC_KEYS' | 'CALLER_SIGNING_KEY'> & {
  /** The key of calls that began before CALLER_SIGNING_KEY was taken away. */
  readonly CALLER_SIGNING_KEY_PREVIOUS?: Secret | undefined;
};

/** Checks tokens, in the gateway. */
export class CallTokens {
  readonly #signatures: readonly Signature[];
  readonly #clock: Clock;

  constructor(env: CallTokenEnv, clock: Clock = systemClock) {
    const key = env.CALLER_PUBLIC_KEYS.get(issuer);
    const earlier = [env.CALLER_SIGNING_KEY, env.CALLER_SIGNING_KEY_PREVIOUS];
    this.#signatures = [
      ...(key === undefined ? [] : [{ alg: 'EdDSA', key } as const]),
      ...earlier.flatMap((secret) => (secret === undefined ? [] : [earlierSignature(secret)])),
    ];
    this.#clock = clock;
  }

  /** @throws AppError UNAUTHENTICATED when the token is forged or expired */
  async verify(token: string): Promise<TokenOfCall> {
    try {
      return await Promise.any(this.#signatures.map((signature) => this.#verify(token, signature)));
    } catch (cause) {
      throw new AppError('UNAUTHENTICATED', { cause });
    }
  }

  async #verify(token: string, { alg, key }: Signature): Promise<TokenOfCall> {
    const { payload } = await jwtVerify(token, key, {
      audience,
      algorithms: [alg],
      requiredClaims: ['exp', 'iat', 'sub'],
      clockTolerance: skewSeconds,
      currentDate: this.#clock.now(),
    });
    const { sub, org, agent } = Claims.parse(payload);
    return { organizationId: org, agentId: agent, callId: sub };
  }
}

/** The voice runtime that holds a call. */
export const callerOfCall = ({ organizationId, agentId, callId }: TokenOfCall): Caller => ({
  organizationId,
  actor: { type: 'call', id: callId, agentId },
  role: 'call',
  permissions: [],
});
