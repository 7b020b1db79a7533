// The services that this one asks, as far as it asks them.

import {
  contract,
  IngestInput,
  type Result,
  serviceRequests,
  type TranscriptTurn,
} from '@parlance/contracts';
import type { Keyring } from '@parlance/crypto';
import { secretBinding } from '@parlance/crypto';
import { AppError, type ErrorCode } from '@parlance/errors';
import { serveOperation } from '@parlance/fixtures';
import { connectNats } from '@parlance/rpc';

type Nats = Awaited<ReturnType<typeof connectNats>>;
type Agent = Result<typeof serviceRequests.agentsForCall>;

/** The knowledge of the neighbours, and the requests that they got. */
export class Neighbours {
  /** Agents with special answers; any other agent takes calls. */
  readonly agents = new Map<string, Partial<Agent> | 'absent'>();
  /** The error of a dialer without a place; undefined: it has one. */
  noPlace: ErrorCode | undefined;
  /** The dialer answers when this is done. */
  dialerIsSlow: Promise<void> = Promise.resolve();
  /** The number of requests for a place. */
  placesAsked = 0;
  /** Calls that hold a place. */
  readonly places = new Set<string>();
  /** The seconds of each call that gave its place back. */
  readonly givenBack = new Map<string, number | null>();
  /** Turns that calls-logs was shown, by call. */
  readonly shown = new Map<string, TranscriptTurn[]>();
  /** Calls that were handed over, one for each request. */
  readonly handedOver: IngestInput[] = [];
  /** The error of calls-logs at a hand-over; undefined: it takes the call. */
  noHandOver: ErrorCode | undefined;
  /** Values of secrets by id. */
  readonly secrets = new Map<string, { readonly organizationId: string; readonly value: string }>();

  /** The secret that each widget was last noted for. */
  readonly noted = new Map<string, string>();

  async serve(nats: Nats, keyring: Keyring): Promise<void> {
    const { agentsForCall, placesTake, placesGiveBack, secretsSealed, secretsRefer, callsTextTurns } =
      serviceRequests;
    await serveOperation(nats, agentsForCall, ({ input }) => {
      const { agentId } = agentsForCall.body.parse(input.body);
      const known = this.agents.get(agentId);
      if (known === 'absent') return { error: new AppError('AGENT_NOT_FOUND').toWire() };
      const usual = {
        isActive: true,
        configVersion: 3,
        allowedOverrides: [],
        maxDurationSeconds: 1_800,
        language: 'de-CH',
      };
      return { data: { agentId, name: 'Front desk', ...usual, ...known } };
    });
    await serveOperation(nats, placesTake, async ({ input }) => {
      const { callId } = placesTake.body.parse(input.body);
      this.placesAsked += 1;
      await this.dialerIsSlow;
      const details = { limit: 'day', spentMicros: 7_777 };
      if (this.noPlace !== undefined) return { error: new AppError(this.noPlace, { details }).toWire() };
      this.places.add(callId);
      return { data: {} };
    });
    await serveOperation(nats, placesGiveBack, ({ input }) => {
      const { callId, seconds } = placesGiveBack.body.parse(input.body);
      this.places.delete(callId);
      this.givenBack.set(callId, seconds);
      return { data: {} };
    });
    await serveOperation(nats, callsTextTurns, ({ input }) => {
      const { callId, turns } = callsTextTurns.body.parse(input.body);
      this.shown.set(callId, [...(this.shown.get(callId) ?? []), ...turns]);
      return { data: {} };
    });
    await serveOperation(nats, contract.callsIngest, ({ input }) => {
      if (this.noHandOver !== undefined) return { error: new AppError(this.noHandOver).toWire() };
      const call = IngestInput.parse(input.body);
      const repeated = this.handedOver.some(({ eventId }) => eventId === call.eventId);
      this.handedOver.push(call);
      return { data: { callId: call.callId }, ...(repeated && { repeated }) };
    });
    await serveOperation(nats, secretsRefer, ({ input }) => {
      const { user, ids } = secretsRefer.body.parse(input.body);
      if (ids.some((id) => !this.secrets.has(id)))
        return { error: new AppError('SECRET_NOT_FOUND').toWire() };
      for (const id of ids) this.noted.set(`${user.type} ${user.id}`, id);
      return { data: {} };
    });
    await serveOperation(nats, secretsSealed, ({ input }) => {
      const { ids } = secretsSealed.body.parse(input.body);
      const data = ids.flatMap((id) => {
        const secret = this.secrets.get(id);
        if (secret === undefined) return [];
        const binding = secretBinding({ organizationId: secret.organizationId, secretId: id, version: 1 });
        const sealed = keyring.seal(Buffer.from(secret.value), binding);
        return [{ id, name: 'VISITORS', version: 1, sealed, previous: null }];
      });
      return { data };
    });
  }
}
