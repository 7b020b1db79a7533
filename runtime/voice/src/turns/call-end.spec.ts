import { describe, expect, it } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { startCall, useCallTime } from '../testing/spoken-call.js';
import type { ConversationPort } from './ports.js';

describe('the end of a spoken conversation', () => {
  useCallTime();

  describe('once the person has asked not to be called again', () => {
    const optedOut = (): Partial<ConversationPort> => {
      const asked: string[] = [];
      return {
        get isOver() {
          return asked.length > 0;
        },
        answer: async function* (text): AsyncGenerator<ConversationEvent> {
          asked.push(text);
          yield {
            type: 'say',
            delta: 'We will not call you again. We are sorry for the disturbance. Goodbye.',
          };
          yield { type: 'end', reason: 'agent_hangup' };
        },
      };
    };

    it('ends the call although a noise has cut off the confirmation', async () => {
      const call = startCall(optedOut());
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(500);
      await call.speak('', 1_500);
      await call.run(500);
      expect(call.agentTurns().at(-1)).toMatchObject({ interrupted: true });
      expect(call.ended()).toBe('agent_hangup');
    });

    it('answers words that have cut off the confirmation, and ends the call then', async () => {
      const call = startCall(optedOut());
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(500);
      await call.speak('And who are you?', 1_500);
      expect(call.ended()).toBeUndefined();
      await call.run(8_000);
      expect(call.agentTurns().slice(1)).toMatchObject([{ interrupted: true }, { interrupted: false }]);
      expect(call.ended()).toBe('agent_hangup');
    });

    it('ends the call when its answer fails', async () => {
      const asked: string[] = [];
      const call = startCall({
        get isOver() {
          return asked.length > 0;
        },
        // biome-ignore lint/correctness/useYield: the answer fails before its first word
        answer: async function* (text): AsyncGenerator<ConversationEvent> {
          asked.push(text);
          throw new Error('the connection was reset');
        },
      });
      await call.open();
      await call.run(1_000);
      await call.speak('Please stop calling me.');
      await call.run(8_000);
      expect([asked.length, call.ended()]).toEqual([1, 'error_llm']);
    });
  });

  it('asks to repeat when no word of an answer comes, and ends with error_llm the second time', async () => {
    const call = startCall({
      answer: async function* (_, { signal }): AsyncGenerator<ConversationEvent> {
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        });
        yield { type: 'say', delta: 'never' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('What time do you open?');
    await call.run(14_000);
    expect(call.mouth.said.at(-1)).toMatch(/say that again/);
    await call.speak('What time do you open?');
    await call.run(20_000);
    expect(call.ended()).toBe('error_llm');
  });

  it('says that it cannot hear, and ends with error_stt, when no recognizer is left', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    await call.speak('', 500, Promise.reject(new Error('no recognizer')));
    await call.run(10_000);
    expect(call.mouth.said.at(-1)).toMatch(/cannot hear you/);
    expect(call.ended()).toBe('error_stt');
  });

  it('ends with error_tts, and no word as heard, when no synthesizer is left', async () => {
    const call = startCall();
    call.mouth.error = new Error('no synthesizer');
    await call.open();
    await call.run(100);
    expect(call.ended()).toBe('error_tts');
    expect(call.agentTurns()).toMatchObject([{ text: 'Hello.', spokenText: '' }]);
  });

  it('hangs up after the last sentence has sounded', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    await call.speak('That was all, goodbye.');
    expect(call.ended()).toBeUndefined();
    await call.run(5_000);
    expect(call.ended()).toBe('agent_hangup');
    expect(call.agentTurns().at(-1)).toMatchObject({ interrupted: false });
  });

  it('ends although an answer continues after its abort', async () => {
    const call = startCall({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise(() => undefined);
        yield { type: 'say', delta: 'never' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('Where is my order?');
    call.turns.finish('user_hangup');
    await call.run(5_000);
    expect(call.ended()).toBe('user_hangup');
  });
});
