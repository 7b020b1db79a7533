// The doctor's call to a number that answers by itself: the whole way through a provider, which no other check goes. It
// has the price of a call of some seconds, so it is made only where an operator has asked for it.
import { randomUUID } from 'node:crypto';
import { Secret } from '@parlance/config';
import { defineCheck, type FindingKind, type Looking } from '@parlance/doctor';
import { createMediaRooms, type DialOutcome, type MediaRooms } from '@parlance/media-rooms';
import { createLogger } from '@parlance/observability';
import { createDatabase } from '@parlance/postgres';

const page = 'docs/operations.md';

const findings = {
  ECHO_CALL_NOT_ANSWERED: {
    severity: 'broken',
    says: 'A call to the echo number was not answered.',
    advice:
      'Call DOCTOR_ECHO_NUMBER with a telephone. If it answers there, look at the log of livekit-sip and at the call log of the provider.',
    link: page,
  },
  ECHO_CALL_REFUSED: {
    severity: 'broken',
    says: 'A call to the echo number was refused.',
    advice:
      'Look at the call log of the provider: it names the reason. Countries that are not allowed, and credentials, are the usual ones.',
    link: page,
  },
  ECHO_CALL_UNCERTAIN: {
    severity: 'broken',
    says: 'Nobody can tell what became of a call to the echo number.',
    advice: 'Look at the logs of livekit-server and livekit-sip: they did not tell the end of the dial.',
    link: page,
  },
  ECHO_CALL_WITHOUT_WAY: {
    severity: 'soon',
    says: 'An account has no trunk or no active number, so that the echo number cannot be called through it.',
    advice: 'Buy a number of this provider, or take the credentials of an account away that is not used.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const ringingSeconds = 30;
const longestSeconds = 60;

interface Way {
  readonly provider: string;
  readonly trunk_id: string | null;
  /** The caller's number. */
  readonly phone_number: string | null;
}

/** Through each account: its trunk, and the active number that it has had for longest. */
const waysOf = async ({ variables }: Looking<Code>): Promise<readonly Way[]> => {
  const url = new Secret(variables.POSTGRES_URL ?? '');
  const db = createDatabase({ url, applicationName: 'doctor', max: 1, connectTimeoutMs: 4_000 });
  try {
    const { rows } = await db.query<Way>(
      `select t.provider, coalesce($1, t.trunk_id) as trunk_id, (
         select n.phone_number from numbers n where n.provider = t.provider and n.status = 'active'
         order by n.created_at limit 1) as phone_number
       from outbound_trunks t order by t.provider`,
      [variables.SIP_OUTBOUND_TRUNK_ID ?? null],
    );
    return rows;
  } finally {
    await db.end();
  }
};

/** Undefined where the echo number answered. */
const codeOf = (outcome: DialOutcome): Code | undefined => {
  if (outcome.kind === 'answered') return undefined;
  if (outcome.kind === 'inDoubt') return 'ECHO_CALL_UNCERTAIN';
  const isRefused = outcome.kind === 'refused' && outcome.status === 'failed';
  return isRefused ? 'ECHO_CALL_REFUSED' : 'ECHO_CALL_NOT_ANSWERED';
};

const seenOf = (outcome: DialOutcome): string =>
  'status' in outcome
    ? `The call ended as ${outcome.status} (${outcome.endedReason}).`
    : 'The dial ended without an answer of LiveKit.';

/** The room has no agent and says no call, so the platform leaves it alone. Its end hangs up. */
const callThrough = async (rooms: MediaRooms, to: string, from: string, trunkId: string) => {
  const id = randomUUID();
  const room = `doctor-${id}`;
  await rooms.createRoom({ name: room, metadata: {}, emptyTimeoutSeconds: ringingSeconds });
  try {
    return await rooms.dial({
      ...{ room, identity: 'echo', to, from, trunkId, longestSeconds },
      ...{ ringingTimeoutSeconds: ringingSeconds, attemptId: id },
    });
  } finally {
    await rooms.deleteRoom(room);
  }
};

export const echoCall = defineCheck<Code>({
  name: 'echo-call',
  about: 'A number that answers by itself is called through each provider account, and answers.',
  of: 'telephony-numbers',
  needs: ['DOCTOR_ECHO_NUMBER', 'POSTGRES_URL', 'LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  uses: ['SIP_OUTBOUND_TRUNK_ID'],
  onlyWhenAsked: 'call',
  limitMs: (ringingSeconds + 30) * 1_000,
  findings,
  look: async (looking) => {
    const { variables, found, note } = looking;
    const env = {
      LIVEKIT_URL: variables.LIVEKIT_URL ?? '',
      LIVEKIT_API_KEY: variables.LIVEKIT_API_KEY ?? '',
      LIVEKIT_API_SECRET: new Secret(variables.LIVEKIT_API_SECRET ?? ''),
      VOICE_AGENT_NAME: 'doctor',
    };
    const rooms = createMediaRooms(env, { logger: createLogger({ service: 'doctor', level: 'silent' }) });
    const ways = await waysOf(looking);
    await Promise.all(
      ways.map(async ({ provider, trunk_id: trunkId, phone_number: from }) => {
        const subject = `the account at ${provider}`;
        if (trunkId === null || from === null)
          return found('ECHO_CALL_WITHOUT_WAY', {
            subject,
            seen: trunkId === null ? 'It has no trunk.' : 'It has no active number.',
          });
        const to = variables.DOCTOR_ECHO_NUMBER ?? '';
        const outcome = await callThrough(rooms, to, from, trunkId);
        const code = codeOf(outcome);
        if (code === undefined) note(`The echo number answered through ${subject}.`);
        else found(code, { subject, seen: seenOf(outcome) });
      }),
    );
  },
});
