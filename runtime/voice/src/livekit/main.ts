// The worker: takes the jobs that LiveKit offers to the agent's name, and starts a process for each. After SIGTERM it takes no more,
// and ends when the calls in progress are over.
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentServer, InferenceRunner, initializeLogger, ServerOptions } from '@livekit/agents';
import { ParticipantKind } from '@livekit/rtc-node';
import { derivedVariables, loadProcessEnv, StartRefusal } from '@parlance/config';
import { Platform } from '@parlance/conversation';
import { Env } from '@parlance/conversation/voice-env';
import { counter, observe, voiceCalls, voiceJobsLost } from '@parlance/metrics';
import { readModelsFile } from '@parlance/models';
import { createLogger, Readiness } from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import { RoomServiceClient } from 'livekit-server-sdk';
import { readSettings } from '../settings.js';
import { handOverOfDead, Journal, newJournalKey } from '../turns/journal.js';
import { logEvent } from '../turns/log.js';

/** A platform that restarts gets its calls all the same. */
const handOverWithinMs = 11 * 60_000;

/** A process loads the native libraries; on a busy machine that takes longer than the framework's ten seconds. */
const processStartMs = 60_000;

const abandonedCheckMs = 100;

const freePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo; // an address, since it listens on a port
  await new Promise((resolve) => probe.close(resolve));
  return port;
};

const refuse = (error: unknown): never => {
  if (!(error instanceof StartRefusal)) throw error;
  process.stderr.write(`${error.message}\n`);
  return process.exit(1);
};

const environment = () => {
  try {
    return loadProcessEnv(Env);
  } catch (error) {
    return refuse(error);
  }
};

const env = environment();
// The processes of jobs inherit what was derived from the root secret, and not the secret itself.
Object.assign(process.env, derivedVariables(Env, process.env));
delete process.env.ROOT_SECRET;
delete process.env.ROOT_SECRET_FILE;
const {
  agentName,
  liveKit,
  maxCalls,
  healthPort,
  modelsFile,
  phrasesFolder,
  platform: platformOptions,
} = readSettings();
const frameworkPort = healthPort || (await freePort());
const logger = createLogger({ service: 'voice-runtime', level: env.LOG_LEVEL });
const ops = await openOps({ service: 'voice-runtime', env, logger });
// Each job reads it; a wrong one is refused here, and not in the first call.
await readModelsFile(modelsFile).catch(refuse);
// Warnings of the framework have words of the caller in them.
initializeLogger({ pretty: false, level: 'error' });
if (phrasesFolder === undefined) {
  // The processes of jobs inherit it. Only this user can read it, and nothing of it outlives the worker.
  const phrases = mkdtempSync(join(tmpdir(), 'parlance-phrases-'));
  process.env.SPEECH_CACHE_DIR = phrases;
  process.once('exit', () => rmSync(phrases, { recursive: true, force: true }));
}
const journals = { folder: mkdtempSync(join(tmpdir(), 'parlance-calls-')), key: newJournalKey() };
process.env.JOURNAL_FOLDER = journals.folder;
process.env.JOURNAL_KEY = journals.key;
process.once('exit', () => rmSync(journals.folder, { recursive: true, force: true }));
// The server registers a model of its own, unless the name is taken, and starts a process of 300 MB for what `Object.keys` finds. The
// runtime does not use that model.
Object.defineProperty(InferenceRunner.registeredRunners, 'lk_eot_audio', { value: 'unused' });
const server = new AgentServer(
  new ServerOptions({
    agent: fileURLToPath(new URL('./job.js', import.meta.url)),
    agentName,
    wsURL: liveKit.url.replace(/^http/, 'ws'),
    apiKey: liveKit.apiKey,
    apiSecret: liveKit.apiSecret,
    host: '127.0.0.1',
    port: frameworkPort,
    numIdleProcesses: 1,
    // LiveKit offers no call to a worker whose load is above 0.7. The framework would report the load of the machine.
    loadFunc: async ({ activeJobs }) => (activeJobs.length < maxCalls ? 0 : 1),
    loadThreshold: 1,
    initializeProcessTimeout: processStartMs,
    shutdownProcessTimeout: handOverWithinMs,
  }),
);
const readiness = new Readiness(logger);
readiness.add('mediaServer', {
  required: true,
  check: async () => {
    const { ok } = await fetch(`http://127.0.0.1:${frameworkPort}/`);
    if (!ok) throw new Error('the worker is not registered');
  },
});
observe(voiceCalls, () => [[server.activeJobs.length, {}]]);
server.event.on('worker_registered', () => {
  process.stdout.write('registered\n');
  ops.started(() => readiness.report());
  // For a parent that waits for it.
  process.send?.({ registered: true });
});

const platform = new Platform(platformOptions);
/** Takes the place of a process that died before it had handed its call over. */
const handOverOf = async (jobId: string): Promise<void> => {
  const at = new Date();
  const journal = new Journal(journals, jobId);
  const call = journal.read();
  if (call === undefined) return;
  logEvent('job process died', { jobId, callId: call.callId });
  await platform.handOver(handOverOfDead(call, at));
  journal.remove();
};
const handingOver = new Set<Promise<void>>();

// A job deletes its room at the end of the call. One whose process was killed leaves a caller in silence.
const rooms = new RoomServiceClient(liveKit.url, liveKit.apiKey, liveKit.apiSecret);
interface Abandoned {
  readonly room: string;
  readonly identity: string;
}

/** The room is gone in most cases. One in which another agent talks belongs to that agent's job. */
const endRoom = async ({ room, identity }: Abandoned): Promise<void> => {
  const present = await rooms.listParticipants(room);
  const isTaken = present.some(
    (one) => Number(one.kind) === ParticipantKind.AGENT && one.identity !== identity,
  );
  if (isTaken) return;
  if (present.some((one) => one.identity === identity)) counter(voiceJobsLost).add({});
  await rooms.deleteRoom(room);
};
let running = new Map<string, Abandoned>();
setInterval(() => {
  const now = new Map(
    server.activeJobs.map(({ job, acceptArguments: { identity } }) => [
      job.id,
      { room: job.room?.name ?? '', identity },
    ]),
  );
  for (const [id, job] of running) {
    if (now.has(id)) continue;
    void endRoom(job).catch(() => undefined);
    const handing: Promise<void> = handOverOf(id)
      .catch((error: unknown) => logEvent('call not handed over', { jobId: id, error: String(error) }))
      .finally(() => handingOver.delete(handing));
    handingOver.add(handing);
  }
  running = now;
}, abandonedCheckMs).unref();

let isStopping = false;
const stop = async (): Promise<void> => {
  if (isStopping) return;
  isStopping = true;
  readiness.draining = true;
  logger.info({ calls: server.activeJobs.length }, 'draining');
  // `close` asks the jobs of calls that last longer to end.
  await server.drain(env.DRAIN_CALLS_SECONDS * 1_000).catch(() => undefined);
  await server.close();
  await Promise.all(handingOver);
  readiness.stop();
  await ops.stop();
  process.exit(0);
};
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
readiness.start();
await server.run();
