// The addresses that people, browsers and providers use. They are looked at from here, which is not everywhere.
import { addressesOf, isLoopback, isOwnNetwork } from '../probe/addresses.js';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind, type Looking } from '../probe/check.js';
import { ask } from '../probe/http.js';

const page = 'docs/operations.md';

const findings = {
  PUBLIC_URL_UNKNOWN: {
    severity: 'broken',
    says: 'A public address has a name that no name server knows.',
    advice: 'Make the DNS record, or correct the variable.',
    link: page,
  },
  PUBLIC_URL_UNREACHABLE: {
    severity: 'broken',
    says: 'A public address does not answer.',
    advice:
      'Start the proxy in front, and let it lead to the platform. A firewall may keep this machine alone from it.',
    link: page,
  },
  PUBLIC_URL_LEADS_ELSEWHERE: {
    severity: 'broken',
    says: 'A public address leads to something else.',
    advice: 'Correct the variable, or the place that the proxy leads to.',
    link: page,
  },
  PUBLIC_URL_IN_PLAIN_TEXT: {
    severity: 'broken',
    says: 'A public address is without TLS.',
    advice:
      'Put a proxy with TLS in front, and write https or wss into the variable. Browsers give no microphone otherwise.',
    link: page,
  },
  PUBLIC_URL_PRIVATE: {
    severity: 'broken',
    says: 'An address that browsers use is private, and the platform is public.',
    advice: 'Put an address into the variable that the internet leads to.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

/** The name of the program that answers there, by the answer; undefined for an answer of the right program. */
type Recognize = (looking: Looking<Code>, url: URL) => Promise<string | undefined>;

const isPlatform: Recognize = async (looking, url) => {
  const answer = await ask(looking, new URL('/api/v1/health', url));
  const told = `GET /api/v1/health answered with the status ${answer.status}`;
  if (!answer.ok) return `${told}.`;
  const body: unknown = await answer.json().catch(() => undefined);
  const isOurs = typeof body === 'object' && body !== null && Reflect.get(body, 'success') === true;
  return isOurs ? undefined : `${told}, and not as the platform answers.`;
};

const isLiveKit: Recognize = async (looking, url) => {
  const http = new URL(url);
  http.protocol = url.protocol === 'wss:' ? 'https:' : 'http:';
  // The server API refuses a request without a token, and knows no other words for it.
  const answer = await ask(looking, new URL('/twirp/livekit.RoomService/ListRooms', http), {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  });
  return answer.status === 401
    ? undefined
    : `A request without a token was answered with the status ${answer.status}.`;
};

const isStorage: Recognize = async (looking, url) => {
  const answer = await ask(looking, new URL('/', url));
  const type = answer.headers.get('content-type') ?? '';
  const isOurs = answer.headers.has('x-amz-request-id') || type.includes('xml');
  return isOurs ? undefined : `It answered with the status ${answer.status}, and not as S3 does.`;
};

const recognizers = {
  PUBLIC_URL: isPlatform,
  WIDGET_BASE_URL: isPlatform,
  LIVEKIT_WS_URL: isLiveKit,
  OBJECT_STORAGE_PUBLIC_URL: isStorage,
} as const;
const variablesWithAddress = Object.keys(recognizers);

const lookAt = async (looking: Looking<Code>, name: string, recognize: Recognize): Promise<void> => {
  const { variables, found, note, place } = looking;
  const value = variables[name];
  const url = value === undefined ? null : URL.parse(value);
  if (url === null) return;
  // From inside a container, loopback is not the place that the users of the address mean.
  if (isLoopback(url.hostname) && place.dataDir === undefined)
    return note(`${name} is on loopback, which is not looked at from here.`);
  const subject = `${name} ${url.origin === 'null' ? `${url.protocol}//${url.host}` : url.origin}`;
  try {
    await addressesOf(url.hostname);
  } catch (error) {
    return found('PUBLIC_URL_UNKNOWN', { subject, seen: causeInWords(error) });
  }
  if (/^(http|ws):$/.test(url.protocol) && !isLoopback(url.hostname) && !(await isOwnNetwork(url.hostname)))
    found('PUBLIC_URL_IN_PLAIN_TEXT', { subject, seen: `It begins with ${url.protocol}//.` });
  try {
    const seen = await recognize(looking, url);
    if (seen !== undefined) found('PUBLIC_URL_LEADS_ELSEWHERE', { subject, seen });
    else note(`${subject} leads to the right place.`);
  } catch (error) {
    found('PUBLIC_URL_UNREACHABLE', { subject, seen: causeInWords(error) });
  }
};

/** Browsers of strangers cannot follow an address inside the own network. */
const lookAtPrivate = async ({ variables, found }: Looking<Code>): Promise<void> => {
  const { PUBLIC_URL } = variables;
  if (PUBLIC_URL === undefined || (await isOwnNetwork(new URL(PUBLIC_URL).hostname))) return;
  for (const name of variablesWithAddress) {
    const value = variables[name];
    if (value === undefined || name === 'PUBLIC_URL') continue;
    const { hostname } = new URL(value);
    if (await isOwnNetwork(hostname))
      found('PUBLIC_URL_PRIVATE', {
        subject: `${name} ${hostname}`,
        seen: `PUBLIC_URL ${new URL(PUBLIC_URL).hostname} is public.`,
      });
  }
};

export const publicUrls = defineCheck<Code>({
  name: 'public-urls',
  about: 'Public addresses have a name that is known, answer, lead to the platform, and use TLS.',
  needs: [],
  uses: variablesWithAddress,
  findings,
  look: async (looking) => {
    await Promise.all([
      ...Object.entries(recognizers).map(([name, recognize]) => lookAt(looking, name, recognize)),
      lookAtPrivate(looking),
    ]);
  },
});
