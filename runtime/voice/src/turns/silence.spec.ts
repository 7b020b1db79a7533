import { describe, expect, it } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { startCall, useCallTime } from '../testing/spoken-call.js';
import type { ConversationPort } from './ports.js';

describe('a caller or an answer that stays silent', () => {
  useCallTime();

  it('asks for a moment when recognition takes long, once, and answers afterwards', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    const late = new Promise<string>((resolve) => setTimeout(() => resolve('Are you open?'), 4_500));
    await call.speak('', 800, late);
    await call.run(6_000);
    expect(call.mouth.said).toEqual(['Hello.', 'One moment, please.', 'You said: Are you open?']);
    expect(call.heard).toHaveLength(2);
  });

  it('asks for a moment when the model takes long, and not over the first words of an answer', async () => {
    const answerAfter = (ms: number): Partial<ConversationPort> => ({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise((resolve) => setTimeout(resolve, ms));
        yield { type: 'say', delta: 'At nine.' };
      },
    });
    for (const [ms, said] of [
      [3_000, ['One moment, please.', 'At nine.']],
      [1_000, ['At nine.']],
    ] as const) {
      const call = startCall(answerAfter(ms));
      await call.open();
      await call.run(1_000);
      await call.speak('When do you open?');
      await call.run(6_000);
      expect(call.mouth.said.slice(1)).toEqual(said);
    }
  });

  it('asks for a moment by 1.6 s of silence when recognition was slow and the model hangs', async () => {
    const call = startCall({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise(() => undefined);
        yield { type: 'say', delta: '' };
      },
    });
    await call.open();
    await call.run(1_000);
    const slow = new Promise<string>((resolve) => setTimeout(() => resolve('When do you open?'), 1_400));
    // Its last 570 ms are silence.
    await call.speak('', 800, slow);
    await call.run(1_020);
    expect(call.mouth.said).toEqual(['Hello.']);
    await call.run(20);
    expect(call.mouth.said).toEqual(['Hello.', 'One moment, please.']);
  });

  it('gives an answer 0.7 s after a pause in which more was expected', async () => {
    const call = startCall({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise((resolve) => setTimeout(resolve, 600));
        yield { type: 'say', delta: 'At nine.' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('My name is Ada and', 800);
    await call.run(3_000);
    expect(call.mouth.said).toEqual(['Hello.', 'At nine.']);
  });

  it('prompts a silent caller once, then says goodbye and ends with silence_timeout', async () => {
    const call = startCall();
    await call.open();
    await call.run(10_000);
    await call.run(2_000);
    expect(call.mouth.said).toEqual(['Hello.', 'Are you still there?']);
    expect(call.ended()).toBeUndefined();
    await call.run(30_000);
    expect(call.mouth.said.at(-1)).toMatch(/Goodbye\.$/);
    expect(call.ended()).toBe('silence_timeout');
  });

  it('forgets the prompt when the caller speaks again', async () => {
    const call = startCall();
    await call.open();
    await call.run(13_000);
    await call.speak('I am here.');
    await call.run(14_000);
    expect(call.mouth.said).toEqual([
      'Hello.',
      'Are you still there?',
      'You said: I am here.',
      'Are you still there?',
    ]);
  });

  it('answers a voice without words as a turn that was not understood', async () => {
    const { open, run, speak, asked } = startCall();
    await open();
    await run(1_000);
    await speak('', 1_500);
    await run(10_000);
    await speak('four', 600);
    await run(10_000);
    expect(asked).toEqual(['…', 'four']);
  });

  it('makes no turn of a short sound without words, and of none over the agent', async () => {
    const { open, run, speak, asked } = startCall();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    await run(500);
    await speak('', 1_200);
    await run(10_000);
    await speak('', 300);
    await run(1_000);
    expect(asked).toEqual([]);
  });

  it('answers a continuous noise a few times, and still detects that nobody speaks', async () => {
    const { open, run, speak, asked, mouth, ended } = startCall();
    await open();
    await run(1_000);
    for (let sound = 0; sound < 8; sound += 1) {
      await speak('', 1_500);
      await run(2_500);
    }
    await run(45_000);
    expect(asked).toEqual(['…', '…', '…', '…']);
    expect(mouth.said).toContain('Are you still there?');
    expect(ended()).toBe('silence_timeout');
  });
});
