// What is written down of a call is what was on the line: the keys that were heard, the sentences that were spoken, and the
// true end.
import { expect, it } from '@jest/globals';
import { callContext } from '@parlance/contracts';
import { pressed, sines } from '@parlance/sandbox-kit/tones';
import { runtimeConfig } from '@parlance/sandbox-livekit/testing';
import { heardRate, type Over } from './heard.js';
import { startTalk, type Talk } from './talk.js';

const { agent, config } = runtimeConfig({ agent_language: 'en', firstMessage: 'Hello {{name | there}}.' });
const context = callContext({
  callId: 'call-1',
  organizationId: agent.organizationId,
  agentId: agent.id,
  channel: 'phone',
  direction: 'outbound',
  dynamicVariables: { name: 'Ada' },
});

const digits = (keys: string): Int16Array => {
  const { samples } = pressed(keys);
  return samples.filter((_, index) => index % 2 === 0); // 16,000 samples a second to 8,000
};
const silence = new Int16Array(heardRate);

/** A call in which the telephone does something whenever the agent begins a sentence. */
const talk = (
  onSentence: (sentence: number, phone: { hear(samples: Int16Array): void; end(over: Over): void }) => void,
): Promise<Talk> => {
  const over = new AbortController();
  let sentences = 0;
  const talking = startTalk({
    config,
    context,
    answeredAt: new Date(),
    patienceMs: 20,
    voice: async () => ({ samples: new Int16Array(0), sampleRate: heardRate }),
    line: {
      over: over.signal,
      say: async (_, until) => {
        sentences += 1;
        onSentence(sentences, { hear: talking.hear, end: (reason) => over.abort(reason) });
        if (sentences === 1 && !until.aborted) talking.hear(silence);
      },
    },
  });
  return talking.done;
};

const said = ({ transcript }: Talk): string[] => transcript.map(({ role, text }) => `${role}: ${text}`);

it('writes down the keys that it heard as the words of the telephone, and presses them in its answer', async () => {
  const call = await talk((_, { hear }) => {
    hear(digits('1200'));
    hear(silence);
  });
  expect(said(call)).toEqual(
    expect.arrayContaining(['agent: Hello Ada.', 'user: 1 2 0 0', 'agent: 1 2 0 0']),
  );
  expect(call).toMatchObject({ endedReason: 'agent_hangup', answeredBy: 'human' });
  expect(call.transcript.map(({ seq }) => seq)).toEqual(call.transcript.map((_, index) => index));
});

it('leaves its message after the beep of a voicemail, and says nothing else', async () => {
  const call = await talk((sentence, { hear }) => {
    if (sentence > 1) return;
    hear(sines([1_000], 600, heardRate));
    hear(silence);
  });
  expect(said(call)).toEqual(
    expect.arrayContaining(['agent: Hello Ada.', 'user: (a beep)', 'agent: Please call back.']),
  );
  expect(call.transcript).toHaveLength(3);
  expect(call).toMatchObject({ endedReason: 'voicemail_reached', answeredBy: 'machine_voicemail' });
});

it('ends the call when the telephone says nothing', async () => {
  const call = await talk(() => undefined);
  expect(call).toMatchObject({ endedReason: 'silence_timeout', answeredBy: 'no_speech' });
});

it.each(['user_hangup', 'operator_ended', 'room_lost'] as const)(
  'stops at once and tells when the line ended with %s',
  async (ending) => {
    const at = new Date();
    const call = await talk((_, { end }) => end({ ending, at }));
    expect(call).toMatchObject({ endedReason: ending, endedAt: at });
    expect(said(call)).toEqual(['agent: Hello Ada.']);
  },
);
