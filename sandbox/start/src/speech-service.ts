// The local speech service as a child process: `npm run voice:setup` has installed it into the data folder, and written down how it
// is started.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, dyingWithParent, startChild } from '@parlance/engines';
import { z } from 'zod';

const serviceFile = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  requirements: z.array(z.object({ file: z.string(), sha256: z.string() })),
});

export interface SpeechService {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Base URL for OpenAI clients; `key` is their API key. */
  readonly baseUrl: string;
  readonly key: string;
  /** Answers 200 once every model is loaded, and 503 before. */
  readonly healthUrl: string;
}

/** Exit status of the service when starting it again would fail in the same way; it has printed the reason. */
export const speechConfigurationStatus = 78;

const remedy = 'run `npm run voice:setup`';

/**
 * How to start the service of a data folder on a free port, or one sentence that says what is missing.
 * A supervisor passes the same port and key to each start, so that clients keep their address.
 */
export const speechServiceCommand = (
  dataFolder: string,
  { port, key = randomBytes(24).toString('hex') }: { readonly port: number; readonly key?: string },
): SpeechService | { readonly missing: string } => {
  const file = join(dataFolder, 'voice', 'service.json');
  if (!existsSync(file)) return { missing: `The local speech service is not installed: ${remedy}.` };
  const service = serviceFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!service.success || !existsSync(service.data.command))
    return { missing: `The local speech service in ${join(dataFolder, 'voice')} is incomplete: ${remedy}.` };
  const { command, args, env, requirements } = service.data;
  const isCurrent = requirements.every(
    ({ file: path, sha256 }) =>
      existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256,
  );
  if (!isCurrent)
    return { missing: `The local speech service was installed for another version of Parlance: ${remedy}.` };
  const address = `http://127.0.0.1:${port}`;
  return {
    command,
    args,
    env: { ...env, SPEECH_PORT: `${port}`, SPEECH_KEY: key, SPEECH_EXIT_WITH_PARENT: '1' },
    baseUrl: `${address}/v1`,
    key,
    healthUrl: `${address}/health`,
  };
};

/** Models are loaded meanwhile. */
const startTimeoutMs = 180_000;

/** The last line that is not a log entry: the service ends with one sentence. */
const reasonIn = (logFile: string): string | undefined =>
  (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')
    .split('\n')
    .findLast((line) => line.trim() !== '' && !line.startsWith('{'));

export interface SpeechFiles {
  readonly log: string;
  readonly pid: string;
}

/** Resolves when every model is loaded, or with one sentence that says why the service does not run. */
export const startSpeechService = async (
  service: SpeechService,
  files: SpeechFiles,
): Promise<Child | { readonly missing: string }> => {
  rmSync(files.log, { force: true });
  try {
    return await startChild({
      name: 'The local speech service',
      command: dyingWithParent([service.command, ...service.args], 'TERM'),
      env: service.env,
      logFile: files.log,
      pidFile: files.pid,
      startTimeoutMs,
      probe: async () => {
        const response = await fetch(service.healthUrl);
        if (!response.ok) throw new Error(`the speech service answers ${response.status}`);
      },
    });
  } catch (error) {
    return { missing: reasonIn(files.log) ?? (error instanceof Error ? `${error.message}.` : String(error)) };
  }
};
