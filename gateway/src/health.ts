// GET /health and GET /ready. Health is this process and nothing else. Ready gathers the reports of every service about
// its dependencies. Only a broken dependency of this gateway itself makes it "not ready". Otherwise a broken dependency
// of one service would take every gateway out of the load balancer.
import { apiVersion } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type CheckReport, type Clock, checkNames, type ReadinessReport } from '@parlance/observability';

/** Read models older than this are worth telling. */
const tolerableLagMs = 5_000;

export interface HealthOptions {
  readonly version: string;
  readonly clock: Clock;
  readonly startedAt: Date;
}

export interface Reports {
  /** The report of this gateway. */
  readonly own: ReadinessReport;
  /** The reports of services by name; undefined for a service that has gone silent. */
  readonly services: ReadonlyMap<string, ReadinessReport | undefined>;
}

export const health = ({ version, clock, startedAt }: HealthOptions) => {
  const now = clock.now();
  return {
    status: 'ok' as const,
    service: 'gateway',
    version,
    apiVersion,
    time: now.toISOString(),
    uptimeSeconds: Math.max(0, Math.round((now.getTime() - startedAt.getTime()) / 1_000)),
  };
};

const latest = (reports: readonly CheckReport[]): string =>
  reports
    .map(({ checkedAt }) => checkedAt)
    .sort()
    .at(-1) ?? '';

// One line per dependency over all reports: down if any report says so.
const merge = (own: CheckReport | undefined, others: readonly CheckReport[]): CheckReport | undefined => {
  const all = own === undefined ? others : [own, ...others];
  const worst =
    all.find(({ status }) => status === 'down') ?? all.find(({ status }) => status === 'up') ?? all[0];
  if (worst === undefined) return undefined;
  if (own?.status === 'down') return own;
  const latencies = all.flatMap(({ latencyMs }) => latencyMs ?? []);
  return {
    status: worst.status,
    // down for a service only: that service answers 503, this gateway does not
    required: own?.required === true && worst.status !== 'down',
    latencyMs: worst.status === 'down' || latencies.length === 0 ? null : Math.max(...latencies),
    message: worst.message,
    checkedAt: latest(all),
  };
};

const skipped = (at: Date): CheckReport => ({
  status: 'skipped',
  required: false,
  latencyMs: null,
  message: null,
  checkedAt: at.toISOString(),
});

const silent = (at: Date): CheckReport => ({ ...skipped(at), status: 'down', message: 'does not report' });

/** A background part that cannot do its work: requests are answered, and work behind them stays undone. */
const troubled = (reason: string, at: Date): CheckReport => ({
  ...skipped(at),
  status: 'down',
  message: reason,
});

const mergedChecks = ({ own, services }: Reports, now: Date): Record<string, CheckReport> => {
  const heard = [...services.values()].filter((report) => report !== undefined);
  const checks: Record<string, CheckReport> = {};
  for (const name of checkNames) {
    const others = heard.flatMap(({ checks: theirs }) => theirs[name] ?? []);
    checks[name] = merge(own.checks[name], others) ?? skipped(now);
  }
  for (const [service, report] of services)
    if (report === undefined) checks[`service:${service}`] = silent(now);
  for (const [service, report] of [['gateway', own] as const, ...services])
    for (const { part, reason } of report?.troubles ?? [])
      checks[`part:${service}/${part}`] = troubled(reason, now);
  return checks;
};

/** @throws AppError NOT_READY with the same facts, when this gateway cannot serve or has been told to stop */
export const ready = (reports: Reports, now: Date) => {
  const { own, services } = reports;
  const all = [own, ...[...services.values()].filter((report) => report !== undefined)];
  const checks = mergedChecks(reports, now);
  const projectionLagMs = Math.max(...all.map((report) => report.projectionLagMs));
  if (!own.ready)
    throw new AppError('NOT_READY', { details: { checks, projectionLagMs, draining: own.draining } });
  const isWell =
    Object.values(checks).every(({ status }) => status !== 'down') &&
    projectionLagMs <= tolerableLagMs &&
    all.every(({ parked }) => parked === 0);
  return { status: isWell ? ('ready' as const) : ('degraded' as const), checks, projectionLagMs };
};
