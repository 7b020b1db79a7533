import { describe, expect, it } from '@jest/globals';
import type { RuntimeConfig } from '@parlance/contracts';
import type { ConversationEvent } from '@parlance/conversation';
import type { ConversationPort } from '../turns/ports.js';
import { recordingOf } from './call-recording.js';

type Recording = RuntimeConfig['config']['recording'];

const start = (
  recording: Partial<Recording>,
  { language = 'en', isRedacted = false, opening = 'How can I help?' } = {},
) => {
  const heard: string[] = [];
  const conversation: ConversationPort = {
    model: null,
    isOver: false,
    opening: () => opening,
    answer: async function* (text): AsyncGenerator<ConversationEvent> {
      yield { type: 'say', delta: `You said: ${text}` };
    },
    heard: ({ spokenText }) => heard.push(spokenText),
  };
  const config = {
    agent_language: language,
    recording: { enabled: true, retentionDays: null, consent: 'verbal', ...recording },
  } as RuntimeConfig['config'];
  const call = recordingOf({
    context: { consent: null, language: null },
    found: { config },
    conversation,
    isRedacted,
  });
  return {
    call,
    heard,
    say: async (text: string): Promise<string> => {
      let said = '';
      for await (const event of call.conversation.answer(text, { signal: new AbortController().signal }))
        if (event.type === 'say') said += event.delta;
      call.conversation.heard({ spokenText: said, interrupted: false });
      return said;
    },
  };
};

const answeredAt = new Date('2026-03-01T10:00:00.000Z');

describe('a recording with verbal consent', () => {
  it.each([
    ['en', 'Yes, please.', 'Thank you. The recording begins now. How can I help?'],
    ['de', 'Ja, gern.', 'Vielen Dank. Die Aufzeichnung beginnt jetzt. How can I help?'],
    ['es', 'Sí, claro.', 'Gracias. La grabación empieza ahora. How can I help?'],
    ['fr', 'Oui, d’accord.', 'Merci. L’enregistrement commence maintenant. How can I help?'],
  ])('begins when the other party agrees in %s', async (language, yes, expected) => {
    const { call, say, heard } = start({}, { language });
    expect(await call.conversation.opening()).toMatch(/\?$/);
    expect(call.recorder).toBeUndefined();
    expect(await say(yes)).toBe(expected);
    expect(call.recorder).toBeDefined();
    expect(call.consent(answeredAt)).toEqual({
      type: 'verbal',
      granted: true,
      at: expect.any(String),
      textVersion: null,
    });
    expect(heard).toEqual(['How can I help?']);
    expect(await say('Next')).toBe('You said: Next');
  });

  it.each([
    ['en', 'No.'],
    ['de', 'Nein, lieber nicht.'],
    ['es', 'No, gracias.'],
    ['fr', 'Non merci.'],
  ])('is not made when the other party declines in %s', async (language, no) => {
    const { call, say } = start({}, { language });
    await say(no);
    expect(call.recorder).toBeUndefined();
    expect(call.consent(answeredAt)).toMatchObject({ granted: false, at: expect.any(String) });
  });

  it('asks with the words of the configuration', async () => {
    const { call } = start({ announcement: 'Is it fine to record us?' });
    expect(await call.conversation.opening()).toBe('Is it fine to record us?');
    expect(call.announcement).toBe('');
  });

  it('asks a second time after a noise or another sentence, and then answers without recording', async () => {
    const { call, say } = start({});
    expect(await say('Mm-hm.')).toMatch(/yes or no/);
    expect(await say('I would like to book a table.')).toBe(
      'All right, this call is not recorded. You said: I would like to book a table.',
    );
    expect(call.recorder).toBeUndefined();
    expect(call.consent(answeredAt)).toMatchObject({ granted: null, at: null });
  });

  it.each(['Stop calling me.', 'No. Do not call me again!'])(
    'hands %j on, and takes it for a refusal',
    async (text) => {
      const { call, say } = start({});
      expect(await say(text)).toBe(`All right, this call is not recorded. You said: ${text}`);
      expect(call.consent(answeredAt)).toMatchObject({ granted: false });
    },
  );

  it('answers what was said beside the consent', async () => {
    const { call, say } = start({});
    expect(await say('Yes, and I would like to book a table.')).toBe(
      'Thank you. The recording begins now. You said: Yes, and I would like to book a table.',
    );
    expect(call.recorder).toBeDefined();
  });
});

describe('a recording', () => {
  it('is announced before the first message, and reported with the time of the answer', () => {
    const { call } = start({ consent: 'announce', announcement: 'This call is recorded.' });
    expect(call.announcement).toBe('This call is recorded.');
    expect(call.recorder).toBeDefined();
    expect(call.consent(answeredAt)).toMatchObject({
      type: 'announce',
      granted: null,
      at: answeredAt.toISOString(),
    });
  });

  it.each(['announce', 'verbal'] as const)(
    'with consent %s is neither made nor mentioned where personal data is hidden',
    async (consent) => {
      const { call } = start({ consent, announcement: 'We record.' }, { isRedacted: true });
      expect(await call.conversation.opening()).toBe('How can I help?');
      expect(call.announcement).toBe('');
      expect(call.recorder).toBeUndefined();
      expect(call.consent(answeredAt)).toBeNull();
    },
  );
});
