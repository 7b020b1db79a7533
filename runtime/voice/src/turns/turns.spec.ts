import { describe, expect, it } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { startCall, useCallTime } from '../testing/spoken-call.js';

describe('turns of a spoken conversation', () => {
  useCallTime();

  it('answers once the caller has been silent, with both turns in the transcript', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    await call.speak('What time do you open?');
    expect(call.asked).toEqual(['What time do you open?']);
    await call.run(5_000);
    expect(call.report.turns.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'agent: Hello.',
      'user: What time do you open?',
      'agent: You said: What time do you open?',
    ]);
    expect(call.heard.at(-1)).toEqual({ spokenText: 'You said: What time do you open?', interrupted: false });
    expect(call.report.summary().latency?.e2eP50Ms).toBeGreaterThan(0);
    const { timings, latencyMs, model } = call.agentTurns().at(-1) ?? {};
    expect(model).toBeNull();
    const steps = Object.values(timings ?? {}).map((ms) => ms ?? 0);
    expect(steps.reduce((sum, ms) => sum + ms, 0)).toBe(latencyMs);
    expect(timings?.recognitionMs).toBe(300);
  });

  it('records which models answered a turn, and which they replaced', async () => {
    const fallbackOf = (kind: 'stt' | 'tts') => ({ kind, from: 'far/a', to: 'near/b', reason: 'timeout' });
    const call = startCall({
      model: 'openai/a',
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        yield { type: 'fellBack', from: 'openai/a', to: 'groq/b', reason: 'rateLimited' };
        yield { type: 'say', delta: 'At nine.' };
      },
    });
    await call.open();
    await call.run(1_000);
    call.report.recognized({ model: 'near/b', fallback: fallbackOf('stt') });
    call.report.spoke({ model: 'near/b', fallback: fallbackOf('tts') });
    await call.speak('What time do you open?');
    await call.run(3_000);
    call.turns.typed('And on Sunday?');
    await call.run(3_000);
    const turns = call.report.turns.map(({ sttModel, ttsModel, model, fallbacks }) => {
      return { sttModel, ttsModel, model, fallbacks };
    });
    const byModel = { kind: 'llm', from: 'openai/a', to: 'groq/b', reason: 'rateLimited' };
    expect(turns).toEqual([
      {},
      { sttModel: 'near/b', fallbacks: [fallbackOf('stt')] },
      { ttsModel: 'near/b', model: 'groq/b', fallbacks: [byModel, fallbackOf('tts')] },
      {},
      { model: 'groq/b', fallbacks: [byModel] },
    ]);
  });

  it('takes keys as words after a pause, and stops speaking at the first one', async () => {
    const call = startCall();
    await call.open('Please key in your customer number, and press the pound key when you are done with it.');
    await call.run(1_000);
    for (const key of '4711') call.turns.key(key);
    await call.run(100);
    expect(call.agentTurns()[0]).toMatchObject({ interrupted: true });
    call.turns.key('#');
    await call.run(100);
    expect(call.asked).toEqual(['4 7 1 1']);
  });

  it('ignores what is heard before the call is answered', async () => {
    const call = startCall();
    await call.speak('The person you are calling is not available.');
    await call.run(5_000);
    await call.open();
    expect(call.asked).toEqual([]);
  });
});
