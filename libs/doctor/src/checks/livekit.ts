// LiveKit and its SIP service, as one process reaches them.
import { Secret } from '@parlance/config';
import { createLogger } from '@parlance/observability';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind } from '../probe/check.js';
import { ask } from '../probe/http.js';

const page = 'docs/operations.md';

const findings = {
  LIVEKIT_UNREACHABLE: {
    severity: 'broken',
    says: 'LiveKit cannot be reached.',
    advice: 'Start livekit-server, or correct LIVEKIT_URL. No call begins until then.',
    link: 'docs/runbooks/dependency-down.md',
  },
  LIVEKIT_REFUSES: {
    severity: 'broken',
    says: 'LiveKit refuses the API key or its secret.',
    advice:
      'Compare LIVEKIT_API_KEY and LIVEKIT_API_SECRET with the keys of livekit-server. A clock that is wrong has the same effect.',
    link: page,
  },
  LIVEKIT_TOO_OLD: {
    severity: 'broken',
    says: 'LiveKit is too old to call telephones.',
    advice: 'Install livekit-server 1.9 or later.',
    link: 'docs/real-engines.md',
  },
  LIVEKIT_WITHOUT_SIP: {
    severity: 'broken',
    says: 'No SIP service takes calls.',
    advice: 'Start livekit-sip with the Redis and the API key of livekit-server.',
    link: page,
  },
  LIVEKIT_SIP_OVERLOADED: {
    severity: 'broken',
    says: 'The SIP service has no room for more calls.',
    advice: 'Give the SIP service more processors or ports, or start another one beside it.',
    link: page,
  },
} as const satisfies Readonly<Record<string, FindingKind>>;
type Code = keyof typeof findings;

const codeOfTrouble = {
  too_old: 'LIVEKIT_TOO_OLD',
  no_sip_service: 'LIVEKIT_WITHOUT_SIP',
  sip_overloaded: 'LIVEKIT_SIP_OVERLOADED',
} as const;

const statusOf = (error: unknown): unknown => {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? Reflect.get(cause, 'status') : undefined;
};

export const livekit = defineCheck<Code>({
  name: 'livekit',
  about: 'LiveKit takes the API key, and its SIP service takes calls.',
  needs: ['LIVEKIT_URL', 'LIVEKIT_API_KEY', 'LIVEKIT_API_SECRET'],
  findings,
  load: () => import('@parlance/media-rooms'),
  look: async (looking) => {
    const { createMediaRooms, telephonyTrouble } = await import('@parlance/media-rooms');
    const { variables } = looking;
    const env = {
      LIVEKIT_URL: variables.LIVEKIT_URL ?? '',
      LIVEKIT_API_KEY: variables.LIVEKIT_API_KEY ?? '',
      LIVEKIT_API_SECRET: new Secret(variables.LIVEKIT_API_SECRET ?? ''),
      VOICE_AGENT_NAME: 'doctor',
    };
    const subject = new URL(env.LIVEKIT_URL).host;
    try {
      await ask(looking, env.LIVEKIT_URL, { clockOf: 'LiveKit' });
      await createMediaRooms(env, { logger: createLogger({ service: 'doctor', level: 'silent' }) }).ping();
    } catch (error) {
      const isRefused = statusOf(error) === 401 || statusOf(error) === 403;
      const code = isRefused ? 'LIVEKIT_REFUSES' : 'LIVEKIT_UNREACHABLE';
      return looking.found(code, { subject, seen: causeInWords(error) });
    }
    const trouble = await telephonyTrouble(env);
    if (trouble !== undefined)
      looking.found(codeOfTrouble[trouble], {
        subject,
        seen: 'A dial that leads nowhere was refused for this reason.',
      });
  },
});
