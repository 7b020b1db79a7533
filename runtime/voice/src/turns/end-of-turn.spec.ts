import { describe, expect, it } from '@jest/globals';
import { startCall, useCallTime } from '../testing/spoken-call.js';

describe('the end of a turn', () => {
  useCallTime();

  it('waits longer after a sentence that stops in its middle, and answers both parts as one', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    await call.speak('My number is');
    await call.run(300);
    expect(call.asked).toEqual([]);
    await call.speak('four seven one.');
    await call.run(400);
    expect(call.asked).toEqual(['My number is four seven one.']);
  });

  it('answers sooner when a model is sure that the turn is over', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('What time do you open?'),
      finished: Promise.resolve(0.95),
    });
    await call.run(10);
    expect(call.asked).toEqual(['What time do you open?']);
  });

  it('waits longer when a model is sure that the turn continues, and answers both parts as one', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    await call.speak('I would like a table', 800, undefined, 0.02);
    await call.run(250);
    expect(call.asked).toEqual([]);
    await call.speak('for four people.', 800, undefined, 0.95);
    expect(call.asked).toEqual(['I would like a table for four people.']);
  });

  it('answers by the rule about silence when the model of the end of turn is late', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('What time do you open?'),
      finished: new Promise(() => undefined),
    });
    await call.run(90);
    expect(call.asked).toEqual([]);
    await call.run(20);
    expect(call.asked).toEqual(['What time do you open?']);
  });

  it('does not take the estimate of an earlier voice for the last one', async () => {
    const call = startCall();
    await call.open();
    await call.run(1_000);
    let judge: (estimate: number) => void = () => undefined;
    const late = new Promise<number>((resolve) => {
      judge = resolve;
    });
    call.turns.voiceStarted();
    await call.run(1_050);
    void call.turns.voiceEnded({
      voiceMs: 800,
      silenceMs: 250,
      words: Promise.resolve('My number'),
      finished: late,
    });
    await call.run(50);
    await call.speak('is four seven', 600, undefined, 0.02);
    judge(0.99);
    await call.run(200);
    expect(call.asked).toEqual([]);
  });

  it('takes forty seconds of voice without a pause as one turn', async () => {
    const { open, run, speak, asked } = startCall();
    await open();
    await run(1_000);
    await speak('a very long story', 40_000);
    await run(2_000);
    expect(asked).toEqual(['a very long story']);
  });

  it('takes the words alone where only a part of a turn has some', async () => {
    const { open, run, speak, asked } = startCall();
    await open();
    await run(1_000);
    await speak('', 800, undefined, 0);
    await speak('at seven', 800);
    await run(10_000);
    expect(asked).toEqual(['at seven']);
  });
});
