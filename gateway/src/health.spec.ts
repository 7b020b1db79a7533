import { describe, expect, it } from '@jest/globals';
import { contract } from '@parlance/contracts';
import type { CheckReport, ReadinessReport } from '@parlance/observability';
import { ready } from './health.js';

const at = '2026-07-01T09:30:00.000Z';
const check = (
  status: CheckReport['status'],
  required = true,
  latencyMs: number | null = 3,
): CheckReport => ({
  status,
  required,
  latencyMs,
  message: status === 'down' ? 'does not work' : null,
  checkedAt: at,
});
const report = (checks: ReadinessReport['checks'], more: Partial<ReadinessReport> = {}): ReadinessReport => ({
  ready: true,
  draining: false,
  checks,
  projectionLagMs: 0,
  parked: 0,
  ...more,
});

const own = report({ readModel: check('up'), queue: check('up') });
const ask = (
  services: Readonly<Record<string, ReadinessReport | undefined>> = {},
  gateway: ReadinessReport = own,
) => ready({ own: gateway, services: new Map(Object.entries(services)) }, new Date(at));

describe('ready', () => {
  it('is ready when all is well, names every dependency and fits the contract', () => {
    const answer = ask({ calls: report({ eventStore: check('up') }, { projectionLagMs: 40 }) });
    expect(answer).toMatchObject({ status: 'ready', projectionLagMs: 40 });
    expect(Object.keys(answer.checks)).toEqual(
      expect.arrayContaining([
        'eventStore',
        'readModel',
        'queue',
        'objectStorage',
        'mediaServer',
        'aiRuntime',
      ]),
    );
    expect(answer.checks.objectStorage?.status).toBe('skipped');
    expect(contract.healthReady.data.safeParse(answer).success).toBe(true);
  });

  it('is degraded, not down, when a dependency of one service is down', () => {
    const answer = ask({ calls: report({ eventStore: check('down') }, { ready: false }) });
    expect(answer.status).toBe('degraded');
    expect(answer.checks.eventStore).toMatchObject({ status: 'down', required: false });
  });

  it('keeps its own view of what it needs apart from that of a service', () => {
    const answer = ask({ calls: report({ readModel: check('down') }) });
    expect(answer.checks.readModel).toMatchObject({ status: 'down', required: false });
  });

  it('is degraded while a part of a service or of the gateway cannot work, and says which and why', () => {
    const troubles = [{ part: 'outbox-relay', reason: 'cannot publish' }];
    const down = { status: 'down', required: false, latencyMs: null, message: 'cannot publish' };
    for (const [answer, name] of [
      [ask({ calls: report({}, { troubles }) }), 'part:calls/outbox-relay'],
      [ask({}, { ...own, troubles }), 'part:gateway/outbox-relay'],
    ] as const) {
      expect(answer.status).toBe('degraded');
      expect(answer.checks[name]).toMatchObject(down);
      expect(contract.healthReady.data.safeParse(answer).success).toBe(true);
    }
    expect(ask({ calls: report({}, { troubles: [] }) }).status).toBe('ready');
  });

  it.each([
    ['a silent service', { calls: undefined }],
    ['something set aside', { calls: report({}, { parked: 1 }) }],
    ['a read model that lags', { calls: report({}, { projectionLagMs: 6_000 }) }],
  ])('is degraded with %s', (_, services) => {
    expect(ask(services).status).toBe('degraded');
  });

  it.each([
    ['Postgres is down', report({ readModel: check('down'), queue: check('up') }, { ready: false })],
    ['it is told to stop', report({ readModel: check('up') }, { ready: false, draining: true })],
  ])('is not ready when %s, and shows the same facts', (_, gateway) => {
    expect(() => ask({}, gateway)).toThrow(
      expect.objectContaining({
        code: 'NOT_READY',
        details: expect.objectContaining({ checks: expect.any(Object), draining: gateway.draining }),
      }),
    );
  });
});
