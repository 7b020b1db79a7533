// MongoDB, as the process that keeps documents in it reaches it.
import { Secret } from '@parlance/config';
import type { Mongo } from '@parlance/postgres/mongo';
import { causeInWords, chainOf } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { refused } from '../probe/refusal.js';
import { seenTooOld, tooOld } from '../probe/supported.js';

const runbook = 'docs/runbooks/dependency-down.md';

const findings = {
  MONGODB_UNREACHABLE: {
    severity: 'broken',
    says: 'MongoDB cannot be reached.',
    advice: 'Start MongoDB, or correct MONGODB_URL. Look at firewalls between this process and MongoDB.',
    link: runbook,
  },
  MONGODB_REFUSES: {
    severity: 'broken',
    says: 'MongoDB refuses the user, its password, or its rights.',
    advice:
      'Compare the user and the password in MONGODB_URL with MongoDB. The user needs readWrite on its database; with clusterMonitor the doctor sees the replica set.',
    link: 'docs/operations.md',
  },
  MONGODB_TOO_OLD: tooOld('MongoDB'),
  MONGODB_WITHOUT_PRIMARY: {
    severity: 'broken',
    says: 'The replica set of MongoDB has no primary.',
    advice: 'Start its members until a majority runs, or initiate the replica set.',
    link: runbook,
  },
  MONGODB_MEMBER_LOST: {
    severity: 'broken',
    says: 'A member of the replica set is lost.',
    advice: 'Start the member again. With one more loss the replica set takes no writes.',
    link: runbook,
  },
  MONGODB_OPLOG_SHORT: {
    severity: 'soon',
    says: 'The oplog of MongoDB covers little time.',
    advice: 'Enlarge the oplog. A member that is away for longer has to copy everything.',
  },
  MONGODB_DISK_NEARLY_FULL: {
    severity: 'soon',
    says: 'The disk of MongoDB is nearly full.',
    advice: 'Enlarge the disk. MongoDB ends when it cannot write.',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const nearlyFull = 0.9;
const shortOplogHours = 24;
const msPerHour = 3_600_000;
/** Authentication failed, unauthorized. */
const refusals = new Set([13, 18]);
const healthy = new Set(['PRIMARY', 'SECONDARY', 'ARBITER']);

type Document = Readonly<Record<string, unknown>>;

const documentOf = (value: unknown): Document =>
  typeof value === 'object' && value !== null ? { ...value } : {};
const numericCode = (error: unknown): number | undefined => {
  const direct = documentOf(error).code ?? documentOf(documentOf(error).cause).code;
  return typeof direct === 'number' ? direct : undefined;
};

interface Question {
  readonly command: Document;
  /** The database of the services unless given. */
  readonly database?: string;
  /** The part of MongoDB that the answer is about. */
  readonly part: string;
}

/** Undefined, with a note, where the user may not ask or the server does not know the command. */
const ask = async (
  looking: Looking<Code>,
  mongo: Mongo,
  { command, database, part }: Question,
): Promise<Document | undefined> => {
  const { mongoGuard } = await import('@parlance/postgres/mongo');
  return mongoGuard(() => mongo.db.client.db(database ?? mongo.db.databaseName).command({ ...command })).then(
    documentOf,
    refused(looking, part),
  );
};

const lookAtReplicaSet = async (looking: Looking<Code>, mongo: Mongo, hello: Document): Promise<void> => {
  const { setName, primary } = hello;
  if (typeof setName !== 'string') return looking.note('MongoDB is a single server without a replica set.');
  if (primary === undefined && hello.isWritablePrimary !== true)
    looking.found('MONGODB_WITHOUT_PRIMARY', { subject: setName, seen: 'A member knows no primary.' });
  const part = 'the members of the replica set';
  const status = await ask(looking, mongo, { command: { replSetGetStatus: 1 }, database: 'admin', part });
  const members = Array.isArray(status?.members) ? status.members.map(documentOf) : [];
  for (const { name, stateStr } of members)
    if (!healthy.has(String(stateStr)))
      looking.found('MONGODB_MEMBER_LOST', {
        subject: String(name),
        seen: `The others call it ${String(stateStr)}.`,
      });
  await lookAtOplog(looking, mongo, setName);
};

const lookAtOplog = async (looking: Looking<Code>, mongo: Mongo, subject: string): Promise<void> => {
  const oplog = mongo.db.client.db('local').collection('oplog.rs');
  const edge = (order: 1 | -1) =>
    oplog
      .find({}, { projection: { wall: 1 } })
      .sort({ $natural: order })
      .limit(1)
      .next();
  const [first, last, stats] =
    (await Promise.all([
      edge(1),
      edge(-1),
      mongo.db.client.db('local').command({ collStats: 'oplog.rs' }),
    ]).catch(refused(looking, 'the oplog'))) ?? [];
  if (!(first?.wall instanceof Date) || !(last?.wall instanceof Date) || stats === undefined) return;
  const hours = (last.wall.getTime() - first.wall.getTime()) / msPerHour;
  // An oplog that is not full yet covers as much time as the replica set is old.
  const isFull = Number(stats.size) > Number(stats.maxSize) * nearlyFull;
  if (isFull && hours < shortOplogHours)
    looking.found('MONGODB_OPLOG_SHORT', { subject, seen: `It covers ${hours.toFixed(1)} hours.` });
};

const lookAtDisk = async (looking: Looking<Code>, mongo: Mongo, subject: string): Promise<void> => {
  const { fsUsedSize: used, fsTotalSize: total } =
    (await ask(looking, mongo, { command: { dbStats: 1 }, part: 'the disk' })) ?? {};
  if (typeof used !== 'number' || typeof total !== 'number' || total === 0) return;
  if (used > total * nearlyFull)
    looking.found('MONGODB_DISK_NEARLY_FULL', {
      subject,
      seen: `${Math.round((used / total) * 100)} % are in use.`,
    });
};

const lookAtAll = async (looking: Looking<Code>, mongo: Mongo, subject: string): Promise<void> => {
  const version = await mongo.serverVersion();
  const old = seenTooOld('MongoDB', version);
  if (old !== undefined) looking.found('MONGODB_TOO_OLD', { subject, seen: old });
  looking.note(`MongoDB is ${version ?? 'of a version that it does not tell'}.`);
  const askedAt = looking.machine.now();
  const hello = (await ask(looking, mongo, { command: { hello: 1 }, part: 'the replica set' })) ?? {};
  if (hello.localTime instanceof Date) looking.clock('MongoDB', hello.localTime, askedAt);
  await lookAtReplicaSet(looking, mongo, hello);
  await lookAtDisk(looking, mongo, subject);
};

/** The driver's sentence says that the time is over; its knowledge of the servers stands beside it. */
const knowsNoPrimary = (error: unknown): boolean =>
  chainOf(error).some((one) => documentOf(Reflect.get(one, 'reason')).type === 'ReplicaSetNoPrimary');

const unreachable = (error: unknown): Code => {
  const code = numericCode(error);
  if (code !== undefined && refusals.has(code)) return 'MONGODB_REFUSES';
  return knowsNoPrimary(error) ? 'MONGODB_WITHOUT_PRIMARY' : 'MONGODB_UNREACHABLE';
};

export const mongodb = defineCheck<Code>({
  name: 'mongodb',
  about: 'MongoDB answers, its replica set is complete and has a primary, and its disk has room.',
  needs: ['MONGODB_URL'],
  uses: ['MONGODB_DATABASE'],
  findings,
  load: () => import('@parlance/postgres/mongo'),
  look: async (looking) => {
    const { connectMongo } = await import('@parlance/postgres/mongo');
    const { MONGODB_URL = '', MONGODB_DATABASE = 'parlance' } = looking.variables;
    const subject = /@?([^@/]+)(\/|$)/.exec(MONGODB_URL.replace(/^[\w+]+:\/\//, ''))?.[1] ?? 'MONGODB_URL';
    const mongo = connectMongo({
      ...{ url: new Secret(MONGODB_URL), appName: 'doctor', database: MONGODB_DATABASE, maxPoolSize: 2 },
    });
    try {
      await mongo.ping().then(
        () => lookAtAll(looking, mongo, subject),
        (error: unknown) => looking.found(unreachable(error), { subject, seen: causeInWords(error) }),
      );
    } finally {
      await mongo.close();
    }
  },
});
