// The finished call as the platform takes it over.
import type { CallContext, IngestInput, TranscriptTurn } from '@parlance/contracts';
import type { z } from 'zod';

export type HandOver = z.input<typeof IngestInput>;

export interface FinishedCall {
  readonly context: CallContext;
  readonly roomName: string;
  readonly endedReason: NonNullable<HandOver['endedReason']>;
  readonly startedAt: Date;
  readonly answeredAt: Date;
  readonly endedAt: Date;
  readonly transcript: readonly z.input<typeof TranscriptTurn>[];
  /** Members that not every runtime knows: usage, latency, a recording, collected data. */
  readonly more?: Partial<HandOver>;
}

/** The body of `POST /calls`. Keep the `eventId` when it is repeated, so that the platform takes the call once. */
export const handOverOf = (call: FinishedCall, eventId: string): HandOver => {
  const { context, startedAt, answeredAt, endedAt } = call;
  return {
    eventId,
    schemaVersion: 1,
    organizationId: context.organizationId,
    agentId: context.agentId,
    callId: context.callId,
    configVersion: context.configVersion,
    roomName: call.roomName,
    channel: context.channel,
    direction: context.direction,
    fromNumber: context.fromNumber,
    toNumber: context.toNumber,
    provider: context.provider,
    outboundCallId: context.outboundCallId,
    campaignId: context.campaignId,
    widgetId: context.widgetId,
    status: 'completed',
    endedReason: call.endedReason,
    answeredBy: call.transcript.some(({ role }) => role === 'user') ? 'human' : 'no_speech',
    startedAt: startedAt.toISOString(),
    answeredAt: answeredAt.toISOString(),
    endedAt: endedAt.toISOString(),
    durationSeconds: (endedAt.getTime() - answeredAt.getTime()) / 1_000,
    transcript: [...call.transcript],
    dynamicVariables: context.dynamicVariables,
    metadata: context.metadata,
    ...call.more,
  };
};
