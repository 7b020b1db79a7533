// The job of one call: fetches the configuration, joins the room, talks, and hands the finished call over.
import { randomUUID } from 'node:crypto';
import { AutoSubscribe, defineAgent, type JobContext, type JobProcess } from '@livekit/agents';
import * as silero from '@livekit/agents-plugin-silero';
import {
  type AudioFrame,
  type Participant,
  ParticipantKind,
  RemoteParticipant,
  RoomEvent,
} from '@livekit/rtc-node';
import { roomMetadataOf } from '@parlance/contracts';
import {
  CallSession,
  Conversation,
  callOf,
  inboundContext,
  modelsOfCall,
  Platform,
  redactionOfCall,
} from '@parlance/conversation';
import { configuredModels } from '@parlance/conversation/models';
import { modelEgress, readModelsFile } from '@parlance/models';
import { RoomServiceClient } from 'livekit-server-sdk';
import { readEgress, readSettings, type Settings } from '../settings.js';
import type { Audio } from '../speech/audio.js';
import { recordingOf } from '../speech/call-recording.js';
import { warmUp } from '../speech/kept-phrases.js';
import { PhraseBook } from '../speech/phrase-book.js';
import type { Recorder } from '../speech/recorder.js';
import { CallRecord } from '../turns/call-record.js';
import { CallReport } from '../turns/call-report.js';
import { Journal } from '../turns/journal.js';
import { logEvent, redactLogs } from '../turns/log.js';
import { type Call, partsOf, phrasesInto } from './parts.js';
import { upload } from './recording.js';
import { joinCall } from './room-call.js';

const journalOf = ({ job }: JobContext, { journal }: Settings): Journal | undefined =>
  journal && new Journal(journal, job.id);

interface ProcessData extends Record<string, unknown> {
  vad: silero.VAD;
}

const personWithinMs = 300_000;
const pollMs = 50;
/** A room that was made by a telephone and has none: the caller has hung up. */
const hungUpAfterMs = 2_000;
/** A telephone joins the room that it makes at once. Rooms that others made may wait for it. */
const callerWithinMs = 5_000;
/** A room of a call from outside: `in_<called number>_<random>`, as the platform's dispatch rules name it. */
const inboundRoom = /^in_(\+?\d+)_/;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Milliseconds. Recognition starts after this silence; the turn may go on. */
const voiceActivity = { minSpeechDuration: 60, minSilenceDuration: 250, prefixPaddingDuration: 300 };

const roomNameOf = (ctx: JobContext): string => ctx.job.room?.name ?? '';

/** The time at which the room was made: ringing begins then. The clock of the server may be ahead of the runtime's. */
const createdAt = ({ job }: JobContext, answeredAt: Date): Date =>
  new Date(Math.min(Number(job.room?.creationTimeMs ?? 0n) || answeredAt.getTime(), answeredAt.getTime()));

/** The telephone that called in. Its attributes name the called number, and with it the agent. Undefined once it has hung up. */
const callerOf = async (rooms: RoomServiceClient, roomName: string) => {
  const deadline = Date.now() + (inboundRoom.test(roomName) ? callerWithinMs : personWithinMs);
  while (Date.now() < deadline) {
    const present = await rooms.listParticipants(roomName).catch(() => []);
    const caller = present.find(({ attributes }) => attributes['sip.trunkPhoneNumber']);
    if (caller !== undefined) return caller;
    await pause(pollMs);
  }
  return undefined;
};

const inboundCall = async (
  ctx: JobContext,
  platform: Platform,
  { liveKit }: Settings,
): Promise<Call | undefined> => {
  const rooms = new RoomServiceClient(liveKit.url, liveKit.apiKey, liveKit.apiSecret);
  const caller = await callerOf(rooms, roomNameOf(ctx));
  const calledNumber = caller?.attributes['sip.trunkPhoneNumber'] || inboundRoom.exec(roomNameOf(ctx))?.[1];
  if (calledNumber === undefined) return undefined;
  const callerNumber = caller?.attributes['sip.phoneNumber'] ?? null;
  const call = { callId: randomUUID(), callerNumber, calledNumber };
  const found = await platform.configurationOfNumber(call);
  if (found === undefined) return undefined;
  const context = inboundContext(call, found);
  // From then on the call is on record.
  await rooms.updateRoomMetadata(roomNameOf(ctx), JSON.stringify(roomMetadataOf(context)));
  return { context, found };
};

/**
 * Whether another agent was in the room before this one: LiveKit may dispatch a job twice. Both see the same order, since a list that
 * is read after joining has everybody who joined earlier.
 */
