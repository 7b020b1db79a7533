// The form in which a voice runtime hands a finished call over to the platform.
import { randomUUID } from 'node:crypto';
import type { CallContext, IngestInput } from '@parlance/contracts';
import { type analysis, type RuntimeConfiguration, type Turn, usage } from './conversation.js';

export interface FinishedCall {
  readonly context: CallContext;
  readonly config: RuntimeConfiguration;
  readonly roomName: string;
  readonly startedAt: Date;
  readonly answeredAt: Date;
  readonly endedAt: Date;
  readonly endedReason: string;
  readonly answeredBy: 'human' | 'machine_voicemail' | 'no_speech';
  /** Every turn that was spoken to its end, or cut short. */
  readonly transcript: readonly Turn[];
  /** Milliseconds between a turn of the callee and the answer. */
  readonly latency?: Readonly<Record<string, number | null>>;
  /** The provider that the minutes of telephony are counted at; null without a telephone. */
  readonly telephony: string | null;
  /** The description of the uploaded recording for the platform. */
  readonly recording?: IngestInput['recording'];
  /** The result of the analysis after the call. Calls without it are handed over without an analysis. */
  readonly found?: ReturnType<typeof analysis> & { readonly summary: string };
}

/** The body of `POST /calls`. */
export const finishedCall = (call: FinishedCall): object => {
  const { context, config, transcript, found } = call;
  const talkSeconds = (call.endedAt.getTime() - call.answeredAt.getTime()) / 1_000;
  return {
    eventId: randomUUID(),
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
    providerCallId: null,
    outboundCallId: context.outboundCallId,
    campaignId: context.campaignId,
    widgetId: context.widgetId,
    status: 'completed',
    endedReason: call.endedReason,
    answeredBy: call.answeredBy,
    startedAt: call.startedAt.toISOString(),
    answeredAt: call.answeredAt.toISOString(),
    endedAt: call.endedAt.toISOString(),
    durationSeconds: talkSeconds,
    transcript,
    usage: usage(transcript, talkSeconds, config, call.telephony),
    ...(call.recording && { recording: call.recording }),
    ...(call.latency && { latency: call.latency }),
    ...(found
      ? { ...found, successful: 'success', analysisStatus: 'completed' }
      : { analysisStatus: 'skipped' }),
    dynamicVariables: context.dynamicVariables,
    metadata: context.metadata,
  };
};
