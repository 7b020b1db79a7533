// The token of one call: with it the voice runtime that holds the call may run the agent's tools, search its knowledge and
// tell of its progress, and nothing else. Made by agents-config, checked by the gateway.
import { hkdfSync } from 'node:crypto';
import type { Secret } from '@parlance/config';
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
const algorithm = 'HS256';
const keyBytes = 32;
/** Clocks of two machines may differ by this much. */
const skewSeconds = 60;
const Claims = z.object({ sub: z.string().min(1), org: z.string().min(1), agent: z.string().min(1) });

/** A key of its own, so that neither kind of token passes for the other. */
const keyOf = (callerSigningKey: Secret): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', callerSigningKey.reveal(), '', 'parlance token of a call', keyBytes));

export class CallTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;

  constructor(callerSigningKey: Secret, clock: Clock = systemClock) {
    this.#key = keyOf(callerSigningKey);
    this.#clock = clock;
  }

  /** @param lifetimeSeconds the longest that the call may last, and the time after its end for which the token is good */
  async issue(
    { organizationId, agentId, callId }: TokenOfCall,
    lifetimeSeconds: number,
  ): Promise<{ readonly token: string; readonly expiresAt: Date }> {
    const issuedAt = Math.floor(this.#clock.now().getTime() / 1_000);
    const expiresAt = issuedAt + lifetimeSeconds;
    const token = await new SignJWT({ org: organizationId, agent: agentId })
      .setProtectedHeader({ alg: algorithm })
      .setAudience(audience)
      .setSubject(callId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiresAt)
      .sign(this.#key);
    return { token, expiresAt: new Date(expiresAt * 1_000) };
  }

  /** @throws AppError UNAUTHENTICATED when the token is forged or expired */
  async verify(token: string): Promise<TokenOfCall> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        audience,
        algorithms: [algorithm],
        requiredClaims: ['exp', 'iat', 'sub'],
        clockTolerance: skewSeconds,
        currentDate: this.#clock.now(),
      });
      const { sub, org, agent } = Claims.parse(payload);
      return { organizationId: org, agentId: agent, callId: sub };
    } catch (cause) {
      throw new AppError('UNAUTHENTICATED', { cause });
    }
  }
}

/** The voice runtime that holds a call. */
export const callerOfCall = ({ organizationId, agentId, callId }: TokenOfCall): Caller => ({
  organizationId,
  actor: { type: 'call', id: callId, agentId },
  role: 'call',
  permissions: [],
});
