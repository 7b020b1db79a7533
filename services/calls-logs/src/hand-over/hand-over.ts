// Turns the hand-over of the voice runtime into commands. They have one clock and one spelling, are priced, and are cut
// into parts that fit into the event store.
import type { IngestInput } from '@parlance/contracts';
import { sha256 } from '@parlance/crypto';
import { AppError } from '@parlance/errors';
import { withDoubles } from '@parlance/json';
import type { IngestCall, PlatformFacts, RecordTranscript, TranscriptPart } from '../call/call-commands.js';
import type { RecordedTurn } from '../call/call-events.js';
import { check } from './check.js';
import { costOf, type ModelPrices, rateTable } from './pricing.js';

const maxTurnsPerPart = 100;
/**
 * Bytes of JSON in one append, and so in one turn and in everything beside the transcript. Sealed and encoded they stay
 * below the mebibyte that the event store takes at once.
 */
export const maxBytesPerAppend = 640 * 1024;
const maxBytesPerPart = maxBytesPerAppend / 4;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

const iso = (moment: string): string => new Date(moment).toISOString();

/** JSON with sorted keys: equal content gives equal text, in any order of writing. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_name, field: unknown) =>
    typeof field === 'object' && field !== null && !Array.isArray(field)
      ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => (a < b ? -1 : 1)))
      : field,
  );

/**
 * The digest of everything but the event id. Only free-form values can come in another order; all other fields have the
 * schema's order. Numbers count as doubles, as they did in the releases that stored the digests of earlier hand-overs.
 */
const digestOf = (input: IngestInput): string => {
  const { eventId: _eventId, ...body } = withDoubles(input) as IngestInput;
  const { metadata, dynamicVariables, dataCollected, transcript, ...fixed } = body;
  const times = {
    startedAt: iso(body.startedAt),
    endedAt: iso(body.endedAt),
    answeredAt: body.answeredAt ? iso(body.answeredAt) : null,
  };
  // Earlier releases read an absent status as `skipped`, and stored digests with it.
  const analysisStatus = body.analysisStatus === 'pending' ? 'skipped' : body.analysisStatus;
  const turns = transcript.map((turn) =>
    turn.toolCall === null ? turn : { ...turn, toolCall: canonical(turn.toolCall) },
  );
  return sha256(
    JSON.stringify([{ ...fixed, analysisStatus, ...times }, turns]) +
      canonical([metadata, dynamicVariables, dataCollected]),
  );
};

const turnsOf = (body: IngestInput): RecordedTurn[] => {
  const zero = Date.parse(body.answeredAt ?? body.startedAt);
  return body.transcript
    .map((turn) => ({
      ...turn,
      createdAt: iso(turn.createdAt ?? new Date(zero + turn.startMs).toISOString()),
    }))
    .sort((a, b) => a.seq - b.seq);
};

interface SizedPart extends TranscriptPart {
  readonly bytes: number;
}

/** Parts of at most a hundred turns, none too large for an append. @throws AppError PAYLOAD_TOO_LARGE */
const partsOf = (turns: readonly RecordedTurn[]): SizedPart[] => {
  const parts: { turns: RecordedTurn[]; bytes: number }[] = [];
  for (const turn of turns) {
    const bytes = bytesOf(turn);
    if (bytes > maxBytesPerAppend)
      throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxBytesPerTurn: maxBytesPerAppend } });
    const last = parts.at(-1);
    if (last !== undefined && last.turns.length < maxTurnsPerPart && last.bytes + bytes <= maxBytesPerPart) {
      last.turns.push(turn);
      last.bytes += bytes;
    } else parts.push({ turns: [turn], bytes });
  }
  return parts.map((own, part) => ({ part, ...own }));
};

/** Groups of parts that fit into one append each; the last one leaves room for the rest of the call. */
const appendsOf = (parts: readonly SizedPart[], besides: number): TranscriptPart[][] => {
  const appends: TranscriptPart[][] = [[]];
  let used = besides;
  for (const { bytes, ...part } of parts.toReversed()) {
    if (used + bytes > maxBytesPerAppend) {
      appends.unshift([]);
      used = 0;
    }
    appends[0]?.unshift(part);
    used += bytes;
  }
  return appends;
};

export interface HandOver {
  /** For a transcript that does not fit into one append, in this order, before the rest. */
  readonly first: readonly RecordTranscript[];
  readonly last: IngestCall;
}

