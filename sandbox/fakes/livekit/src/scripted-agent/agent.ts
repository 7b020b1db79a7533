// A stand-in for a voice runtime on a real LiveKit, for tests of telephony: one process holds dozens of calls. It takes the jobs
// of an agent name, speaks from a script, writes down the keys that it hears, and hands the finished call over.
import { randomUUID } from 'node:crypto';
import { type ParticipantInfo, ParticipantInfo_Kind } from '@livekit/protocol';
import { type CallContext, callContext, type RuntimeConfig, roomMetadataOf } from '@parlance/contracts';
import { RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { type Abilities, abilitiesOf } from '../abilities.js';
import { configurationOf, contextOf, factsOf } from '../call-context.js';
import type { RuntimeConfiguration } from '../conversation.js';
import { finishedCall } from '../finished-call.js';
import { type PlatformAddress, PlatformClient } from '../platform-client.js';
import { Progress } from '../progress.js';
import { joinLine, type TelephoneLine } from './line.js';
import { startTalk, type Talk, type Talking } from './talk.js';
import { type Assigned, startWorker } from './worker.js';
import type { Job } from './worker-messages.js';

export interface ScriptedAgentOptions extends PlatformAddress {
  /** HTTP address of the LiveKit server, such as http://127.0.0.1:7880. */
  readonly liveKitUrl: string;
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly agentName: string;
}

export interface ScriptedAgent {
  /** Resolves when the server has taken the registration for the first time. */
  readonly registered: Promise<void>;
  stop(): void;
}

interface Clients {
  readonly platform: PlatformClient;
  readonly rooms: RoomServiceClient;
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
/** A job that is over has mostly lost its room already. After so long the room is ended from here. */
const terminationMs = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const log = (line: string): void => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

/** The id of the job's call. Undefined for metadata that is not the platform's; such a job fails when it runs. */
const callOf = ({ metadata }: Job): string | undefined => {
  try {
    return contextOf(metadata)?.callId;
  } catch {
    return undefined;
  }
};

/** Ends the call for everybody. A room that cannot be deleted ends by itself, some time after the last participant left. */
const deleteRoom = async ({ rooms }: Clients, name: string): Promise<void> => {
  try {
    await rooms.deleteRoom(name);
  } catch (error) {
    if (!(error instanceof TwirpError && error.code === 'not_found'))
      log(`${name} was not deleted: ${error}`);
  }
};

/** A call that the platform started: its dispatch carries the context. */
const agreedBefore = async ({ platform }: Clients, context: CallContext): Promise<Agreed | undefined> => {
  const found = await platform.configuration(`internal-config/${context.agentId}`, factsOf(context));
  if (found === undefined || found.initiation?.action === 'reject') return undefined;
  return { context, config: configurationOf(context, found.config), found };
};

const callerIn = async (
  { rooms }: Clients,
  { job, terminated }: Assigned,
): Promise<ParticipantInfo | undefined> => {
  const deadline = Date.now() + callerWithinMs;
  while (!terminated.aborted && Date.now() < deadline) {
    const present = await rooms.listParticipants(job.roomName).catch(() => []);
    const caller = present.find(({ kind }) => kind === ParticipantInfo_Kind.SIP);
    if (caller !== undefined) return caller;
    await pause(lookMs);
  }
  return undefined;
};

/** The called number decides the agent. The room learns the call from here, before the agent joins it. */
const agreedInbound = async (clients: Clients, assigned: Assigned): Promise<Agreed | undefined> => {
  const caller = await callerIn(clients, assigned);
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
  const found = await clients.platform.configuration(path, factsOf(about));
  if (found === undefined || found.initiation?.action === 'reject') return undefined;
  const context = callContext({
    ...about,
    organizationId: found.agent.organizationId,
    agentId: found.agent.id,
    configVersion: found.config.version,
  });
  await clients.rooms.updateRoomMetadata(assigned.job.roomName, JSON.stringify(roomMetadataOf(context)));
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
const endCall = async (clients: Clients, job: Job, line: TelephoneLine): Promise<void> => {
  await Promise.all([deleteRoom(clients, job.roomName), line.leave()]);
};

/** A call that breaks in the middle is handed over too; its turns until then are lost. */
const broken = (): Talk => ({
  endedReason: 'error_runtime',
  endedAt: new Date(),
  answeredBy: 'no_speech',
  transcript: [],
  responseMs: [],
});

interface Answered extends Agreed {
  readonly line: TelephoneLine;
  readonly job: Job;
  readonly answeredAt: Date;
}

/** Holds one call from its answer to its hand-over. */
const hold = async (
  clients: Clients,
  { context, config, found, line, job, answeredAt }: Answered,
  begin: (abilities: Abilities | undefined, progress: Progress) => Talking,
): Promise<void> => {
  const abilities = abilitiesOf(context.callId, found.runtime);
  const talk = await begin(abilities, new Progress(abilities)).done.catch((error: unknown) => {
    log(`the call in ${job.roomName} broke: ${error instanceof Error ? error.stack : String(error)}`);
    return broken();
  });
  await endCall(clients, job, line);
  await clients.platform.handOver(
    finishedCall({
      context,
      config,
      answeredAt,
      recording: null,
      roomName: job.roomName,
      startedAt: job.roomMadeAt,
      latency: latencyOf(talk),
      telephony: 'telephones',
      ...talk,
    }),
  );
};

const runJob = async (clients: Clients, assigned: Assigned): Promise<void> => {
  const { job, url, token, terminated } = assigned;
  const known = contextOf(job.metadata);
  const inbound = known === undefined ? await agreedInbound(clients, assigned) : undefined;
  // Browsers talk with the voice runtime.
  if (known === undefined ? inbound === undefined : known.channel !== 'phone')
    return deleteRoom(clients, job.roomName);
  let talking: Talking | undefined;
  const line = await joinLine({ url, token, onSamples: (samples) => talking?.hear(samples) });
  // A job that the server has ended keeps no room for long.
  terminated.addEventListener('abort', () => {
    setTimeout(() => line.over.aborted || void deleteRoom(clients, job.roomName), terminationMs);
  });
  if (!(await line.answered)) return endCall(clients, job, line);
  const answeredAt = new Date();
  const agreed = known === undefined ? inbound : await agreedBefore(clients, known);
  if (agreed === undefined) return endCall(clients, job, line);
  return hold(clients, { ...agreed, line, job, answeredAt }, (abilities, progress) => {
    talking = startTalk({ ...agreed, line, answeredAt, abilities, onTurn: (turn) => progress.said(turn) });
    return talking;
  });
};

/** Registers at the server, and takes calls until it is stopped. */
export const startScriptedAgent = (options: ScriptedAgentOptions): ScriptedAgent => {
  const { liveKitUrl, apiKey, apiSecret, agentName } = options;
  const clients: Clients = {
    platform: new PlatformClient(options),
    rooms: new RoomServiceClient(liveKitUrl, apiKey, apiSecret, { failover: false, requestTimeout: 5 }),
  };
  const worker = startWorker({
    url: liveKitUrl.replace(/^http/, 'ws'),
    apiKey,
    apiSecret,
    agentName,
    workOf: callOf,
    run: (assigned) => runJob(clients, assigned),
    log,
  });
  return {
    registered: worker.registered,
    stop: () => {
      worker.stop();
      clients.platform.stop();
    },
  };
};
