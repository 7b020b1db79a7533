import { describe, expect, it } from '@jest/globals';
import type { CallSession } from '@parlance/conversation';
import { CallReport } from './call-report.js';

type Sent = Parameters<CallSession['report']>[0];

const redaction = {
  language: 'en-US',
  timezone: 'America/New_York',
  kinds: ['card', 'telephone', 'name'] as const,
};

const start = () => {
  const sent: Sent[number][] = [];
  const report = new CallReport(
    { report: async (events) => void sent.push(...events) },
    { redaction: { ...redaction, kinds: [...redaction.kinds] } },
  );
  return { sent, report };
};

const user = (text: string, startMs: number) => ({ role: 'user', text, startMs }) as const;
const agent = (text: string, startMs: number, more = {}) =>
  ({ role: 'agent', text, startMs, ...more }) as const;

describe('CallReport', () => {
  it('sends and keeps turns without personal data, also of a number that comes in several inputs', async () => {
    const { sent, report } = start();
    report.turn(agent('Please key in your card number.', 0));
    report.turn(user('4 1 1 1 1 1 1 1', 1_000));
    report.turn(agent('Go on.', 2_000));
    report.turn(user('1 1 1 1 1 1 1 1', 3_000));
    report.turn(agent('Thank you.', 4_000));
    report.turn(user('My name is Ada Lovelace.', 5_000));
    report.turn(
      agent('Thank you, Ada. I pay now.', 6_000, { spokenText: 'Thank you, Ada. I', interrupted: true }),
    );
    await report.finish();
    expect(report.turns.map(({ seq, text }) => `${seq} ${text}`)).toEqual([
      '0 Please key in your card number.',
      '1 [card number]',
      '2 Go on.',
      '3 [card number]',
      '4 Thank you.',
      '5 My name is [name].',
      '6 Thank you, [name]. I pay now.',
    ]);
    expect(report.turns.at(-1)?.spokenText).toBe('Thank you, [name]. I');
    expect(sent.flatMap((event) => (event.type === 'turn' ? [event.turn] : []))).toEqual(report.turns);
  });

  it('keeps digits back until it is clear what they are, and sends them at the end of the call', async () => {
    const { sent, report } = start();
    report.turn(user('It is 4 7 1 1', 0));
    expect(report.turns).toEqual([]);
    await report.finish();
    expect(report.turns).toMatchObject([{ seq: 0, text: 'It is 4 7 1 1' }]);
    expect(sent).toHaveLength(1);
  });

  it('counts tokens of prompts and of answers apart', () => {
    const report = new CallReport({ report: async () => undefined });
    for (const direction of ['input', 'output', 'input'] as const)
      report.use({
        kind: 'llm',
        quantity: 10,
        unit: 'token',
        provider: 'openai',
        model: 'openai/a',
        direction,
      });
    expect(report.summary().usage?.map(({ direction, quantity }) => [direction, quantity])).toEqual([
      ['input', 20],
      ['output', 10],
    ]);
  });
});
