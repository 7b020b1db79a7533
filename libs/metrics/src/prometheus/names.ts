// Names in the Prometheus text, by the rules of OpenTelemetry: dots become underscores, the unit and `_total` follow.
import type { Kind } from '../catalogue/definition.js';

const units: Readonly<Record<string, string>> = { s: 'seconds', ms: 'milliseconds', By: 'bytes' };

const sanitize = (name: string): string => name.replaceAll(/[^a-zA-Z0-9_]+/g, '_');

const unitSuffix = (unit: string, kind: Kind): string | undefined =>
  unit === '1' && kind === 'gauge' ? 'ratio' : units[unit];

/** @param unit in UCUM; a word in braces is no unit */
export const prometheusName = (name: string, unit: string, kind: Kind): string => {
  const plain = sanitize(name);
  const suffix = unitSuffix(unit, kind);
  const withUnit = suffix === undefined || plain.endsWith(`_${suffix}`) ? plain : `${plain}_${suffix}`;
  return kind === 'counter' ? `${withUnit}_total` : withUnit;
};

export const prometheusLabel = sanitize;
