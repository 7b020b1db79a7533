import { describe, expect, it } from '@jest/globals';
import {
  type Callable,
  callables,
  contract,
  isOperation,
  longestWorkMs,
  mayAsk,
  operations,
  releasedServices,
  stopLimitMsOf,
} from './index.js';

const rows: readonly Callable[] = callables;
const isDownload = (row: Callable): boolean => isOperation(row) && row.download !== undefined;
const slow = rows.filter((row) => row.answerWithinMs !== undefined && !isDownload(row));

describe('a process that leaves', () => {
  it.each(slow)('has the time for $id, where it is answered and where its answer is waited for', (row) => {
    const processes = releasedServices.filter((name) => name === row.service || mayAsk(name, row));
    expect(processes).toContain(row.service);
    for (const process of processes)
      expect(longestWorkMs(process)).toBeGreaterThanOrEqual(row.answerWithinMs ?? 0);
  });

  it('has the time for every tool, where it speaks MCP', () => {
    const longest = Math.max(
      ...operations.map((row: Callable) =>
        isOperation(row) && row.mcp.as === 'tool' ? (row.answerWithinMs ?? 0) : 0,
      ),
    );
    expect(longest).toBe(contract.mcpExecute.answerWithinMs);
    expect(longestWorkMs('mcp-facade')).toBeGreaterThan(longest);
  });

  it('has no more than its own rows need, and is not held by a file that can be asked for again', () => {
    expect(longestWorkMs('widgets')).toBe(contract.widgetsSendMessage.answerWithinMs);
    expect(longestWorkMs('calls-logs')).toBeLessThan(contract.callsExport.answerWithinMs);
    expect(longestWorkMs('gateway')).toBeLessThan(contract.callsExport.answerWithinMs);
  });

  it('has time left for its background parts after the last answer', () => {
    for (const process of [...releasedServices, 'mcp-facade'] as const)
      expect(stopLimitMsOf(process)).toBeGreaterThan(longestWorkMs(process));
  });
});
