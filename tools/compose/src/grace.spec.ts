import { describe, expect, it } from '@jest/globals';
import { type AnsweringProcess, contract, releasedServices, stopLimitMsOf } from '@parlance/contracts';
import { z } from 'zod';
import { graceSecondsOf } from './grace.js';
import { type Process, processes } from './processes.js';

const seconds = (name: AnsweringProcess): number => {
  const process = processes.find((one) => one.name === name);
  if (process === undefined) throw new Error(`there is no process ${name}`);
  return graceSecondsOf(process);
};

describe('the time before a process is killed', () => {
  it.each([...releasedServices, 'mcp-facade'] as const)('is longer than %s takes to stop', (name) => {
    expect(seconds(name) * 1_000).toBeGreaterThan(stopLimitMsOf(name));
  });

  it.each(['gateway', 'mcp-facade', 'mcp-hub'] as const)('lets %s answer the slowest tool', (name) => {
    expect(seconds(name) * 1_000).toBeGreaterThan(contract.mcpExecute.answerWithinMs);
  });

  it('has the drain delay and the ringing phones in it, where a process has them', () => {
    const plain: Process = { name: 'knowledge', env: z.object({}) };
    const ringing: Process = {
      name: 'knowledge',
      env: z.object({ DIALS_FINISH_WITHIN_SECONDS: z.string().default('85').transform(Number) }),
    };
    const draining: Process = { name: 'knowledge', env: z.object({ DRAIN_DELAY_MS: z.string().optional() }) };
    expect(graceSecondsOf(ringing) - graceSecondsOf(plain)).toBe(85);
    expect(graceSecondsOf(draining) - graceSecondsOf(plain)).toBe(5);
  });
});
