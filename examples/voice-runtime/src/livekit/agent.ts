// The job of one call: learns the configuration, joins the room, talks, and hands the finished call over.
import { randomUUID } from 'node:crypto';
import { AutoSubscribe, defineAgent, type JobContext } from '@livekit/agents';
import { ParticipantKind, type RemoteParticipant, RoomEvent } from '@livekit/rtc-node';
import { RoomServiceClient } from 'livekit-server-sdk';
import { Dialogue } from '../dialogue.js';
import {
  type CallContext,
  CallSession,
  callIn,
  callOf,
  handOverOf,
  Platform,
  type RuntimeConfig,
  roomMetadataOf,
} from '../protocol.js';
import { Transcript } from '../transcript.js';
import { converse } from './conversation.js';
import { readSettings, type Settings } from './settings.js';

interface Agreed {
  readonly context: CallContext;
  readonly found: RuntimeConfig;
}

const personWithinMs = 300_000;
const lookMs = 100;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const roomNameOf = (ctx: JobContext): string => ctx.job.room?.name ?? '';

/** The time at which the room was made: ringing begins then. The clock of the server may be ahead of the runtime's. */
const madeAt = ({ job }: JobContext, answeredAt: Date): Date =>
  new Date(Math.min(Number(job.room?.creationTimeMs ?? 0n) || answeredAt.getTime(), answeredAt.getTime()));

/** The telephone that called in. Its attributes name the called number, and with it the agent. */
const callerOf = async (rooms: RoomServiceClient, roomName: string) => {
  const deadline = Date.now() + personWithinMs;
  while (Date.now() < deadline) {
    const present = await rooms.listParticipants(roomName).catch(() => []);
    const caller = present.find(({ attributes }) => attributes['sip.trunkPhoneNumber']);
    if (caller !== undefined) return caller;
    await pause(lookMs);
  }
  return undefined;
};

const agreeInbound = async (
  ctx: JobContext,
  platform: Platform,
  { liveKit }: Settings,
): Promise<Agreed | undefined> => {
  const rooms = new RoomServiceClient(liveKit.url, liveKit.apiKey, liveKit.apiSecret);
  const caller = await callerOf(rooms, roomNameOf(ctx));
  const calledNumber = caller?.attributes['sip.trunkPhoneNumber'];
  if (caller === undefined || !calledNumber) return undefined;
  const known = {
    callId: randomUUID(),
    callerNumber: caller.attributes['sip.phoneNumber'] ?? null,
    calledNumber,
  };
  const found = await platform.configurationOfNumber(known);
  if (found === undefined) return undefined;
  const context = callIn(known, found);
  // From then on the call is on record.
  await rooms.updateRoomMetadata(roomNameOf(ctx), roomMetadataOf(context));
  return { context, found };
};

const agree = async (
  ctx: JobContext,
  platform: Platform,
  settings: Settings,
): Promise<Agreed | undefined> => {
  const context = callOf(ctx.job.metadata);
  if (context === undefined) return agreeInbound(ctx, platform, settings);
  const found = await platform.configuration(context);
  return found && { context, found };
};

/** The person of the call: a telephone once it was answered, or the first other participant. */
const personIn = async (ctx: JobContext): Promise<RemoteParticipant | undefined> => {
  const isHere = ({ kind, attributes }: RemoteParticipant): boolean =>
    kind === ParticipantKind.SIP
      ? attributes['sip.callStatus'] === 'active'
      : kind === ParticipantKind.STANDARD;
  let isGone = false;
  ctx.room.once(RoomEvent.Disconnected, () => {
    isGone = true;
  });
  const deadline = Date.now() + personWithinMs;
  while (!isGone && Date.now() < deadline) {
    const person = [...ctx.room.remoteParticipants.values()].find(isHere);
    if (person !== undefined) return person;
    await pause(lookMs);
  }
  return undefined;
};

const hold = async (
  ctx: JobContext,
  platform: Platform,
  { context, found }: Agreed,
  settings: Settings,
): Promise<void> => {
  const person = await personIn(ctx);
  if (person === undefined) return ctx.deleteRoom();
  const answeredAt = new Date();
  const session = new CallSession(context.callId, found.runtime);
  const transcript = new Transcript(session);
  const seconds = Math.min(
    context.maxDurationSeconds ?? Number.POSITIVE_INFINITY,
    found.config.limits.maxDurationSeconds,
  );
  const conversation = await converse({
    ctx,
    answeredAt,
    transcript,
    settings,
    identity: person.identity,
    dialogue: new Dialogue({ context, found, session }),
    language: context.language ?? found.config.agent_language,
    longestMs: seconds * 1_000,
  });
  const { reason, at } = await conversation.over;
  await ctx.deleteRoom();
  await transcript.told();
  const finished = {
    context,
    transcript: transcript.turns,
    roomName: roomNameOf(ctx),
    endedReason: reason,
    startedAt: madeAt(ctx, answeredAt),
    answeredAt,
    endedAt: at,
  };
  await platform.handOver(handOverOf(finished, randomUUID()));
};

export default defineAgent({
  entry: async (ctx) => {
    const settings = readSettings();
    const platform = new Platform(settings.platform);
    const agreed = await agree(ctx, platform, settings);
    if (agreed !== undefined) await ctx.connect(undefined, AutoSubscribe.AUDIO_ONLY);
    const call = agreed && hold(ctx, platform, agreed, settings);
    // The process of a job ends with its room. It waits for these, and so for the hand-over.
    ctx.addShutdownCallback(async () => {
      await call?.catch(() => undefined);
    });
    try {
      await (call ?? ctx.deleteRoom());
    } catch (error) {
      await ctx.deleteRoom();
      throw error;
    } finally {
      ctx.shutdown('the call is over');
    }
  },
});
