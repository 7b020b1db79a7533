// The certificates of everything that is reached over TLS.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect } from 'node:tls';
import { Secret } from '@parlance/config';
import { codeOf } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';

const findings = {
  CERTIFICATE_EXPIRED: {
    severity: 'broken',
    says: 'A certificate has expired.',
    advice: 'Renew the certificate, and let its server load the new one.',
  },
  CERTIFICATE_REFUSED: {
    severity: 'broken',
    says: 'A certificate is not trusted, or is for another name.',
    advice:
      'Give the server a certificate for this name from an authority that clients trust. NODE_EXTRA_CA_CERTS names an authority of your own.',
  },
  CERTIFICATE_EXPIRES: {
    severity: 'soon',
    says: 'A certificate expires soon.',
    advice: 'Renew the certificate. If it is renewed by a program, look why the program has not done so.',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

/** Programs that renew certificates do so a month before their end. */
const soonDays = 21;
const msPerDay = 86_400_000;
const limitMs = 4_000;

/** Variables with addresses, and the port that is meant where none is written. */
const portsBySchema: Readonly<Record<string, number>> = {
  'https:': 443,
  'wss:': 443,
  'smtps:': 465,
};
const urlVariables = [
  'PUBLIC_URL',
  'WIDGET_BASE_URL',
  'LIVEKIT_URL',
  'LIVEKIT_WS_URL',
  'OBJECT_STORAGE_URL',
  'OBJECT_STORAGE_PUBLIC_URL',
  'MCP_OAUTH_ISSUER',
  'SMTP_URL',
] as const;
const natsPort = 4222;

interface Server {
  readonly variable: string;
  readonly host: string;
  readonly port: number;
  readonly caFile?: string | undefined;
  /** The server speaks first, in clear, and encryption begins after that. */
  readonly speaksFirst?: boolean;
}

/** The file of the authority may stand at any address of the list, and makes the connection to each encrypted. */
const natsServers = (value: string | undefined): readonly Server[] => {
  const urls = (value ?? '').split(',').flatMap((part) => URL.parse(part.trim()) ?? []);
  const caFile = urls.map(({ searchParams }) => searchParams.get('tlsCAFile')).find((file) => file !== null);
  if (caFile == null && !urls.some(({ protocol }) => protocol === 'tls:')) return [];
  return urls.map(({ hostname, port }) => ({
    ...{ variable: 'NATS_URL', host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || natsPort },
    ...{ caFile: caFile ?? undefined, speaksFirst: true },
  }));
};

const serversOf = (variable: string, value: string): readonly Server[] =>
  value.split(',').flatMap((part) => {
    const url = URL.parse(part.trim());
    if (url === null) return [];
    const { protocol, hostname, port } = url;
    const usual = portsBySchema[protocol];
    const host = hostname.replace(/^\[|\]$/g, '');
    return usual === undefined ? [] : [{ variable, host, port: Number(port) || usual }];
  });

const storeServers = async (url: string | undefined): Promise<readonly Server[]> => {
  if (url === undefined) return [];
  const { storeAddress } = await import('@parlance/event-sourcing');
  const { hosts, tls } = storeAddress(new Secret(url));
  if (tls === undefined) return [];
  return hosts.map((host) => ({ variable: 'EVENTSTORE_URL', ...host, caFile: tls.caFile }));
};

interface Shown {
  readonly expiresAt: Date;
  /** Code of OpenSSL for why it is refused. */
  readonly refusal: string | undefined;
}

const afterGreeting = async (host: string, port: number): Promise<Socket> => {
  const socket = connectPlain({ host, port });
  socket.setTimeout(limitMs, () => socket.destroy(new Error('no answer in time')));
  await once(socket, 'readable');
  socket.read();
  return socket;
};

/** @throws the error of the socket where nothing speaks TLS there */
const certificateOf = async ({ host, port, caFile, speaksFirst }: Server): Promise<Shown> => {
  const ca = caFile === undefined ? {} : { ca: await readFile(caFile) };
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const where = speaksFirst === true ? { host, socket: await afterGreeting(host, port) } : { host, port };
  const socket = connect({ ...where, ...servername, ...ca, rejectUnauthorized: false });
  socket.setTimeout(limitMs, () => socket.destroy(new Error('no answer in time')));
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    const error: unknown = socket.authorizationError;
    const refusal = error ? (codeOf(error) ?? String(error)) : undefined;
    return { expiresAt: new Date(socket.getPeerCertificate().valid_to), refusal };
  } finally {
    socket.destroy();
  }
};

const judge = (
  looking: Looking<Code>,
  { variable, host, port }: Server,
  { expiresAt, refusal }: Shown,
): void => {
  const { found, machine, note } = looking;
  const subject = `${host}:${port} (${variable})`;
  const day = expiresAt.toISOString().slice(0, 10);
  if (expiresAt.getTime() <= machine.now())
    found('CERTIFICATE_EXPIRED', { subject, seen: `It was good until ${day}.` });
  else if (refusal !== undefined)
    found('CERTIFICATE_REFUSED', { subject, seen: `TLS refuses it: ${refusal}.` });
  else if (expiresAt.getTime() - machine.now() < soonDays * msPerDay)
    found('CERTIFICATE_EXPIRES', { subject, seen: `It is good until ${day}.` });
  else note(`The certificate of ${subject} is good until ${day}.`);
};

export const certificates = defineCheck<Code>({
  name: 'certificates',
  about: `The certificates of all addresses with TLS are trusted, fit their names, and are good for ${soonDays} more days.`,
  needs: [],
  uses: [...urlVariables, 'NATS_URL', 'EVENTSTORE_URL'],
  findings,
  look: async (looking) => {
    const { variables } = looking;
    const named = urlVariables.flatMap((variable) => serversOf(variable, variables[variable] ?? ''));
    const ofStore = await storeServers(variables.EVENTSTORE_URL);
    const all = [...named, ...natsServers(variables.NATS_URL), ...ofStore];
    const each = new Map(all.map((server) => [`${server.host}:${server.port}`, server]));
    await Promise.all(
      [...each.values()].map(async (server) => {
        // An address that does not answer is told of by the check of its engine.
        const shown = await certificateOf(server).catch(() => undefined);
        if (shown !== undefined) judge(looking, server, shown);
      }),
    );
  },
});
