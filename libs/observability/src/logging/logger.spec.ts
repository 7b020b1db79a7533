import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { systemClock, systemIds } from './clock.js';
import { currentContext, runWithContext } from './context.js';
import { createLogger } from './logger.js';

const recording = (): { lines: Record<string, unknown>[]; logger: ReturnType<typeof createLogger> } => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ service: 'agents-config', destination }) };
};

describe('createLogger', () => {
  it('adds service, request, organization and actor of the work at hand, across awaits and not beyond', async () => {
    const { lines, logger } = recording();
    const work = (requestId: string) => async () => {
      await setImmediate();
      logger.info('inside');
      expect(currentContext()?.requestId).toBe(requestId);
    };
    await Promise.all([
      runWithContext({ requestId: 'r1', organizationId: 'o1', actor: 'user:u1' }, work('r1')),
      runWithContext({ requestId: 'r2' }, work('r2')),
    ]);
    logger.info('outside');
    expect(lines).toEqual([
      expect.objectContaining({
        service: 'agents-config',
        requestId: 'r1',
        organizationId: 'o1',
        actor: 'user:u1',
        level: 'info',
      }),
      expect.objectContaining({ service: 'agents-config', requestId: 'r2' }),
      expect.not.objectContaining({ requestId: expect.anything() }),
    ]);
    expect(lines[1]).not.toHaveProperty('organizationId');
    expect(currentContext()).toBeUndefined();
  });

  it('writes the time as ISO text and drops what is below its level', () => {
    const { lines, logger } = recording();
    logger.debug('no');
    logger.info('yes');
    expect(lines).toHaveLength(1);
    expect(String(lines[0]?.time)).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  });
});

describe('system ids and clock', () => {
  it('gives version 7 uuids that sort in the order they were made', () => {
    const ids = Array.from({ length: 1_000 }, () => systemIds.next());
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(1_000);
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(systemClock.now()).toBeInstanceOf(Date);
  });
});
