// npm run bench -- speech: the local speech service as `npm run voice:setup` has installed it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, startChild } from '@parlance/engines';
import { speechServiceCommand } from '@parlance/start';

export interface SpeechBenchOptions {
  readonly sentences: number;
  /** Calls at once, at most. */
  readonly callers: number;
}

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const loadTimeoutMs = 180_000;

export const benchSpeech = async ({ sentences, callers }: SpeechBenchOptions): Promise<void> => {
  const service = speechServiceCommand(join(root, '.parlance'), { port: await freePort() });
  if ('missing' in service) throw new Error(service.missing);
  const folder = mkdtempSync(join(tmpdir(), 'parlance-bench-speech-'));
  const child = await startChild({
    name: 'the speech service',
    command: [service.command, ...service.args],
    env: service.env,
    logFile: join(folder, 'speech.log'),
    startTimeoutMs: loadTimeoutMs,
    probe: async () => {
      const { status } = await fetch(service.healthUrl);
      if (status !== 200) throw new Error(`${status}`);
    },
  });
  try {
    const bench = join(root, 'runtime', 'speech', 'bench', 'bench.py');
    const args = [bench, '--sentences', `${sentences}`, '--calls', `${callers}`];
    const measuring = spawn(service.command, args, {
      stdio: 'inherit',
      env: { ...process.env, ...service.env, SPEECH_KEY: service.key, SPEECH_BASE_URL: service.baseUrl },
    });
    const [status] = await once(measuring, 'exit');
    process.exitCode = Number(status ?? 1);
  } finally {
    await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
