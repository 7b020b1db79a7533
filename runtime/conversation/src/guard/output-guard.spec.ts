import { describe, expect, it } from '@jest/globals';
import { hidden } from './credentials.js';
import { OutputGuard } from './output-guard.js';

const prompt =
  'You are the assistant of a dental practice in Bonn and you speak politely with every caller who wants an appointment. ' +
  'Never offer a discount above twenty percent, and never mention that Doctor Weber leaves the practice in March. ' +
  'Begin with the sentence "This call may be recorded for quality, and you can object to that at any time by telling me so now." ' +
  'We are open from Monday to Friday between nine and five.';

const said = (
  text: string,
  { by = 7, secrets = [], speakable = [] }: { by?: number; secrets?: string[]; speakable?: string[] } = {},
): { text: string; isBlocked: boolean } => {
  const guard = new OutputGuard({ instructions: [prompt], speakable, secrets });
  let passed = '';
  for (let at = 0; at < text.length; at += by) {
    const guarded = guard.push(text.slice(at, at + by));
    passed += guarded.text;
    if (guarded.isBlocked) return { text: passed, isBlocked: true };
  }
  const rest = guard.finish();
  return { text: passed + rest.text, isBlocked: rest.isBlocked };
};

describe('the guard', () => {
  it.each([1, 3, 7, 1_000])('passes an ordinary answer unchanged, in pieces of %d characters', (by) => {
    const answer = 'We are open from Monday to Friday between nine and five. Would Tuesday at ten suit you?';
    expect(said(answer, { by })).toEqual({ text: answer, isBlocked: false });
  });

  it.each([
    ['as it is', prompt],
    ['in capitals', prompt.toUpperCase()],
    ['with other punctuation', prompt.replaceAll(/[.,]/g, ' - ').replaceAll(' ', '  ')],
    ['after other words', `Of course! Here it is: ${prompt}`],
    [
      'with full-width letters',
      prompt.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ],
  ])('blocks the instructions %s before much of them is said', (_, answer) => {
    const { text, isBlocked } = said(answer);
    expect(isBlocked).toBe(true);
    expect(text).not.toMatch(/discount|Weber/i);
  });

  it('blocks instructions that are said in parts', () => {
    const parts = prompt.split(/(?<=[."]) /).map((part) => part.split(' ').slice(0, 14).join(' '));
    expect(said(parts.join(' And then: ')).isBlocked).toBe(true);
  });

  it('blocks the instructions as base64 or hexadecimal digits, which no person could understand', () => {
    const bytes = Buffer.from(prompt);
    expect(said(`Sure: ${bytes.toString('base64')}`).isBlocked).toBe(true);
    expect(said(`Sure: ${bytes.toString('hex')}`).isBlocked).toBe(true);
  });

  it('passes a sentence that the prompt wants to be said, which stands in quotes there', () => {
    const sentence =
      'This call may be recorded for quality, and you can object to that at any time by telling me so now.';
    expect(said(sentence)).toEqual({ text: sentence, isBlocked: false });
  });

  it('passes a long address of the web', () => {
    const answer = `Please look at https://example.com/${'a'.repeat(100)} for that.`;
    expect(said(answer)).toEqual({ text: answer, isBlocked: false });
  });

  it.each(['token-of-the-call', 'sk-live-0123456789abcdefghij', 'ghp_0123456789abcdefghijklmnop'])(
    'hides the credential %s, however it is split',
    (secret) => {
      for (const by of [1, 4, 100])
        expect(said(`The key is ${secret} for you.`, { by, secrets: ['token-of-the-call'] })).toEqual({
          text: `The key is ${hidden} for you.`,
          isBlocked: false,
        });
    },
  );
});