const isSecond = async (ctx: JobContext, { liveKit }: Settings): Promise<boolean> => {
  const rooms = new RoomServiceClient(liveKit.url, liveKit.apiKey, liveKit.apiSecret);
  const [first] = (await rooms.listParticipants(roomNameOf(ctx)))
    .filter(({ kind }) => Number(kind) === ParticipantKind.AGENT)
    .toSorted((a, b) => Number(a.joinedAtMs - b.joinedAtMs) || (a.sid < b.sid ? -1 : 1));
  return first !== undefined && first.identity !== ctx.room.localParticipant?.identity;
};

const findCall = async (
  ctx: JobContext,
  platform: Platform,
  settings: Settings,
): Promise<Call | undefined> => {
  const context = callOf(ctx.job.metadata);
  if (context === undefined) return inboundCall(ctx, platform, settings);
  const found = await platform.configuration(context);
  return found && { context, found };
};

const isAnswered = ({ kind, attributes }: RemoteParticipant): boolean =>
  kind === ParticipantKind.SIP
    ? attributes['sip.callStatus'] === 'active'
    : kind === ParticipantKind.STANDARD;

const calledIn = ({ channel, direction }: Call['context']): boolean =>
  channel === 'phone' && direction === 'inbound';

/**
 * The person of the call: a telephone once it was answered, or the first other participant. Events have also those who leave
 * within a moment, whose calls are on record like all others.
 * @returns undefined when nobody comes, or the telephone that called in has left before
 */
const personIn = (ctx: JobContext, { context }: Call): Promise<RemoteParticipant | undefined> =>
  new Promise((resolve) => {
    const { room } = ctx;
    const stop = new AbortController();
    const found = (person: RemoteParticipant | undefined): void => {
      stop.abort();
      resolve(person);
    };
    const look = (participant: Participant): void => {
      if (participant instanceof RemoteParticipant && isAnswered(participant)) found(participant);
    };
    const onAttributes = (_changed: Record<string, string>, participant: Participant): void =>
      look(participant);
    const onDisconnected = (): void => found(undefined);
    const timer = setTimeout(onDisconnected, personWithinMs);
    let seenAt = Date.now();
    const watch = setInterval(() => {
      const isThere = [...room.remoteParticipants.values()].some(({ kind }) => kind === ParticipantKind.SIP);
      if (isThere) seenAt = Date.now();
      else if (calledIn(context) && Date.now() - seenAt > hungUpAfterMs) found(undefined);
    }, pollMs);
    stop.signal.addEventListener('abort', () => {
      clearTimeout(timer);
      clearInterval(watch);
      room.off(RoomEvent.ParticipantConnected, look);
      room.off(RoomEvent.ParticipantAttributesChanged, onAttributes);
      room.off(RoomEvent.Disconnected, onDisconnected);
    });
    room.on(RoomEvent.ParticipantConnected, look);
    room.on(RoomEvent.ParticipantAttributesChanged, onAttributes);
    room.once(RoomEvent.Disconnected, onDisconnected);
    for (const participant of room.remoteParticipants.values()) look(participant);
  });

interface Held {
  readonly call: Call;
  readonly settings: Settings;
  readonly arriving: ReturnType<typeof personIn>;
}

/** A call whose caller hung up before the agent was there. A telephone is answered when it has made its room. */
const handOverUnheard = async (ctx: JobContext, platform: Platform, record: CallRecord): Promise<void> => {
  const startedAt = createdAt(ctx, new Date());
  record.answered({ startedAt, answeredAt: startedAt, facts: () => ({ transcript: [] }) });
  record.ended({ reason: 'user_hangup', at: startedAt });
  await platform.handOver({ ...record.handOver(), recording: null });
  record.handedOver();
};

