// A look from where this very process stands, with the environment that it has parsed.
import { type EnvSource, writtenKey } from '@parlance/config';
import { checks } from './checks/index.js';
import { diagnose } from './diagnosis/diagnose.js';
import { checksOfServices, migrationsOf } from './places.js';
import type { Place } from './probe/check.js';
import type { Report } from './report/report.js';

const root = new URL('../../../', import.meta.url);

const field = (value: object, name: string): unknown => Reflect.get(value, name);

/** The value as it was written in the environment; undefined for a type that no check reads. */
const written = (value: unknown): string | undefined => {
  const text = writtenKey(value);
  if (text !== undefined) return text;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const [name, address] = [field(value, 'name'), field(value, 'address')];
  return typeof address === 'string' ? `${String(name ?? '')} <${address}>` : undefined;
};

const variablesOf = (env: object): EnvSource =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name, written(value)]));

/** Looks once. @param env as the process has parsed it */
export const ownLook = async (process: string, env: object): Promise<Report> => {
  const place: Place = { process, variables: variablesOf(env), migrations: migrationsOf(root, process) };
  return diagnose({ places: [place], checks: [...checks, ...(await checksOfServices(root, process))] });
};
