// The folder that survives restarts: data of every engine, generated secrets, logs, and the processes that run on it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  ConfigError,
  callerEnv,
  credentialsOf,
  cryptoEnv,
  cursorEnv,
  type EnvSource,
  fingerprintsOf,
  livekitEnv,
  newRootSecret,
  platformKeys,
  RootSecret,
  readRootSecret,
  webhookEnv,
} from '@parlance/config';
import { serviceNames } from '@parlance/contracts';
import { checks } from '@parlance/doctor';
import { recordedProcess, recordProcess } from '@parlance/engines';
import { z } from 'zod';

/**
 * The file of a folder has its root secret alone, with mode 600, and everything else is derived. A folder of an earlier release
 * has values of its own, which stay.
 */
const Secrets = z.object({
  rootSecret: z.string(),
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

const platformCredentials = z.object({
  ...cryptoEnv,
  ...cursorEnv,
  ...webhookEnv,
  ...platformKeys,
  ...livekitEnv,
});

/** Every secret of a folder, from its root secret: those of the platform as each process would derive them itself. */
const derivedSecrets = (root: RootSecret): Secrets => {
  const credentials = z
    .record(z.string(), z.string())
    .parse(Object.fromEntries(credentialsOf(platformCredentials, root)));
  const platform = (name: string): string => credentials[name] ?? '';
  const simulated = (name: string, bytes: number): Buffer => root.derive(`npm-start/${name}`, bytes);
  const text = (name: string, bytes: number): string => simulated(name, bytes).toString('base64url');
  const callerKeys = serviceNames.map((process) => {
    const own = Object.fromEntries(credentialsOf(z.object(callerEnv).meta({ process }), root));
    return [process, own.CALLER_PRIVATE_KEY ?? ''];
  });
  return {
    rootSecret: root.reveal(),
    postgresPassword: text('postgres', 18),
    databasePassword: text('databases', 18),
    natsToken: text('nats', 18),
    callerPrivateKeys: Object.fromEntries(callerKeys),
    webhookSigningKey: platform('WEBHOOK_SIGNING_KEY'),
    internalKey: platform('INTERNAL_API_KEY'),
    authSecret: platform('AUTH_SECRET'),
    cursorKey: platform('CURSOR_KEY'),
    quoteKey: platform('QUOTE_KEY'),
    mcpConfirmationKey: platform('MCP_CONFIRMATION_KEY'),
    kekId: platform('KEK_ID'),
    kek: platform('KEK'),
    liveKitApiKey: platform('LIVEKIT_API_KEY'),
    liveKitApiSecret: platform('LIVEKIT_API_SECRET'),
    s3AccessKeyId: text('s3-access-key', 12),
    s3SecretAccessKey: text('s3-secret', 32),
    twilioAccountSid: `AC${simulated('twilio-account', 16).toString('hex')}`,
    twilioAuthToken: text('twilio-token', 24),
    telnyxApiKey: `KEY${text('telnyx', 24)}`,
    faultControlToken: text('fault-control', 24),
    practiceToken: text('practice', 24),
  };
};

/** Version 0.1 signed webhooks with this key, and receivers keep their secrets. */
const ofEarlierRelease = (kept: object): Partial<Secrets> =>
  'callerSigningKey' in kept ? { webhookSigningKey: String(kept.callerSigningKey) } : {};

/** The file with which `npm run tour` and `npm run bench` find and enter the running platform. Mode 600. */
const State = z.object({
  url: z.string().optional(),
  ports: z.record(z.string(), z.number()).default({}),
  /** The calls of the last start were real ones, between LiveKit's own programs and telephones on the wire. */
  isRealMedia: z.boolean().default(false),
  /** A scripted agent holds the calls of real media. */
  isScripted: z.boolean().default(false),
  /** False where browsers alone can talk (npm start -- --browser-voice). */
  hasTelephones: z.boolean().default(true),
  /** A system of a customer that tools may ask, and its credential. */
  practice: z.object({ url: z.string(), token: z.string() }).optional(),
  /**
   * The engine that holds the documents of this folder. It stays even when another one is installed later, because that
   * one would be empty.
   */
  mongo: z.enum(['mongod', 'stand-in']).optional(),
  /** Of the root secret that the folder was begun with. */
  rootFingerprint: z.string().optional(),
  demo: z
    .object({ email: z.string(), password: z.string(), apiKey: z.string(), organizationId: z.string() })
    .optional(),
  /** The widget of the first organization that /widget-demo shows. */
  demoWidgetId: z.string().optional(),
});
export type State = z.infer<typeof State>;

/** The variables of a service that its tools need; the rest of the environment stays off the disk. */
const toolVariables = new Set([
  ...['POSTGRES_URL', 'EVENTSTORE_URL', 'MONGODB_URL', 'MONGODB_DATABASE', 'KEK_ID', 'KEK', 'KEK_OTHERS'],
  ...['KMS_URL', 'KMS_TOKEN', 'ERASURE_LOG_DIR'],
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
      : (this.state().url ?? 'the address that it prints once it has started');
  }

  claim(): void {
    recordProcess(this.#pidFile, process.pid);
  }

  release(): void {
    rmSync(this.#pidFile, { force: true });
  }

  /**
   * @param source may set the root secret
   * @throws Error for a root secret that is damaged, or not the one that the folder was begun with
   */
  secrets(source: EnvSource = {}): Secrets {
    const file = join(this.path, 'secrets.json');
    const kept: object = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
    const root = this.#rootSecret(kept, source);
    if (!('rootSecret' in kept)) writeAtomically(file, { ...kept, rootSecret: root.reveal() });
    const derived = derivedSecrets(root);
    const secrets = Secrets.parse({ ...derived, ...ofEarlierRelease(kept), ...kept });
    // An earlier release kept one key for each service that it had.
    return { ...secrets, callerPrivateKeys: { ...derived.callerPrivateKeys, ...secrets.callerPrivateKeys } };
  }

  #rootSecret(kept: object, source: EnvSource): RootSecret {
    const given = readRootSecret(source);
    if (given !== undefined && !(given instanceof RootSecret)) throw new ConfigError([given]);
    const text = 'rootSecret' in kept ? String(kept.rootSecret) : newRootSecret();
    const root = given ?? readRootSecret({ ROOT_SECRET: text });
    const fingerprint =
      root instanceof RootSecret
        ? fingerprintsOf({ ROOT_SECRET: root.reveal() })[0]?.fingerprint
        : 'of no root secret';
    const first = this.state().rootFingerprint ?? fingerprint;
    if (!(root instanceof RootSecret) || fingerprint !== first)
      throw new Error(
        `The root secret is not the one that ${this.path} was begun with: restore rootSecret in its secrets.json from your ` +
          'backup and unset ROOT_SECRET, or start on another folder with --data-dir.',
      );
    if (this.state().rootFingerprint === undefined) this.saveState({ rootFingerprint: fingerprint });
    return root;
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