const hold = async (
  ctx: JobContext<ProcessData>,
  platform: Platform,
  { call, settings, arriving }: Held,
): Promise<void> => {
  const { context, found } = call;
  const session = new CallSession(context.callId, found.runtime);
  const redaction = redactionOfCall(context, found);
  redactLogs(redaction);
  const record = new CallRecord(call, { roomName: roomNameOf(ctx), journal: journalOf(ctx, settings) });
  const report = new CallReport(session, { redaction, onTurn: () => record.keep() });
  const file = await readModelsFile(settings.modelsFile);
  const addresses = settings.speech === undefined ? [] : [settings.speech.url];
  const egress = modelEgress(readEgress(settings.environment), file, addresses);
  const own = await modelsOfCall(platform, context, found, {
    onFailure: (error) => logEvent('models of the organization not read', { error: String(error) }),
  });
  const reach = { file, organization: own.models, egress };
  const book = new PhraseBook();
  const { recognition, speech, endOfTurn } = partsOf(call, settings, { reach, report, book });
  const model = configuredModels({
    env: settings.environment,
    file,
    egress,
    contextTokens: settings.contextTokens,
  })(found.config.llmModel, own.models);
  const agent = new Conversation({
    context,
    found,
    session,
    model,
    mode: speech === undefined ? 'text' : 'voice',
    secrets: [settings.platform.internalKey, ...own.secrets],
  });
  const { language } = agent;
  const recording = recordingOf({ context, found, conversation: agent, isRedacted: redaction !== undefined });
  const { conversation, announcement } = recording;
  const first = await conversation.opening();
  const text = `${announcement} ${first}`.trim();
  let answeredAt: Date | undefined;
  const sinceAnswer =
    (write: (recorder: Recorder, audio: Audio, atMs: number) => void) =>
    (frame: AudioFrame): void => {
      const { recorder } = recording;
      if (answeredAt !== undefined && recorder !== undefined)
        write(recorder, { samples: frame.data, rate: frame.sampleRate }, Date.now() - answeredAt.getTime());
    };
  const over = new AbortController();
  if (speech !== undefined) {
    // The question for consent is the same in every call.
    const isShared = conversation === agent ? agent.isOpeningShared : true;
    const warming = phrasesInto(book, { announcement, first, isShared }, agent);
    if (found.config.preemptive_generation)
      void warmUp({ speech, language, ...warming, signal: over.signal }).catch((error: unknown) => {
        if (!over.signal.aborted) logEvent('speech not made ahead', { error: String(error) });
      });
  }
  const maxSeconds = Math.min(
    context.maxDurationSeconds ?? Number.POSITIVE_INFINITY,
    found.config.limits.maxDurationSeconds,
  );
  const joining = joinCall({
    ctx,
    conversation,
    report,
    language,
    maxDurationMs: maxSeconds * 1_000,
    silenceMs: found.config.limits.silenceTimeoutSeconds * 1_000,
    recognition,
    hint: () => agent.hint(),
    speech,
    endOfTurn,
    book,
    vad: ctx.proc.userData.vad,
    onHeard: sinceAnswer((recorder, audio, atMs) => recorder.heard(audio, atMs)),
    onSpoken: sinceAnswer((recorder, audio, atMs) => recorder.spoken(audio, atMs)),
  });
  const person = await arriving;
  if (person === undefined) {
    over.abort();
    await ctx.deleteRoom();
    if (calledIn(context)) await handOverUnheard(ctx, platform, record);
    return;
  }
  answeredAt = new Date();
  record.answered({
    startedAt: createdAt(ctx, answeredAt),
    answeredAt,
    facts: () => ({
      transcript: report.turns,
      more: {
        ...report.summary(),
        consent: recording.consent(answeredAt),
        ...(agent.hasOptedOut && { optedOut: true }),
      },
    }),
  });
  const joined = await joining;
  const { reason, at } = await joined.converse({ person, answeredAt, text });
  over.abort();
  await ctx.deleteRoom();
  if (context.channel === 'phone')
    report.use({
      kind: 'telephony',
      quantity: (at.getTime() - answeredAt.getTime()) / 1_000,
      unit: 'second',
      provider: context.provider ?? 'sip',
    });
  await report.finish();
  record.ended({ reason, at });
  const { recorder } = recording;
  // A call without its recording is better than no call.
  const uploaded =
    recorder === undefined
      ? null
      : await upload(recorder.finish(), context.callId, found.runtime).catch((error: unknown) => {
          logEvent('recording not uploaded', { error: String(error) });
          return null;
        });
  await egress.close();
  await platform.handOver({ ...record.handOver(), recording: uploaded });
  record.handedOver();
};

export default defineAgent<ProcessData>({
  prewarm: async (proc: JobProcess<ProcessData>) => {
    proc.userData.vad = (await silero.VAD.load(voiceActivity)) as silero.VAD;
  },
  entry: async (ctx) => {
    const settings = readSettings();
    const platform = new Platform(settings.platform);
    const call = await findCall(ctx, platform, settings);
    if (call === undefined) {
      await ctx.deleteRoom();
      return ctx.shutdown('the room belongs to no call');
    }
    await ctx.connect(undefined, AutoSubscribe.AUDIO_ONLY);
    const arriving = personIn(ctx, call);
    if (await isSecond(ctx, settings)) {
      logEvent('room taken by another agent', { room: roomNameOf(ctx) });
      return ctx.shutdown('another agent has the room');
    }
    const holding = hold(ctx, platform, { call, settings, arriving });
    // The process of a job ends with its room, or because the worker stops: then the call is ended. It waits for the hand-over.
    ctx.addShutdownCallback(async () => {
      await ctx.deleteRoom().catch(() => undefined);
      await holding.catch(() => undefined);
    });
    try {
      await holding;
    } catch (error) {
      await ctx.deleteRoom();
      throw error;
    } finally {
      ctx.shutdown('the call is over');
    }
  },
});
