// The folder that survives restarts: data of every engine, generated secrets, logs, and the processes that run on it.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { newCallerPrivateKey } from '@parlance/config';
import { serviceNames } from '@parlance/contracts';
import { checks } from '@parlance/doctor';
import { recordedProcess, recordProcess } from '@parlance/engines';
import { z } from 'zod';

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

/** Made once, at the first start, and kept with mode 600. Nothing here is a default that two machines share. */
const Secrets = z.object({
  postgresPassword: z.string(),
  databasePassword: z.string(),
  natsToken: z.string(),
  /** By name of the process. */
  callerPrivateKeys: z.record(z.string(), z.string()),
  webhookSigningKey: z.string(),
  internalKey: z.string(),
  authSecret: z.string(),
  cursorKey: z.string(),
  quoteKey: z.string(),
  mcpConfirmationKey: z.string(),
  kekId: z.string(),
  kek: z.string(),
  liveKitApiKey: z.string(),
  liveKitApiSecret: z.string(),
  s3AccessKeyId: z.string(),
  s3SecretAccessKey: z.string(),
  twilioAccountSid: z.string(),
  twilioAuthToken: z.string(),
  telnyxApiKey: z.string(),
  faultControlToken: z.string(),
  practiceToken: z.string(),
});
export type Secrets = z.infer<typeof Secrets>;

const newSecrets = (): Secrets => ({
  postgresPassword: random(18),
  databasePassword: random(18),
  natsToken: random(18),
  callerPrivateKeys: Object.fromEntries(serviceNames.map((name) => [name, newCallerPrivateKey()])),
  webhookSigningKey: random(32),
  internalKey: random(32),
  authSecret: random(32),
  cursorKey: random(32),
  quoteKey: random(32),
  mcpConfirmationKey: random(32),
  kekId: `kek-${random(4)}`,
  kek: randomBytes(32).toString('base64'),
  liveKitApiKey: `API${random(9)}`,
  liveKitApiSecret: random(32),
  s3AccessKeyId: random(12),
  s3SecretAccessKey: random(32),
  twilioAccountSid: `AC${randomBytes(16).toString('hex')}`,
  twilioAuthToken: random(24),
  telnyxApiKey: `KEY${random(24)}`,
  faultControlToken: random(24),
  practiceToken: random(24),
});

/** Version 0.1 signed webhooks with this key, and receivers keep their secrets. */
const ofEarlierRelease = (kept: object): Partial<Secrets> =>
  'callerSigningKey' in kept ? { webhookSigningKey: String(kept.callerSigningKey) } : {};

/** The file with which `npm run tour` and `npm run bench` find and enter the running platform. Mode 600. */
const State = z.object({
  url: z.string().optional(),
  ports: z.record(z.string(), z.number()).default({}),
  /** The calls of the last start were real ones, between LiveKit's own programs and telephones on the wire. */
  isRealMedia: z.boolean().default(false),
  /** False where browsers alone can talk (npm start -- --browser-voice). */
  hasTelephones: z.boolean().default(true),
  /** A system of a customer that tools may ask, and its credential. */
  practice: z.object({ url: z.string(), token: z.string() }).optional(),
  /**
   * The engine that holds the documents of this folder. It stays even when another one is installed later, because that
   * one would be empty.
   */
  mongo: z.enum(['mongod', 'stand-in']).optional(),
  demo: z
    .object({ email: z.string(), password: z.string(), apiKey: z.string(), organizationId: z.string() })
    .optional(),
  /** The widget of the first organization that /widget-demo shows. */
  demoWidgetId: z.string().optional(),
});
export type State = z.infer<typeof State>;

/** The variables of a service that its tools need; the rest of the environment stays off the disk. */
const toolVariables = new Set([
  ...['POSTGRES_URL', 'EVENTSTORE_URL', 'MONGODB_URL', 'MONGODB_DATABASE', 'KEK_ID', 'KEK'],
  ...checks.flatMap(({ needs, uses = [] }) => [...needs, ...uses]),
]);

type Variables = Readonly<Record<string, string>>;
const ServiceVariables = z.record(z.string(), z.record(z.string(), z.string()));

const writeAtomically = (file: string, value: unknown): void => {
  const staged = `${file}.new`;
  writeFileSync(staged, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(staged, file);
};

export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
    mkdirSync(join(this.path, 'logs'), { recursive: true, mode: 0o700 });
  }

  directory(name: string): string {
    return join(this.path, name);
  }

  log(name: string): string {
    return join(this.path, 'logs', `${name}.log`);
  }

  /** Process that works on the data of an engine, while it runs. */
  pid(engine: string): number | undefined {
    return recordedProcess(this.directory(`${engine}.pid`));
  }

  /** The address of a platform that is already running on this folder. */
  runningAt(): string | undefined {
    return recordedProcess(this.#pidFile) === undefined
      ? undefined
      : (this.state().url ?? 'an unknown address');
  }

  claim(): void {
    recordProcess(this.#pidFile, process.pid);
  }

  release(): void {
    rmSync(this.#pidFile, { force: true });
  }

  secrets(): Secrets {
    const file = join(this.path, 'secrets.json');
    const kept: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    // A folder of an earlier release lacks the secrets that were added since.
    const fresh = newSecrets();
    const secrets = Secrets.parse({ ...fresh, ...ofEarlierRelease(kept), ...kept });
    // nor does it have the key of a service that was added since
    const callerPrivateKeys = { ...fresh.callerPrivateKeys, ...secrets.callerPrivateKeys };
    const all = { ...secrets, callerPrivateKeys };
    if (!isDeepStrictEqual(all, kept)) writeAtomically(file, all);
    return all;
  }

  state(): State {
    const file = this.#stateFile;
    return State.parse(existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
  }

  saveState(change: Partial<State>): void {
    writeAtomically(this.#stateFile, { ...this.state(), ...change });
  }

  /** Variables for the tools of each service, as of the last start. */
  serviceVariables(): Readonly<Record<string, Variables>> {
    const file = join(this.path, 'services.json');
    return existsSync(file) ? ServiceVariables.parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  }

  saveServiceVariables(services: Readonly<Record<string, Variables>>): void {
    const kept = Object.entries(services).map(([service, variables]) => [
      service,
      Object.fromEntries(Object.entries(variables).filter(([name]) => toolVariables.has(name))),
    ]);
    writeAtomically(join(this.path, 'services.json'), Object.fromEntries(kept));
  }

  get #stateFile(): string {
    return join(this.path, 'platform.json');
  }

  get #pidFile(): string {
    return join(this.path, 'platform.pid');
  }
}
