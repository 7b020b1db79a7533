// The voice runtime and the server that hears and speaks for it.
import { z } from 'zod';
import { causeInWords } from '../probe/causes.js';
import { defineCheck, type FindingKind } from '../probe/check.js';
import { ask } from '../probe/http.js';

const runtimeFindings = {
  VOICE_RUNTIME_UNREACHABLE: {
    severity: 'broken',
    says: 'No voice runtime answers, so nobody speaks in calls.',
    advice: 'Start the voice runtime, or correct VOICE_RUNTIME_OPS_URL. Its log says why it does not start.',
    link: 'docs/runbooks/runtime-gone.md',
  },
  VOICE_RUNTIME_NOT_READY: {
    severity: 'broken',
    says: 'The voice runtime takes no calls.',
    advice:
      'With mediaServer among the reasons it is not registered at LiveKit: compare LIVEKIT_URL and the API key of both. One that is draining is being replaced.',
    link: 'docs/runbooks/runtime-gone.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

const speechFindings = {
  SPEECH_UNREACHABLE: {
    severity: 'broken',
    says: 'The speech server cannot be reached.',
    advice:
      'Start the speech service, or correct SPEECH_URL. The service ends with one sentence where a model is missing or was changed.',
    link: 'docs/operations.md',
  },
  SPEECH_REFUSES: {
    severity: 'broken',
    says: 'The speech server refuses the key.',
    advice: 'Give the speech service and the voice runtime the same SPEECH_KEY.',
    link: 'docs/operations.md',
  },
  SPEECH_WITHOUT_MODELS: {
    severity: 'broken',
    says: 'The speech server has loaded no model.',
    advice:
      'Wait while models are loaded. Otherwise fill the folder of models (runtime/speech/README.md), and start the service again.',
    link: 'docs/operations.md',
  },
  SPEECH_WITHOUT_LANGUAGES: {
    severity: 'soon',
    says: 'The speech server speaks few languages. Calls of agents in another one end, unless a model of a vendor speaks.',
    advice:
      'Run `npm run voice:setup -- --languages de`, which installs what a language needs and says which voice it has. With SPEECH_MODELS set, name espeak-ng in it.',
    link: 'runtime/speech/README.md',
  },
} as const satisfies Readonly<Record<string, FindingKind>>;

const Report = z.object({ reasons: z.array(z.string()).default([]) });
const Models = z.object({
  data: z.array(
    z.object({
      // The local speech service has these two; OpenAI's protocol does not.
      kind: z.string().optional().catch(undefined),
      languages: z.array(z.string()).optional().catch(undefined),
    }),
  ),
});
/** Fewer are those of one voice. */
const manyLanguages = 12;
const unauthorized = [401, 403];

const voiceRuntime = defineCheck<keyof typeof runtimeFindings>({
  name: 'voice-runtime',
  about: 'Every voice runtime is registered at LiveKit and takes calls.',
  needs: ['VOICE_RUNTIME_OPS_URL'],
  findings: runtimeFindings,
  look: async (looking) => {
    const { VOICE_RUNTIME_OPS_URL: urls = '' } = looking.variables;
    for (const url of urls.split(',')) {
      const subject = new URL(url).host;
      try {
        const answer = await ask(looking, new URL('/readyz', url));
        const { data } = Report.safeParse(await answer.json().catch(() => undefined));
        if (answer.status !== 200)
          looking.found('VOICE_RUNTIME_NOT_READY', {
            subject,
            seen: `It answers ${answer.status}: ${data?.reasons.join(', ') ?? 'no reason'}.`,
          });
      } catch (error) {
        looking.found('VOICE_RUNTIME_UNREACHABLE', { subject, seen: causeInWords(error) });
      }
    }
  },
});

const speech = defineCheck<keyof typeof speechFindings>({
  name: 'speech',
  about: 'The server that recognizes and speaks takes the key, and has models.',
  needs: ['SPEECH_URL'],
  uses: ['SPEECH_KEY'],
  findings: speechFindings,
  look: async (looking) => {
    const { SPEECH_URL: url = '', SPEECH_KEY: key = '' } = looking.variables;
    const subject = new URL(url).host;
    let answer: Response;
    try {
      answer = await ask(looking, `${url.replace(/\/+$/, '')}/models`, {
        headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      });
    } catch (error) {
      return looking.found('SPEECH_UNREACHABLE', { subject, seen: causeInWords(error) });
    }
    if (unauthorized.includes(answer.status))
      return looking.found('SPEECH_REFUSES', { subject, seen: `It answers ${answer.status}.` });
    const { data } = Models.safeParse(await answer.json().catch(() => undefined));
    if (data === undefined || data.data.length === 0)
      looking.found('SPEECH_WITHOUT_MODELS', {
        subject,
        seen:
          data === undefined ? `It answers ${answer.status} and no list.` : 'Its list of models is empty.',
      });
    const voices = data?.data.filter(({ kind }) => kind === 'tts') ?? [];
    const spoken = [...new Set(voices.flatMap(({ languages = [] }) => languages))].sort();
    if (spoken.length > 0 && spoken.length < manyLanguages)
      looking.found('SPEECH_WITHOUT_LANGUAGES', { subject, seen: `It speaks ${spoken.join(', ')}.` });
  },
});

export const voice = [voiceRuntime, speech];
