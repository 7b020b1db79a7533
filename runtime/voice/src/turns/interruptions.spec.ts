import { describe, expect, it } from '@jest/globals';
import type { ConversationEvent } from '@parlance/conversation';
import { startCall, useCallTime } from '../testing/spoken-call.js';

describe('an agent that is interrupted', () => {
  useCallTime();

  it('is silent within 100 ms of an interruption, and records what was heard of its sentence', async () => {
    const call = startCall();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on and on.',
    );
    await call.run(1_200);
    call.turns.voiceStarted();
    call.turns.voiceContinues(100);
    expect(call.mouth.isPaused).toBe(true);
    await call.speak('No, wait, I need a doctor.', 900);
    await call.run(400);
    expect(call.asked).toEqual(['No, wait, I need a doctor.']);
    const [greeting] = call.agentTurns();
    expect(greeting).toMatchObject({ interrupted: true });
    expect(greeting?.spokenText).toBe(greeting?.text.slice(0, greeting.spokenText?.length));
    expect(greeting?.spokenText?.length).toBeLessThan(40);
    expect(call.heard[0]).toEqual({ spokenText: greeting?.spokenText, interrupted: true });
  });

  it.each(['Mm-hm.', 'Yes.', 'Okay, right.', ''])('continues after %j over its voice', async (words) => {
    const call = startCall();
    const greeting =
      'This is a long greeting, which nobody would listen to until its end, because it goes on.';
    await call.open(greeting);
    await call.run(1_000);
    await call.speak(words, 400);
    expect(call.mouth.isPaused).toBe(false);
    await call.run(10_000);
    expect(call.asked).toEqual([]);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
  });

  it('pauses at the first window of a voice, and resumes after the next when it was a click', async () => {
    const call = startCall();
    const greeting = 'This is a long greeting, which is not interrupted by the click of a door.';
    await call.open(greeting);
    await call.run(1_000);
    call.turns.voiceSuspected(32);
    const atTheClick = call.mouth.isPaused;
    await call.run(32);
    call.turns.voiceSuspected(0);
    expect([atTheClick, call.mouth.isPaused]).toEqual([true, false]);
    await call.run(10_000);
    expect(call.asked).toEqual([]);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
  });

  it('can be paused in its own turn alone, and while no voice is over it', async () => {
    const call = startCall();
    const before = call.turns.canBePaused;
    await call.open('This is a greeting.');
    const speaking = call.turns.canBePaused;
    call.turns.voiceSuspected(32);
    const paused = call.turns.canBePaused;
    call.turns.voiceStarted();
    const voiced = call.turns.canBePaused;
    expect([before, speaking, paused, voiced]).toEqual([false, true, false, false]);
  });

  it('stays paused when the voice of the first window continues', async () => {
    const call = startCall();
    await call.open('This is a long greeting, which nobody would listen to until its end.');
    await call.run(1_000);
    call.turns.voiceSuspected(32);
    call.turns.voiceSuspected(64);
    call.turns.voiceStarted();
    call.turns.voiceSuspected(0);
    expect(call.mouth.isPaused).toBe(true);
    await call.speak('No, wait, I need a doctor.', 900);
    await call.run(400);
    expect(call.asked).toEqual(['No, wait, I need a doctor.']);
  });

  it('is not resumed by a click while the words of a voice are awaited', async () => {
    const call = startCall();
    await call.open('This is a long greeting, which nobody would listen to until its end.');
    await call.run(1_000);
    call.turns.voiceStarted();
    call.turns.voiceContinues(300);
    void call.turns.voiceEnded({ voiceMs: 300, silenceMs: 250, words: new Promise(() => undefined) });
    call.turns.voiceSuspected(32);
    call.turns.voiceSuspected(0);
    expect(call.mouth.isPaused).toBe(true);
  });

  it('resumes when the audio of a voice stops coming, and notices that nobody speaks', async () => {
    const call = startCall();
    const greeting = 'This is a long greeting, which nobody would listen to until its end.';
    await call.open(greeting);
    await call.run(1_000);
    call.turns.voiceStarted();
    call.turns.voiceContinues(100);
    await call.run(2_900);
    call.turns.voiceContinues(132);
    await call.run(2_900);
    expect(call.mouth.isPaused).toBe(true);
    await call.run(200);
    expect(call.mouth.isPaused).toBe(false);
    await call.run(60_000);
    expect(call.agentTurns()[0]).toMatchObject({ spokenText: greeting, interrupted: false });
    expect(call.ended()).toBe('silence_timeout');
  });

  it('says whether a voice is over its own', async () => {
    const call = startCall();
    await call.open('This is a long greeting.');
    const before = call.turns.isSpokenOver;
    call.turns.voiceStarted();
    const during = call.turns.isSpokenOver;
    void call.turns.voiceEnded({ voiceMs: 300, silenceMs: 250, words: Promise.resolve('Mm-hm.') });
    expect([before, during, call.turns.isSpokenOver]).toEqual([false, true, false]);
  });

  it('takes a "yes" over the end of its question for an answer', async () => {
    const call = startCall();
    await call.open('Do you have an appointment?');
    await call.run(1_200);
    await call.speak('Yes.', 300);
    await call.run(500);
    expect(call.asked).toEqual(['Yes.']);
  });

  it('is interrupted by a long voice before its words are known', async () => {
    const call = startCall();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on.',
    );
    await call.run(500);
    await call.speak('Yes yes yes yes', 1_600, new Promise(() => undefined));
    await call.run(100);
    expect(call.agentTurns()[0]).toMatchObject({ interrupted: true });
  });

  it('does not stay silent when the words of a short voice are late', async () => {
    const call = startCall();
    await call.open(
      'This is a long greeting, which nobody would listen to until its end, because it goes on.',
    );
    await call.run(500);
    await call.speak('', 300, new Promise(() => undefined));
    expect(call.mouth.isPaused).toBe(true);
    await call.run(500);
    expect(call.mouth.isPaused).toBe(false);
  });

  it('is interrupted in a moment that it asks for, and in the answer behind it', async () => {
    const call = startCall({
      answer: async function* (): AsyncGenerator<ConversationEvent> {
        await new Promise((resolve) => setTimeout(resolve, 1_300));
        yield { type: 'say', delta: 'A long answer that nobody wants to hear any more.' };
      },
    });
    await call.open();
    await call.run(1_000);
    await call.speak('When do you open?');
    await call.run(1_700);
    await call.speak('Stop, please, I have another question.', 1_600);
    const before = call.agentTurns().filter(({ text }) => text !== 'Hello.');
    expect(before.map(({ interrupted }) => interrupted)).toEqual([true, true]);
    await call.run(1_000);
    call.turns.finish('user_hangup');
    await call.run(6_000);
  });

  it('records the greeting as far as it was heard when the caller hangs up in it', async () => {
    const { turns, open, run, ended, agentTurns } = startCall();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    await run(1_200);
    turns.finish('user_hangup');
    await run(100);
    expect(ended()).toBe('user_hangup');
    const [greeting] = agentTurns();
    expect(greeting?.interrupted).toBe(true);
    expect(greeting?.text).toMatch(/^Good day, this is/);
    expect(greeting?.spokenText?.length).toBeGreaterThan(10);
    expect(greeting?.spokenText?.length).toBeLessThan(30);
  });

  it('gives way to a caller who talks over every answer, and answers the last words in full', async () => {
    const { open, run, speak, asked, agentTurns } = startCall();
    await open('Good day, this is the practice of Doctor Meier. How can I help you?');
    for (const words of ['No, listen to me', 'And another thing that I want', 'One more thing for you']) {
      await speak(words, 1_800);
      await run(600);
    }
    await run(10_000);
    expect(asked).toEqual(['No, listen to me', 'And another thing that I want', 'One more thing for you']);
    expect(agentTurns().map(({ interrupted }) => interrupted)).toEqual([true, true, true, false]);
  });
});
