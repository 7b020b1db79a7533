// The worker: takes the jobs that LiveKit offers to the agent's name, and starts a process for each.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentServer, initializeLogger, ServerOptions } from '@livekit/agents';
import { Platform } from '@parlance/conversation';
import { readModelsFile } from '@parlance/models';
import { RoomServiceClient } from 'livekit-server-sdk';
import { readSettings } from '../settings.js';
import { handOverOfDead, Journal, newJournalKey } from '../turns/journal.js';
import { logEvent } from '../turns/log.js';

/** A platform that restarts gets its calls all the same. */
const handOverWithinMs = 11 * 60_000;

/** A process loads the native libraries; on a busy machine that takes longer than the framework's ten seconds. */
const processStartMs = 60_000;

const abandonedCheckMs = 100;

const { agentName, liveKit, maxCalls, healthPort, modelsFile, platform: platformOptions } = readSettings();
// Each job reads it; a wrong one is refused here, and not in the first call.
await readModelsFile(modelsFile);
// Warnings of the framework have words of the caller in them.
initializeLogger({ pretty: false, level: process.env.LOG_LEVEL ?? 'error' });
// The processes of jobs inherit it. Only this user can read it, and nothing of it outlives the worker.
const greetings = mkdtempSync(join(tmpdir(), 'parlance-greetings-'));
process.env.GREETINGS_FOLDER = greetings;
process.once('exit', () => rmSync(greetings, { recursive: true, force: true }));
const journals = { folder: mkdtempSync(join(tmpdir(), 'parlance-calls-')), key: newJournalKey() };
process.env.JOURNAL_FOLDER = journals.folder;
process.env.JOURNAL_KEY = journals.key;
process.once('exit', () => rmSync(journals.folder, { recursive: true, force: true }));
const server = new AgentServer(
  new ServerOptions({
    agent: fileURLToPath(new URL('./job.js', import.meta.url)),
    agentName,
    wsURL: liveKit.url.replace(/^http/, 'ws'),
    apiKey: liveKit.apiKey,
    apiSecret: liveKit.apiSecret,
    host: '127.0.0.1',
    port: healthPort,
    numIdleProcesses: 1,
    // LiveKit offers no call to a worker whose load is above 0.7. The framework would report the load of the machine.
    loadFunc: async ({ activeJobs }) => (activeJobs.length < maxCalls ? 0 : 1),
    loadThreshold: 1,
    initializeProcessTimeout: processStartMs,
    shutdownProcessTimeout: handOverWithinMs,
  }),
);
server.event.on('worker_registered', () => {
  process.stdout.write('registered\n');
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
let running = new Map<string, string>();
setInterval(() => {
  const now = new Map(server.activeJobs.map(({ job }) => [job.id, job.room?.name ?? '']));
  for (const [id, room] of running) {
    if (now.has(id)) continue;
    // It is gone in most cases.
    void rooms.deleteRoom(room).catch(() => undefined);
    const handing: Promise<void> = handOverOf(id)
      .catch((error: unknown) => logEvent('call not handed over', { jobId: id, error: String(error) }))
      .finally(() => handingOver.delete(handing));
    handingOver.add(handing);
  }
  running = now;
}, abandonedCheckMs).unref();

const stop = async (): Promise<void> => {
  await server.close();
  await Promise.all(handingOver);
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());
await server.run();
