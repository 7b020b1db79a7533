// Every engine in one process, with switches that make it fail, and the doctor that looks at it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '@parlance/config';
import { createEventStoreFaults, startEventStore } from '@parlance/fake-eventstore';
import { createLiveKitFaults, startLiveKit } from '@parlance/fake-livekit';
import { startMailroom } from '@parlance/fake-mail';
import { createMongoFaults, startMongo } from '@parlance/fake-mongodb';
import { createS3Faults, startS3 } from '@parlance/fake-s3';
import { createTelnyxFaults, startTelnyx } from '@parlance/fake-telnyx';
import { createTwilioFaults, startTwilio } from '@parlance/fake-twilio';
import { testEngines } from '@parlance/fixtures';
import { createDatabase, type Database, ensureEventStream, migrate } from '@parlance/postgres';
import { connectNats } from '@parlance/rpc';
import { checks } from '../checks/index.js';
import { diagnose } from '../diagnosis/diagnose.js';
import type { Machine } from '../probe/check.js';
import { thisMachine } from '../probe/machine.js';

const liveKitSecret = 'abcdefghijklmnopqrstuvwxyz012345';
const root = new URL('../../../../', import.meta.url);
const migrations = new URL('services/calls-logs/migrations/', root);

const startStandIns = async (directory: string) => {
  const at = (name: string) => ({ dataDir: join(directory, name) });
  const faults = {
    eventStore: createEventStoreFaults(),
    mongo: createMongoFaults(),
    s3: createS3Faults(),
    liveKit: createLiveKitFaults(),
    twilio: createTwilioFaults(),
    telnyx: createTelnyxFaults(),
  };
  const [eventStore, mongo, s3, liveKit, twilio, telnyx, mail] = await Promise.all([
    startEventStore({ ...at('eventstore'), fsync: false, faults: faults.eventStore }),
    startMongo({ ...at('mongodb'), faults: faults.mongo }),
    startS3({
      ...{ ...at('s3'), faults: faults.s3, buckets: ['parlance'], corsOrigins: ['https://console.test'] },
      ...{ accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-access-key' },
    }),
    startLiveKit({
      ...{ ...at('livekit'), faults: faults.liveKit, apiKey: 'test-key', apiSecret: liveKitSecret },
      ...{ webhookUrl: 'http://127.0.0.1:1', platformUrl: 'http://127.0.0.1:1' },
      ...{ internalKey: 'none', agentName: 'none' },
    }),
    startTwilio({
      ...{ ...at('twilio'), faults: faults.twilio },
      credentials: { accountSid: `AC${'1'.repeat(32)}`, authToken: 'test-twilio-token' },
    }),
    startTelnyx({ ...at('telnyx'), faults: faults.telnyx, credentials: { apiKey: 'test-telnyx-key' } }),
    startMailroom(at('mail')),
  ]);
  const variables = {
    EVENTSTORE_URL: eventStore.connectionString,
    MONGODB_URL: mongo.url,
    OBJECT_STORAGE_URL: s3.url,
    OBJECT_STORAGE_ACCESS_KEY_ID: 'test-access-key',
    OBJECT_STORAGE_SECRET_ACCESS_KEY: 'test-secret-access-key',
    LIVEKIT_URL: liveKit.url,
    LIVEKIT_API_KEY: 'test-key',
    LIVEKIT_API_SECRET: liveKitSecret,
    TWILIO_API_URL: twilio.url,
    TWILIO_ACCOUNT_SID: `AC${'1'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: 'test-twilio-token',
    TELNYX_API_URL: telnyx.url,
    TELNYX_API_KEY: 'test-telnyx-key',
    SMTP_URL: mail.url,
    MAIL_FROM: 'Parlance <no-reply@parlance.test>',
  };
  const running = [eventStore, mongo, s3, liveKit, twilio, telnyx, mail];
  return { faults, variables, stop: async () => void (await Promise.all(running.map((one) => one.stop()))) };
};

export type Variables = Readonly<Record<string, string>>;

export interface LookOptions {
  /** Instead of, or besides, the variables of the world. */
  readonly variables?: Variables;
  readonly machine?: Partial<Machine>;
}

export class DoctorWorld {
  private constructor(
    readonly variables: Variables,
    readonly faults: Awaited<ReturnType<typeof startStandIns>>['faults'],
    /** The connection as the role of the service. */
    readonly db: Database,
    /** The connection as an administrator of the same database. */
    readonly admin: Database,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(): Promise<DoctorWorld> {
    const directory = mkdtempSync(join(tmpdir(), 'parlance-doctor-'));
    const [engines, standIns] = await Promise.all([
      testEngines({ postgres: true, nats: true }),
      startStandIns(directory),
    ]);
    const { url, adminUrl } = await engines.databaseFor('calls-logs');
    const db = createDatabase({ url, applicationName: 'test', max: 2 });
    const admin = createDatabase({ url: adminUrl, applicationName: 'test', max: 1 });
    await migrate(db, { directory: migrations, framework: true });
    const nats = await connectNats({ url: engines.natsUrl, name: 'test' });
    await ensureEventStream(nats);
    await nats.close();
    const variables = {
      ...standIns.variables,
      POSTGRES_URL: url.reveal(),
      NATS_URL: engines.natsUrl,
      KEK_ID: 'kek-test',
      KEK: Buffer.from('0123456789abcdef0123456789abcdef').toString('base64'),
    };
    return new DoctorWorld(variables, standIns.faults, db, admin, async () => {
      await Promise.all([db.end(), admin.end(), standIns.stop()]);
      await engines.stop();
      rmSync(directory, { recursive: true, force: true });
    });
  }

  /** The report of the doctor. @param only names of checks; all of them unless given */
  look(only?: readonly string[], { variables, machine }: LookOptions = {}) {
    return diagnose({
      places: [{ process: 'calls-logs', variables: { ...this.variables, ...variables }, migrations }],
      checks: checks.filter(({ name }) => only === undefined || only.includes(name)),
      machine: { ...thisMachine, ...machine },
    });
  }

  /** A role that nothing was prepared for. */
  withoutSchema(role: string, password: string): Secret {
    const url = new URL(this.variables.POSTGRES_URL ?? '');
    url.username = role;
    url.password = password;
    return new Secret(url.href);
  }
}
