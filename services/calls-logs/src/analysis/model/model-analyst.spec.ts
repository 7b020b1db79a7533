import { describe, expect, it } from '@jest/globals';
import { analyzeByRules } from '../rules/analyze.js';
import { subjectOf } from '../testing/labelled-calls.js';
import { type AskModel, ModelAnalyst, type ModelRequest } from './model-analyst.js';

const subject = subjectOf(
  {
    form: 'table',
    turns: [
      'A: For how many people?',
      'U: My wife, the twins and me.',
      'A: So four people. Great.',
      'U: Thanks.',
    ],
  },
  {
    dataEvaluation: [
      { id: 'kind', name: 'Kind', prompt: 'Was the agent kind?', scoring: 'numeric', maxScore: 5 },
    ],
  },
);
const byRules = analyzeByRules(subject);
const logger = { warn: () => undefined };
const analyze = (ask: AskModel, timeoutMs?: number) =>
  new ModelAnalyst({ ask, logger, ...(timeoutMs === undefined ? {} : { timeoutMs }) }).analyze(
    subject,
    { organizationId: 'org', model: 'openai/x' },
    byRules,
  );
const answering = (answer: unknown) =>
  analyze(async () => ({
    text: typeof answer === 'string' ? answer : JSON.stringify(answer),
    model: 'openai/x',
  }));
const guests = (value: unknown, turn: unknown, quote: unknown) => ({
  data: { guests: { value, turn, quote } },
});

describe('the analysis by a language model', () => {
  it('takes values and scores that a turn proves', async () => {
    const found = await answering({
      ...guests(4, 1, 'my wife, the twins and me'),
      goals: { kind: { result: 'success', score: 9, turn: 2, quote: 'Great.', reason: 'It was kind.' } },
      summary: 'A table for four.',
    });
    expect(found).toMatchObject({
      model: 'openai/x',
      analysis: {
        dataCollected: { guests: { value: 4, turns: [1] } },
        evaluation: [{ id: 'kind', result: 'success', score: 5, turns: [2], quote: 'Great.' }],
        summary: 'A table for four.',
        successful: 'success',
      },
    });
  });

  it.each([
    ['a turn that does not exist', guests(4, 9, 'the twins')],
    ['words that the turn does not hold', guests(4, 1, 'four people')],
    ['a turn of the agent', guests(4, 2, 'four people')],
    ['no words', guests(4, 1, ' . ')],
    ['another type', guests('four', 1, 'the twins')],
    ['a fraction', guests(4.5, 1, 'the twins')],
  ])('drops a value with %s', async (_what, answer) => {
    expect((await answering(answer))?.analysis.dataCollected.guests?.value).toBeNull();
  });

  it('drops a score that no turn proves', async () => {
    const goals = { kind: { result: 'failure', score: 0, turn: 2, quote: 'Go away.' } };
    const found = await answering({ goals });
    expect(found?.analysis.evaluation).toMatchObject([{ result: 'unknown', score: null }]);
  });

  it.each([
    ['text', 'I am sorry, I cannot do that.'],
    ['broken JSON', '{"data": {"guests": '],
    ['another shape', '{"data": ["guests"]}'],
    ['nothing', ''],
  ])('gives way to the rules after an answer of %s', async (_what, answer) => {
    expect(await answering(answer)).toBeUndefined();
  });

  it('gives way to the rules when the model fails, hangs or is not configured', async () => {
    expect(await analyze(() => Promise.reject(new Error('429')))).toBeUndefined();
    expect(await analyze(() => new Promise(() => undefined), 1)).toBeUndefined();
    expect(await analyze(async () => undefined)).toBeUndefined();
  });

  it('passes the transcript as data, apart from the instructions', async () => {
    let request: ModelRequest | undefined;
    await analyze(async (one) => {
      request = one;
      return undefined;
    });
    expect(request?.system).not.toContain('twins');
    expect(request?.user.split('\n').map((line) => JSON.parse(line).seq)).toEqual([0, 1, 2, 3]);
  });
});
