import { describe, expect, it } from '@jest/globals';
import type { Criterion, Field, Subject } from '../subject.js';
import { fieldsOf, subjectOf } from '../testing/labelled-calls.js';
import { analyzeByRules } from './analyze.js';

const call = (...turns: readonly string[]): Subject => subjectOf({ form: 'table', turns });
const goal = (prompt: string, change: Partial<Criterion> = {}): Criterion => ({
  id: 'goal',
  name: 'Goal',
  prompt,
  ...change,
});
const judged = (criterion: Criterion, ...turns: readonly string[]) => {
  const [evaluation] = analyzeByRules({ ...call(...turns), dataEvaluation: [criterion] }).evaluation;
  return evaluation;
};

describe('goals by rules', () => {
  it.each([
    ['Did the agent greet the caller?', ['A: Hello, how are you?', 'U: Fine.'], 'success', 0],
    ['Did the agent greet the caller?', ['A: What?', 'U: Fine.'], 'failure', 0],
    ['Did the agent say goodbye?', ['A: Hello.', 'U: Thanks.', 'A: Goodbye, take care.'], 'success', 2],
    ['Was the caller satisfied?', ['A: Hello.', 'U: That is perfect, thank you so much.'], 'success', 1],
    ['Was the caller satisfied?', ['A: Hello.', 'U: This is unacceptable.', 'A: Sorry.'], 'failure', 1],
    [
      'Did the caller accept the earlier appointment?',
      ['A: Is the earlier appointment fine?', 'U: No, it is not.'],
      'failure',
      1,
    ],
    [
      'Did the caller accept the earlier appointment?',
      ['A: Is the earlier appointment fine?', 'U: Sure.'],
      'success',
      1,
    ],
    [
      'Did the agent mention the cancellation fee?',
      ['A: There is a cancellation fee.', 'U: Okay.'],
      'success',
      0,
    ],
    ['War der Kunde zufrieden?', ['A: Hallo.', 'U: Wunderbar, vielen Dank!'], 'success', 1],
  ] as const)('judge "%s" after %j as %s by turn %i', (prompt, turns, result, seq) => {
    expect(judged(goal(prompt), ...turns)).toMatchObject({
      result,
      score: result === 'success' ? 1 : 0,
      turns: [seq],
      quote: turns[seq]?.slice(3),
    });
  });

  it.each([
    ['Did the agent mention the cancellation fee?', ['A: Hello.', 'U: Okay.']],
    ['Did the agent refrain from medical advice?', ['A: Hello.', 'U: Okay.']],
    ['If the caller was upset, did the agent apologize?', ['A: Hello.', 'U: Okay.']],
    ['Was the caller satisfied?', ['A: Hello.', 'U: Okay.']],
    ['How elegant was the conversation?', ['A: Hello.', 'U: Okay.']],
  ] as const)('leave "%s" unknown where no turn proves it', (prompt, turns) => {
    expect(judged(goal(prompt), ...turns)).toMatchObject({ result: 'unknown', score: null });
  });

  it('count to the highest score of a numeric goal', () => {
    const numeric = goal('Was the caller satisfied?', { scoring: 'numeric', maxScore: 10 });
    expect(judged(numeric, 'A: Hello.', 'U: Excellent!')?.score).toBe(10);
    expect(judged(numeric, 'A: Hello.', 'U: That was terrible.')?.score).toBe(0);
  });
});

describe('data by rules', () => {
  const guests = fieldsOf('table')[0] as Field;
  const collected = (...turns: readonly string[]) =>
    analyzeByRules({ ...call(...turns), dataNeeded: [guests] }).dataCollected.guests;

  it('quote the turn of the answer', () => {
    expect(collected('A: For how many people?', 'U: We are four.')).toEqual({
      value: 4,
      rationale: 'The caller said so in turn 1.',
      turns: [1],
      quote: 'four',
    });
  });

  it('name the question that was not answered, and why', () => {
    expect(collected('A: For how many people?', 'U: I have no idea.')).toEqual({
      value: null,
      rationale: 'Asked in turn 0; the caller did not know.',
      turns: [0],
    });
    expect(collected('A: For how many people?', 'U: I would rather not say.')?.rationale).toMatch(
      /did not want to say/,
    );
    expect(collected('A: For how many people?', 'U: [redacted]')?.rationale).toMatch(
      /removed from the transcript/,
    );
    expect(collected('A: Hello.', 'U: Hello.')).toEqual({ value: null, rationale: 'Not asked.' });
  });

  it('do not take the words of the agent for an answer', () => {
    expect(collected('A: For how many people? Four?', 'A: Hello? Four people?')?.value).toBeNull();
  });

  it('take what the agent read back once the caller confirms it', () => {
    const turns = [
      'A: For how many people?',
      'U: mumble',
      'A: So that is four people, right?',
      'U: Yes.',
    ] as const;
    expect(collected(...turns)).toMatchObject({ value: 4, turns: [2, 3], quote: 'Yes.' });
    expect(collected(...turns.slice(0, 3), 'U: No.')?.value).toBeNull();
  });

  it('hear what the agent really said before it was interrupted', () => {
    const subject = call('A: For how many people, and on which day?', 'U: Four.');
    const [first, ...rest] = subject.turns;
    if (first === undefined) throw new Error('no turn');
    const cut = { ...subject, turns: [{ ...first, spokenText: 'For how many people' }, ...rest] };
    const { day } = analyzeByRules(cut).dataCollected;
    expect(day).toEqual({ value: null, rationale: 'Not asked.' });
  });
});

describe('success by rules', () => {
  const required = fieldsOf('table').map((field) => ({ ...field, required: field.id === 'guests' }));
  const successOf = (...turns: readonly string[]) =>
    analyzeByRules({ ...call(...turns), dataNeeded: required }).successful;

  it('needs every required field', () => {
    expect(successOf('A: For how many people?', 'U: Four.')).toBe('success');
    expect(successOf('A: For how many people?', 'U: No idea.')).toBe('failure');
  });

  it('is unknown for a call in which nobody spoke, and where nothing is required', () => {
    expect(successOf('A: For how many people?')).toBe('unknown');
    expect(analyzeByRules(call('A: Hello.', 'U: Hello.')).successful).toBe('unknown');
  });
});

describe('summary by rules', () => {
  it('holds the wish, the confirmation and the last word, in the language of the call', () => {
    const turns = [
      'A: Guten Tag.',
      'U: Ich möchte einen Tisch für vier Personen reservieren.',
      'A: Also vier Personen am Samstag um acht, richtig?',
      'U: Ja, und bitte am Fenster.',
    ];
    expect(analyzeByRules(subjectOf({ form: 'tisch', turns })).summary).toBe(
      'Anrufer: “Ich möchte einen Tisch für vier Personen reservieren.” ' +
        'Agent: “Also vier Personen am Samstag um acht, richtig?” Anrufer: “Ja, und bitte am Fenster.”',
    );
  });

  it('is null for a call without words of the caller', () => {
    expect(analyzeByRules(call('A: Hello?', 'A: Goodbye.')).summary).toBeNull();
  });

  it('is cut at a word, at 500 characters', () => {
    const long = `U: ${'I would like to change my reservation. '.repeat(100)}`;
    const summary = analyzeByRules(call('A: Hello.', long, long)).summary ?? '';
    expect(summary.length).toBeLessThanOrEqual(500);
    expect(summary).toMatch(/\w…”$/);
  });
});
