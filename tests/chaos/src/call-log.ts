// A call log of its own, small enough to be believed. The media server reports the ends of calls, and the log tells the
// dialer.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type CallFacts, eventSubject, events, makeEvent } from '@parlance/contracts';
import { type Listening, listen } from '@parlance/fake-kit';
import type { NatsConnection } from 'nats';
import { z } from 'zod';

const Context = z.object({
  callId: z.string(),
  outboundCallId: z.uuid(),
  organizationId: z.string(),
  agentId: z.uuid(),
  campaignId: z.uuid().nullable(),
});
type Context = z.infer<typeof Context>;

/** A real server leaves out fields without a value, and of a participant all but its identity where a track is meant. */
const Webhook = z.object({
  event: z.string(),
  room: z.object({ name: z.string(), metadata: z.string().default('') }).optional(),
  participant: z.object({ kind: z.string().optional(), disconnectReason: z.string().optional() }).optional(),
});

type End = Pick<CallFacts, 'status' | 'outcome' | 'endedReason'>;

/**
 * The media server's reasons for the callee's departure. A deleted room gives no reason: the process that deleted it
 * knows the reason.
 */
const ends: Readonly<Record<string, End>> = {
  CLIENT_INITIATED: { status: 'completed', outcome: 'answered', endedReason: 'user_hangup' },
  USER_UNAVAILABLE: { status: 'no_answer', outcome: 'no_answer', endedReason: 'no_answer' },
  USER_REJECTED: { status: 'busy', outcome: 'busy', endedReason: 'busy' },
  SIP_TRUNK_FAILURE: { status: 'failed', outcome: 'failed', endedReason: 'invalid_destination' },
};
const endedByAgent: End = { status: 'completed', outcome: 'answered', endedReason: 'agent_hangup' };

const tellTries = 40;

export class CallLog {
  readonly #facts = new Map<string, CallFacts>();
  /** Rooms that were closed because the agent had hung up. */
  readonly #hungUp = new Set<string>();
  readonly #nats: NatsConnection;

  constructor(nats: NatsConnection) {
    this.#nats = nats;
  }

  /** The facts of these calls; unknown ones are left out. */
  facts(callIds: readonly string[]): readonly CallFacts[] {
    return callIds.flatMap((id) => this.#facts.get(id) ?? []);
  }

  /** The agent is about to hang up: when this room is deleted, its call was a conversation. */
  expectHangUp(room: string): void {
    this.#hungUp.add(room);
  }

  hear(webhook: unknown): void {
    const { event, room, participant } = Webhook.parse(webhook);
    if (participant?.kind !== 'SIP' || room === undefined) return;
    const context = Context.parse(JSON.parse(room.metadata));
    if (event === 'participant_joined') this.#know(context, {});
    if (event !== 'participant_left') return;
    const reason = participant.disconnectReason ?? '';
    const end = reason === 'ROOM_DELETED' && this.#hungUp.has(room.name) ? endedByAgent : ends[reason];
    if (end === undefined) return;
    const endedAt = new Date().toISOString();
    const answeredAt = end.status === 'completed' ? endedAt : null;
    void this.#tell(context, this.#know(context, { ...end, answeredAt, endedAt, durationSeconds: 1 }));
  }

  #know({ callId, outboundCallId }: Context, change: Partial<CallFacts>): CallFacts {
    const first = { callId, outboundCallId, status: 'ringing', startedAt: new Date().toISOString() } as const;
    const nothing = { outcome: null, endedReason: null, answeredBy: null, answeredAt: null, endedAt: null };
    const known = this.#facts.get(callId) ?? {
      ...first,
      ...nothing,
      durationSeconds: null,
      costMicros: null,
    };
    const facts = known.endedAt === null ? { ...known, ...change } : known;
    this.#facts.set(callId, facts);
    return facts;
  }

  /** As often as it takes: the broker has no place for it before a dialer has started once. */
  async #tell({ organizationId, agentId, campaignId }: Context, facts: CallFacts): Promise<void> {
    const { endedAt, outcome, endedReason, durationSeconds, ...rest } = facts;
    if (endedAt === null || outcome === null || endedReason === null) return;
    const data = { ...rest, endedAt, outcome, endedReason, durationSeconds: durationSeconds ?? 0 };
    const event = makeEvent(events.callEnded, {
      id: randomUUID(),
      occurredAt: endedAt,
      organizationId,
      data: { ...data, agentId, campaignId },
    });
    const subject = eventSubject(events.callEnded);
    for (let tries = 0; tries < tellTries && !this.#nats.isClosed(); tries += 1) {
      const told = this.#nats.jetstream().publish(subject, JSON.stringify(event), { msgID: event.id });
      if (await told.then(Boolean, () => false)) return;
      await pause(250);
    }
  }
}

/** Where the media server sends its webhooks. */
export const receiveWebhooks = (hear: (webhook: unknown) => void): Promise<Listening> =>
  listen((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      hear(JSON.parse(body));
      response.end('{}');
    });
  }, {});
