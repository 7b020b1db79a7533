// The doctor's check of trunks and routes, which needs this service's tables: `npm run doctor` finds it here.
import { Secret } from '@parlance/config';
import { defineCheck, type FindingKind, type Looking } from '@parlance/doctor';
import {
  createMediaRooms,
  createOutboundTrunks,
  type OutboundTrunk,
  type RoutedNumber,
} from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import { createDatabase, type Database } from '@parlance/postgres';
import { echoCall } from './doctor-echo-call.js';
import {
  inboundAddresses,
  inboundRulesOf,
  isOpenToAnybody,
  providersAddresses,
} from './inbound-addresses.js';
import { type TrunkRow, trunkRows } from './trunks/trunk-rows.js';

const page = 'docs/operations.md';

const findings = {
  TRUNK_MISSING: {
    severity: 'broken',
    says: 'The account at a provider has no trunk at LiveKit, so no call leaves through it.',
    advice: 'Start telephony-numbers, which makes the trunk. Its log says why where it cannot.',
    link: page,
  },
  TRUNK_OF_ANOTHER_PROVIDER: {
    severity: 'broken',
    says: 'Calls leave through a trunk that leads to another provider.',
    advice: 'Delete the trunk at LiveKit. Telephony-numbers makes the right one within seconds.',
    link: page,
  },
  TRUNK_CHANGED: {
    severity: 'broken',
    says: 'A trunk at LiveKit was changed.',
    advice:
      'Leave the trunk to telephony-numbers, which mends it. Find the person or the program that changes it.',
    link: page,
  },
  TRUNK_IN_TROUBLE: {
    severity: 'broken',
    says: 'The trunk of an account cannot be made or checked.',
    advice: 'Read the log of telephony-numbers: it names the remedy.',
    link: page,
  },
  NUMBER_WITHOUT_ROUTE: {
    severity: 'broken',
    says: 'An active number has no route at LiveKit, so nobody can call it.',
    advice: 'Give the Redis of LiveKit a disk. Telephony-numbers makes routes again within a minute.',
    link: page,
  },
  TRUNK_OPEN: {
    severity: 'broken',
    says: 'A trunk at LiveKit accepts calls from anybody who reaches the SIP port.',
    advice:
      'Leave the trunks of numbers to telephony-numbers, which restricts them within a minute. Give trunks of your own allowed addresses or credentials (lk sip inbound update).',
    link: page,
  },
  TRUNK_OF_OTHER_ADDRESSES: {
    severity: 'soon',
    says: 'A number accepts calls from other addresses, or with other credentials, than SIP_INBOUND_ADDRESSES, SIP_INBOUND_USERNAME and SIP_INBOUND_PASSWORD name.',
    advice: 'Start telephony-numbers, which brings its trunks up to date within a minute.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const accountVariables = { TWILIO: 'TWILIO_ACCOUNT_SID', TELNYX: 'TELNYX_API_KEY' } as const;
type Provider = keyof typeof accountVariables;

const judgeTrunk = (
  { found }: Looking<Code>,
  row: TrunkRow | undefined,
  provider: Provider,
  all: readonly OutboundTrunk[],
): void => {
  const trunk = all.find(({ trunkId }) => trunkId === row?.trunk_id);
  const subject = `the account at ${provider}`;
  if (row?.trouble) found('TRUNK_IN_TROUBLE', { subject, seen: `${row.trouble}.` });
  if (row === undefined || trunk === undefined)
    return void found('TRUNK_MISSING', {
      subject,
      seen: row?.trunk_id ? `LiveKit does not know ${row.trunk_id}.` : 'None is on record.',
    });
  const at = `${subject}, ${trunk.trunkId}`;
  if (trunk.provider !== provider || trunk.address !== row.address)
    found('TRUNK_OF_ANOTHER_PROVIDER', {
      subject: at,
      seen: `It leads to ${trunk.address} for ${trunk.provider}, and ${row.address} is on record.`,
    });
  else if (!trunk.isIntact || trunk.credential !== row.credential)
    found('TRUNK_CHANGED', {
      subject: at,
      seen: 'Its numbers or its credentials are others than those on record.',
    });
};

/** Trunks of the operator's own are judged too: through each of them somebody reaches the agents. */
const judgeCallers = (
  { found, variables }: Looking<Code>,
  routed: ReadonlyMap<string, RoutedNumber>,
): void => {
  const isOpen = ({ allowedAddresses, hasCredentials }: RoutedNumber): boolean =>
    !hasCredentials && isOpenToAnybody(allowedAddresses);
  const seen = ({ allowedAddresses, hasCredentials }: RoutedNumber): string =>
    `It ${allowedAddresses.length === 0 ? 'lists no addresses' : `allows ${allowedAddresses.join(', ')}`}, ${hasCredentials ? 'with' : 'without'} credentials.`;
  const numbers = [...routed];
  const [open] = numbers.filter(([, number]) => isOpen(number));
  if (open !== undefined && variables.SIP_INBOUND_ADDRESSES_ANYBODY !== 'yes')
    found('TRUNK_OPEN', { subject: open[0], seen: seen(open[1]) });
  const { SIP_INBOUND_PASSWORD: password, SIP_INBOUND_USERNAME } = variables;
  const addresses = variables.SIP_INBOUND_ADDRESSES || providersAddresses.join();
  // The check of the configuration names a setting without any address.
  if (inboundAddresses(addresses).ranges.length === 0) return;
  const rules = inboundRulesOf({
    SIP_INBOUND_ADDRESSES: addresses,
    SIP_INBOUND_USERNAME,
    SIP_INBOUND_PASSWORD: password === undefined ? undefined : new Secret(password),
  });
  const [other] = numbers.filter(([, number]) => !isOpen(number) && !number.accepts(rules));
  if (other !== undefined) found('TRUNK_OF_OTHER_ADDRESSES', { subject: other[0], seen: seen(other[1]) });
};

const lookAtNumbers = async (
  looking: Looking<Code>,
  db: Database,
  routed: ReadonlyMap<string, RoutedNumber>,
): Promise<void> => {
  const { found, note } = looking;
  const { rows } = await db.query<{ phone_number: string }>(
    "select phone_number from numbers where status = 'active' and closed_until is null order by phone_number",
  );
  judgeCallers(looking, routed);
  const missing = rows.filter(({ phone_number: number }) => !routed.has(number));
  const [first] = missing;
  if (first !== undefined)
    found('NUMBER_WITHOUT_ROUTE', {
      subject: first.phone_number,
      seen: `${missing.length} of ${rows.length} active numbers have no trunk and dispatch rule.`,
    });
  else note(`${rows.length} active numbers have a route.`);
};

const trunks = defineCheck<Code>({
  name: 'trunks',
  about:
    'Each account has its trunk at LiveKit, unchanged and to the right provider; each number has a route, for its carrier alone.',
  of: 'telephony-numbers',
  needs: ['POSTGRES_URL', 'LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  uses: [
    ...Object.values(accountVariables),
    'SIP_OUTBOUND_TRUNK_ID',
    'INSTALLATION_NAME',
    'SIP_INBOUND_ADDRESSES',
    'SIP_INBOUND_ADDRESSES_ANYBODY',
    'SIP_INBOUND_USERNAME',
    'SIP_INBOUND_PASSWORD',
  ],
  findings,
  look: async (looking) => {
    const { variables } = looking;
    const env = {
      LIVEKIT_URL: variables.LIVEKIT_URL ?? '',
      LIVEKIT_API_KEY: variables.LIVEKIT_API_KEY ?? '',
      LIVEKIT_API_SECRET: new Secret(variables.LIVEKIT_API_SECRET ?? ''),
      VOICE_AGENT_NAME: 'doctor',
    };
    const logger = createLogger({ service: 'doctor', level: 'silent' });
    const db = createDatabase({
      url: new Secret(variables.POSTGRES_URL ?? ''),
      applicationName: 'doctor',
      max: 1,
    });
    try {
      const all = await createOutboundTrunks(env).list(variables.INSTALLATION_NAME ?? 'main');
      const rows = await trunkRows(db);
      const providers = (Object.keys(accountVariables) as Provider[]).filter(
        (one) => variables[accountVariables[one]],
      );
      // With a trunk of the operator's own, the platform makes none.
      if (variables.SIP_OUTBOUND_TRUNK_ID === undefined)
        for (const provider of providers)
          judgeTrunk(
            looking,
            rows.find((row) => row.provider === provider),
            provider,
            all,
          );
      await lookAtNumbers(looking, db, await createMediaRooms(env, { logger }).routedNumbers());
    } finally {
      await db.end();
    }
  },
});

export const checks = [trunks, echoCall];
