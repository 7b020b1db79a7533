// The voice runtime. It takes the jobs that a real LiveKit gives to its agent name. It asks the platform for the
// configuration of each call, talks, and hands the finished call over.
import { randomUUID } from 'node:crypto';
import { type ParticipantInfo, ParticipantInfo_Kind } from '@livekit/protocol';
import { type CallContext, callContext, type RuntimeConfig, roomMetadataOf } from '@parlance/contracts';
import {
  type Abilities,
  abilitiesOf,
  configurationOf,
  contextOf,
  factsOf,
  finishedCall,
  type PlatformAddress,
  PlatformClient,
  Progress,
  type Recorder,
  type RuntimeConfiguration,
  type Turn,
} from '@parlance/fake-livekit';
import { RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { joinLine, type Line } from './line.js';
import { recorded, recorderFor, recordHeard, upload } from './recorded-line.js';
import { startTalk, type Talk, type Talking } from './talk.js';
import { joinVisitor } from './visitor-line.js';
import { startVisitorTalk, type VisitorTalking } from './visitor-talk.js';
import { findVoice, type Voice } from './voice.js';
import { type Assigned, startWorker } from './worker.js';
import type { Job } from './worker-messages.js';

export interface VoiceRuntimeOptions extends PlatformAddress {
  /** HTTP address of the LiveKit server, such as http://127.0.0.1:7880. */
  readonly liveKitUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly agentName: string;
  /** Lines for people; standard output unless given. */
  readonly log?: (line: string) => void;
}

export interface VoiceRuntime {
  /** Resolves when the server has taken the registration for the first time. */
  readonly registered: Promise<void>;
  stop(): void;
}

interface Parts {
  readonly platform: PlatformClient;
  readonly rooms: RoomServiceClient;
  readonly voice: Voice;
  readonly log: (line: string) => void;
}

/** The call of a job, with the configuration that the agent runs with in it. */
interface Agreed {
  readonly context: CallContext;
  readonly config: RuntimeConfiguration;
  readonly found: RuntimeConfig;
}

const lookMs = 100;
/** A caller is in the room within moments of the job. */
const callerWithinMs = 20_000;
/** A page asks its visitor for the microphone before it joins. */
const visitorWithinMs = 60_000;
/** A job that is over has mostly lost its room already. After so long the room is ended from here. */
const terminationMs = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The id of the job's call. Undefined for metadata that is not the platform's; such a job fails when it runs. */
const callOf = ({ metadata }: Job): string | undefined => {
  try {
    return contextOf(metadata)?.callId;
  } catch {
    return undefined;
  }
};

/** Ends the call for everybody. A room that cannot be deleted ends by itself, some time after the last participant left. */
const deleteRoom = async ({ rooms, log }: Parts, name: string): Promise<void> => {
  try {
    await rooms.deleteRoom(name);
  } catch (error) {
    if (!(error instanceof TwirpError && error.code === 'not_found'))
      log(`${name} was not deleted: ${error}`);
  }
};

/** A call that the platform started: its dispatch carries the context. */
const agreedBefore = async ({ platform }: Parts, context: CallContext): Promise<Agreed | undefined> => {
  const found = await platform.configuration(`internal-config/${context.agentId}`, factsOf(context));
  if (found === undefined || found.initiation?.action === 'reject') return undefined;
  return { context, config: configurationOf(context, found.config), found };
};

const callerIn = async (
  parts: Parts,
  { job, terminated }: Assigned,
): Promise<ParticipantInfo | undefined> => {
  const deadline = Date.now() + callerWithinMs;
  while (!terminated.aborted && Date.now() < deadline) {
    const present = await parts.rooms.listParticipants(job.roomName).catch(() => []);
    const caller = present.find(({ kind }) => kind === ParticipantInfo_Kind.SIP);
    if (caller !== undefined) return caller;
    await pause(lookMs);
  }
  return undefined;
};

/** The called number decides the agent. The room learns the call from here, before the agent joins it. */
const agreedInbound = async (parts: Parts, assigned: Assigned): Promise<Agreed | undefined> => {
  const caller = await callerIn(parts, assigned);
  const toNumber = caller?.attributes['sip.trunkPhoneNumber'];
  if (caller === undefined || !toNumber) return undefined;
  const about = {
    callId: randomUUID(),
    channel: 'phone' as const,
    direction: 'inbound' as const,
    fromNumber: caller.attributes['sip.phoneNumber'] ?? null,
    toNumber,
  };
  const path = `number-config/${encodeURIComponent(toNumber)}`;
  const found = await parts.platform.configuration(path, factsOf(about));
  if (found === undefined || found.initiation?.action === 'reject') return undefined;
  const context = callContext({
    ...about,
    organizationId: found.agent.organizationId,
    agentId: found.agent.id,
    configVersion: found.config.version,
  });
  await parts.rooms.updateRoomMetadata(assigned.job.roomName, JSON.stringify(roomMetadataOf(context)));
  return { context, config: found.config, found };
};

const middle = (values: readonly number[], share: number): number | null =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? null;

const latencyOf = ({ responseMs }: Talk) => ({
  e2eP50Ms: middle(responseMs, 0.5),
  e2eP95Ms: middle(responseMs, 0.95),
  llmP50Ms: null,
  ttsP50Ms: null,
  sttP50Ms: null,
});

/** Leaves and deletes the room, which would stay for a while after the telephone has hung up. */
const endCall = async (parts: Parts, job: Job, line: Line): Promise<void> => {
  await Promise.all([deleteRoom(parts, job.roomName), line.leave()]);
};

interface Answered extends Agreed {
  readonly line: Line;
  readonly job: Job;
  readonly answeredAt: Date;
  /** Undefined where the agent records nothing. */
  readonly recorder: Recorder | undefined;
}

/** A call that breaks in the middle is handed over too; its turns until then are lost. */
const broken = (): Talk => ({
  endedReason: 'error_runtime',
  endedAt: new Date(),
  answeredBy: 'no_speech',
  transcript: [],
  responseMs: [],
});

const finish = async (
  parts: Parts,
  call: Answered,
  talk: Talk,
  abilities: Abilities | undefined,
): Promise<void> => {
  const { context, config, job, line, answeredAt, recorder } = call;
  await endCall(parts, job, line);
  const recording = await upload(recorder, abilities, (error) =>
    parts.log(`the recording of ${job.roomName} was not uploaded: ${error}`),
  );
  await parts.platform.handOver(
    finishedCall({
      ...{ context, config, answeredAt, recording },
      roomName: job.roomName,
      startedAt: job.roomMadeAt,
      latency: latencyOf(talk),
      telephony: context.channel === 'phone' ? 'telephones' : null,
      ...talk,
    }),
  );
};

interface Able {
  readonly voice: Voice;
  readonly abilities: Abilities | undefined;
  readonly onTurn: (turn: Turn) => void;
}

/** Holds one call from its answer to its hand-over. */
const hold = async (parts: Parts, call: Answered, begin: (able: Able) => Talking): Promise<void> => {
  const abilities = abilitiesOf(call.context.callId, call.found.runtime);
  const progress = new Progress(abilities);
  const onTurn = (turn: Turn): void => progress.said(turn);
  const talk = await begin({ voice: parts.voice, abilities, onTurn }).done.catch((error: unknown) => {
    parts.log(
      `the call in ${call.job.roomName} broke: ${error instanceof Error ? error.stack : String(error)}`,
    );
    return broken();
  });
  await finish(parts, call, talk, abilities);
};

/** A job that the server has ended keeps no room for long. */
const leaveWith = (parts: Parts, { job, terminated }: Assigned, line: Line): void =>
  terminated.addEventListener('abort', () => {
    setTimeout(() => line.over.aborted || void deleteRoom(parts, job.roomName), terminationMs);
  });

const runTelephone = async (
  parts: Parts,
  assigned: Assigned,
  known: CallContext | undefined,
): Promise<void> => {
  const { job, url, token } = assigned;
  const inbound = known === undefined ? await agreedInbound(parts, assigned) : undefined;
  if (known === undefined && inbound === undefined) return deleteRoom(parts, job.roomName);
  let talking: Talking | undefined;
  let record: ((samples: Int16Array) => void) | undefined;
  const onSamples = (samples: Int16Array): void => {
    talking?.hear(samples);
    record?.(samples);
  };
  const line = await joinLine({ url, token, onSamples });
  leaveWith(parts, assigned, line);
  if (!(await line.answered)) return endCall(parts, job, line);
  const answeredAt = new Date();
  const agreed = known === undefined ? inbound : await agreedBefore(parts, known);
  if (agreed === undefined) return endCall(parts, job, line);
  const recorder = recorderFor(agreed.config);
  record = recordHeard(recorder, answeredAt);
  return hold(parts, { ...agreed, line, job, answeredAt, recorder }, (able) => {
    talking = startTalk({ ...agreed, ...able, line: recorded(line, recorder, answeredAt), answeredAt });
    return talking;
  });
};

/** A visitor of a website, or a member of the organization who tries an agent out. */
const runVisitor = async (parts: Parts, assigned: Assigned, known: CallContext): Promise<void> => {
  const { job, url, token } = assigned;
  const agreed = await agreedBefore(parts, known);
  if (agreed === undefined) return deleteRoom(parts, job.roomName);
  let talking: VisitorTalking | undefined;
  let record: ((samples: Int16Array) => void) | undefined;
  const line = await joinVisitor({
    url,
    token,
    joinWithinMs: visitorWithinMs,
    onSamples: (samples) => {
      talking?.hear(samples);
      record?.(samples);
    },
    onText: (text) => talking?.read(text),
  });
  leaveWith(parts, assigned, line);
  if (!(await line.answered)) return endCall(parts, job, line);
  const answeredAt = new Date();
  const recorder = recorderFor(agreed.config);
  record = recordHeard(recorder, answeredAt);
  return hold(parts, { ...agreed, line, job, answeredAt, recorder }, (able) => {
    talking = startVisitorTalk({
      ...agreed,
      ...able,
      line: recorded(line, recorder, answeredAt),
      answeredAt,
    });
    return talking;
  });
};

const runJob = (parts: Parts, assigned: Assigned): Promise<void> => {
  const known = contextOf(assigned.job.metadata);
  return known === undefined || known.channel === 'phone'
    ? runTelephone(parts, assigned, known)
    : runVisitor(parts, assigned, known);
};

/** Registers at the server, and takes calls until it is stopped. */
export const startVoiceRuntime = (options: VoiceRuntimeOptions): VoiceRuntime => {
  const { liveKitUrl, apiKey, apiSecret, agentName } = options;
  const log =
    options.log ?? ((line: string) => process.stdout.write(`${new Date().toISOString()} ${line}\n`));
  const parts: Parts = {
    platform: new PlatformClient(options),
    rooms: new RoomServiceClient(liveKitUrl, apiKey, apiSecret, { failover: false, requestTimeout: 5 }),
    voice: findVoice(),
    log,
  };
  const worker = startWorker({
    url: liveKitUrl.replace(/^http/, 'ws'),
    apiKey,
    apiSecret,
    agentName,
    workOf: callOf,
    run: (assigned) => runJob(parts, assigned),
    log,
  });
  return {
    registered: worker.registered,
    stop: () => {
      worker.stop();
      parts.platform.stop();
    },
  };
};
