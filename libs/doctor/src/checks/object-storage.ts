// The bucket for files, as one process reaches it: with an object that is written, read and deleted.
import { randomUUID } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Secret } from '@parlance/config';
import { causeInWords, codeOf } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { ask } from '../probe/http.js';

const page = 'docs/operations.md';

const findings = {
  OBJECT_STORAGE_UNREACHABLE: {
    severity: 'broken',
    says: 'The object storage cannot be reached.',
    advice:
      'Start it, or correct OBJECT_STORAGE_URL. Files of campaigns and of knowledge cannot be uploaded until then.',
    link: 'docs/runbooks/dependency-down.md',
  },
  OBJECT_STORAGE_REFUSES: {
    severity: 'broken',
    says: 'The object storage refuses the access key, or its rights to the bucket.',
    advice:
      'Compare OBJECT_STORAGE_ACCESS_KEY_ID and its secret with the storage. The key needs to write, read, list and delete objects.',
    link: page,
  },
  OBJECT_STORAGE_WITHOUT_BUCKET: {
    severity: 'broken',
    says: 'The bucket is not there.',
    advice: 'Make the bucket that OBJECT_STORAGE_BUCKET names, or correct the name.',
    link: page,
  },
  OBJECT_STORAGE_CANNOT_WRITE: {
    severity: 'broken',
    says: 'An object could not be written.',
    advice: 'Look at the disk of the storage and at the rights of the access key.',
  },
  OBJECT_STORAGE_CANNOT_READ: {
    severity: 'broken',
    says: 'An object that was just written could not be read back.',
    advice: 'Look at the log of the storage and at the rights of the access key.',
  },
  OBJECT_STORAGE_CANNOT_DELETE: {
    severity: 'broken',
    says: 'An object could not be deleted.',
    advice:
      'Let the access key delete objects: deleted documents and organizations would leave their files behind.',
  },
  OBJECT_STORAGE_WITHOUT_CORS: {
    severity: 'broken',
    says: 'The object storage does not let pages of the platform upload files.',
    advice:
      'Allow the origin of PUBLIC_URL the method PUT in the CORS rules of the bucket or of the proxy before it.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

type Storage = NonNullable<ReturnType<typeof import('@parlance/object-storage')['connectObjectStorage']>>;

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
const statusOf = (error: unknown): unknown =>
  field(field(error, '$metadata') ?? field(field(error, 'cause'), '$metadata'), 'httpStatusCode');

const codeFor = (error: unknown): Code => {
  const status = statusOf(error);
  if (status === 404) return 'OBJECT_STORAGE_WITHOUT_BUCKET';
  if (status === 401 || status === 403) return 'OBJECT_STORAGE_REFUSES';
  return 'OBJECT_STORAGE_UNREACHABLE';
};

const inWords = (error: unknown): string => {
  const status = statusOf(error);
  return typeof status === 'number' ? `It answered with the status ${status}.` : causeInWords(error);
};

const content = 'parlance doctor';
const contentType = 'text/plain';

/** Programs outside write by signed addresses, so the doctor does too. */
const lookAtRights = async (looking: Looking<Code>, storage: Storage, subject: string): Promise<void> => {
  const key = `doctor/${randomUUID()}`;
  const url = await storage.presignPut(key, {
    contentType,
    bytes: Buffer.byteLength(content),
    expiresInSeconds: 60,
  });
  const written = await ask(looking, url, {
    ...{ method: 'PUT', body: content, headers: { 'content-type': contentType } },
  });
  if (!written.ok) {
    const body = await written.text();
    const why = /<Code>(\w+)<\/Code>/.exec(body)?.[1];
    const seen = `The upload was answered with the status ${written.status}${why ? `, ${why}` : ''}.`;
    return looking.found('OBJECT_STORAGE_CANNOT_WRITE', { subject, seen });
  }
  try {
    const found = await storage.open(key);
    const read = found === undefined ? undefined : await text(found);
    if (read !== content)
      looking.found('OBJECT_STORAGE_CANNOT_READ', { subject, seen: 'Another content came back, or none.' });
  } catch (error) {
    looking.found('OBJECT_STORAGE_CANNOT_READ', { subject, seen: inWords(error) });
  }
  try {
    await storage.delete(key);
  } catch (error) {
    looking.found('OBJECT_STORAGE_CANNOT_DELETE', { subject, seen: inWords(error) });
  }
};

const lookAtCors = async (looking: Looking<Code>, place: string, bucket: string): Promise<void> => {
  const { PUBLIC_URL } = looking.variables;
  if (PUBLIC_URL === undefined) return;
  const { origin } = new URL(PUBLIC_URL);
  const answer = await ask(looking, `${place.replace(/\/$/, '')}/${bucket}/doctor/cors`, {
    ...{ method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } },
  }).catch(() => undefined);
  // A page of another check tells of an address that does not answer.
  if (answer === undefined) return;
  const allowed = answer.headers.get('access-control-allow-origin');
  const methods = answer.headers.get('access-control-allow-methods') ?? '';
  if (answer.ok && (allowed === '*' || allowed === origin) && /PUT|\*/.test(methods)) return;
  looking.found('OBJECT_STORAGE_WITHOUT_CORS', {
    subject: new URL(place).host,
    seen: `The preflight of ${origin} was answered with the status ${answer.status} and ${allowed === null ? 'no allowed origin' : `the origin ${allowed}`}.`,
  });
};

export const objectStorage = defineCheck<Code>({
  name: 'object-storage',
  about:
    'The bucket is there, an object can be written, read and deleted, and pages of the platform may upload.',
  needs: ['OBJECT_STORAGE_URL'],
  uses: [
    'OBJECT_STORAGE_PUBLIC_URL',
    'OBJECT_STORAGE_REGION',
    'OBJECT_STORAGE_BUCKET',
    'OBJECT_STORAGE_ACCESS_KEY_ID',
    'OBJECT_STORAGE_SECRET_ACCESS_KEY',
    'PUBLIC_URL',
  ],
  findings,
  load: () => import('@parlance/object-storage'),
  look: async (looking) => {
    const { connectObjectStorage } = await import('@parlance/object-storage');
    const { OBJECT_STORAGE_URL: url = '', ...variables } = looking.variables;
    const bucket = variables.OBJECT_STORAGE_BUCKET ?? 'parlance';
    const secret = variables.OBJECT_STORAGE_SECRET_ACCESS_KEY;
    const storage = connectObjectStorage({
      OBJECT_STORAGE_URL: url,
      // Signed for the storage as this process reaches it; the address for others has checks of its own.
      OBJECT_STORAGE_PUBLIC_URL: url,
      OBJECT_STORAGE_REGION: variables.OBJECT_STORAGE_REGION ?? 'us-east-1',
      OBJECT_STORAGE_BUCKET: bucket,
      OBJECT_STORAGE_ACCESS_KEY_ID: variables.OBJECT_STORAGE_ACCESS_KEY_ID,
      OBJECT_STORAGE_SECRET_ACCESS_KEY: secret === undefined ? undefined : new Secret(secret),
    });
    if (storage === undefined) return;
    const subject = `${new URL(url).host}/${bucket}`;
    try {
      // Any answer tells the time, also one that refuses.
      await ask(looking, url, { clockOf: 'the object storage' });
      await storage.ping();
      await lookAtRights(looking, storage, subject);
      await lookAtCors(looking, variables.OBJECT_STORAGE_PUBLIC_URL ?? url, bucket);
    } catch (error) {
      const code = codeOf(error) === undefined ? codeFor(error) : 'OBJECT_STORAGE_UNREACHABLE';
      looking.found(code, { subject, seen: inWords(error) });
    } finally {
      storage.close();
    }
  },
});