const describedBy = (body: IngestInput) => ({
  source: 'runtime' as const,
  description: {
    organizationId: body.organizationId,
    agentId: body.agentId,
    agentName: '',
    configVersion: body.configVersion ?? null,
    channel: body.channel,
    direction: body.direction,
    provider: body.provider ?? null,
    providerCallId: body.providerCallId ?? null,
    roomName: body.roomName ?? null,
    outboundCallId: body.outboundCallId ?? null,
    campaignId: body.campaignId ?? null,
    widgetId: body.widgetId ?? null,
    startedAt: iso(body.startedAt),
  },
  people: {
    fromNumber: body.fromNumber ?? null,
    toNumber: body.toNumber ?? null,
    dynamicVariables: body.dynamicVariables,
    metadata: body.metadata,
  },
});

/**
 * The platform analyzes a conversation that comes without an analysis, unless the runtime wants none. What a runtime has
 * found out is kept.
 */
const analysisStatusOf = (body: IngestInput): IngestInput['analysisStatus'] => {
  const { analysisStatus, summary, successful, dataCollected, evaluation, transcript } = body;
  if (analysisStatus !== 'pending') return analysisStatus;
  const isAnalyzed =
    (summary ?? successful ?? null) !== null || Object.keys(dataCollected).length + evaluation.length > 0;
  if (isAnalyzed) return 'completed';
  return transcript.length > 0 ? 'pending' : 'skipped';
};

export interface HandOverOptions {
  readonly models?: ModelPrices;
  /**
   * The body as the runtime sent it, where `body` was redacted. The digest is of this one, so that a repetition is the same
   * hand-over after the agent's settings have changed.
   */
  readonly reported?: IngestInput;
}

const detailsOf = (
  body: IngestInput,
  { models, reported = body }: HandOverOptions,
): Pick<IngestCall, 'details' | 'personal'> => {
  const cost = costOf(body.usage, models?.pricesOf);
  const table = models === undefined ? rateTable.version : `${rateTable.version}, models ${models.version}`;
  return {
    details: {
      messageCount: body.transcript.length,
      rateTable: cost === null ? null : table,
      cost,
      latency: body.latency ?? null,
      recording: body.recording ?? null,
      consent: body.consent ?? null,
      analysisStatus: analysisStatusOf(body),
      successful: body.successful ?? null,
      // A browser has no number to be called.
      ...(body.optedOut === true && body.channel === 'phone' && { optedOut: true as const }),
    },
    personal: {
      digest: digestOf(reported),
      summary: body.summary ?? null,
      transfer: body.transfer ?? null,
      dataCollected: body.dataCollected,
      evaluation: body.evaluation,
      dynamicVariables: body.dynamicVariables,
      metadata: body.metadata,
    },
  };
};

/**
 * Everything but the agent's name, which the runtime does not tell.
 * @throws AppError PAYLOAD_TOO_LARGE, VALIDATION_ERROR
 */
export const handOverOf = (body: IngestInput, now: string, options: HandOverOptions = {}): HandOver => {
  check(body);
  const described = describedBy(body);
  const { details, personal } = detailsOf(body, options);
  const besides = bytesOf([described, details, personal]);
  if (besides > maxBytesPerAppend)
    throw new AppError('PAYLOAD_TOO_LARGE', { details: { maxBytesBesideTranscript: maxBytesPerAppend } });
  const appends = appendsOf(partsOf(turnsOf(body)), besides);
  const common = {
    now,
    ...described,
    ingestId: body.eventId,
    end: {
      status: body.status,
      endedReason: body.endedReason ?? body.error?.reason ?? null,
      answeredBy: body.answeredBy ?? null,
      answeredAt: body.answeredAt ? iso(body.answeredAt) : null,
      endedAt: iso(body.endedAt),
      durationSeconds: body.durationSeconds ?? null,
    },
    error: body.error ?? null,
  };
  const costMicros = details.cost?.totalMicros ?? null;
  return {
    first: appends.slice(0, -1).map((parts) => ({ type: 'RecordTranscript', ...common, costMicros, parts })),
    last: {
      type: 'IngestCall',
      ...common,
      parts: appends.at(-1) ?? [],
      details,
      personal,
    },
  };
};

/** The same command with the agent's name and with the facts of other services, which the runtime does not tell. */
export const completed = <C extends RecordTranscript | IngestCall>(
  command: C,
  { agentName, facts }: { readonly agentName: string; readonly facts: PlatformFacts },
): C => ({ ...command, facts, description: { ...command.description, agentName } });
