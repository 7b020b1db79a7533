import { describe, expect, it } from '@jest/globals';
import type { CallCommand } from '../call/call-commands.js';
import { agentId, organizationId, pendingCall, turn } from '../testing/facts.js';
import { callAfter, remove } from '../testing/told.js';
import type { AnalysisJob } from './analysis-queue.js';
import { CallAnalyzer } from './analyze-call.js';

const ingestId = '0197f3f0-0000-7000-8000-000000000003';
const job: AnalysisJob = { callId: 'c', organizationId, ingestId, tries: 1 };
const settings = {
  language: 'en',
  timezone: 'UTC',
  llmModel: 'openai/gpt-4.1',
  dataNeeded: [{ id: 'guests', type: 'integer' as const, description: 'Number of people' }],
  dataEvaluation: [],
};
const turns = [turn(0, 'How many people?'), turn(1, 'Four.')];

const analyzing = (commands: readonly CallCommand[], change: object = {}) => {
  const handled: unknown[] = [];
  const commandIds: string[] = [];
  const analyzer = new CallAnalyzer({
    calls: {
      find: async () => callAfter(...commands),
      handle: (async (_callId: string, command: unknown, meta: { commandId: string }) => {
        handled.push(command);
        commandIds.push(meta.commandId);
      }) as never,
    },
    transcripts: {
      page: async (_organizationId, _callId, { after }) => turns.filter(({ seq }) => seq > after),
    },
    settings: { find: async () => settings },
    clock: { now: () => new Date('2026-03-01T10:02:00.000Z') },
    logger: { info: () => undefined, warn: () => undefined },
    ...change,
  });
  return { analyzer, handled, commandIds };
};

describe('the analysis of a call', () => {
  it('records what the rules find, under an id that follows from the hand-over', async () => {
    const { analyzer, handled, commandIds } = analyzing(pendingCall);
    expect(await analyzer.analyze(job)).toBe('rules');
    expect(handled).toMatchObject([
      {
        type: 'RecordAnalysis',
        organizationId,
        ingestId,
        analysisStatus: 'completed',
        model: null,
        personal: { dataCollected: { guests: { value: 4, turns: [1] } } },
      },
    ]);
    expect(commandIds).toEqual([`calls-logs:analysis:${ingestId}`]);
  });

  it.each([
    ['was deleted', [...pendingCall, remove], job],
    ['was handed over anew', pendingCall, { ...job, ingestId: 'other' }],
    ['belongs to another organization', pendingCall, { ...job, organizationId: 'other' }],
  ] as const)('does nothing for a call that %s', async (_what, commands, one) => {
    const { analyzer, handled } = analyzing(commands);
    expect(await analyzer.analyze(one)).toBeUndefined();
    expect(handled).toEqual([]);
  });

  it('fails where the agent or its version is gone', async () => {
    const { analyzer, handled } = analyzing(pendingCall, { settings: { find: async () => undefined } });
    await analyzer.analyze(job);
    expect(handled).toMatchObject([
      { analysisStatus: 'failed', successful: null, personal: { summary: null } },
    ]);
  });

  it('reads the version of the configuration that the call ran with', async () => {
    const asked: unknown[] = [];
    const find = async (of: unknown) => {
      asked.push(of);
      return settings;
    };
    await analyzing(pendingCall, { settings: { find } }).analyzer.analyze(job);
    expect(asked).toMatchObject([{ organizationId, agentId, version: 3 }]);
  });

  it('names the model that made it', async () => {
    const model = {
      analyze: async (_subject: unknown, _model: string, byRules: object) => ({
        model: 'custom/spare',
        analysis: { ...byRules, summary: 'A table for four.' },
      }),
    };
    const { analyzer, handled } = analyzing(pendingCall, { model });
    expect(await analyzer.analyze(job)).toBe('model');
    expect(handled).toMatchObject([{ model: 'custom/spare', personal: { summary: 'A table for four.' } }]);
  });
});
