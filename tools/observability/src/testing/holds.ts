// Judges the expression of an alert against the text of one process: thresholds of gauges, which need no history.
// Promtool judges expressions that need a rate or several copies.
import { alerts } from '../alerts.js';

const shape =
  /^(?:(?:max|min|sum)(?: by \([^)]*\) )?\()?(?<name>[a-z0-9_]+)(?:\{(?<labels>[^}]*)\})?\)? (?<operator>==|>) (?<limit>[0-9.]+)$/;

const matcherOf = (text: string): ((line: string) => boolean) => {
  const [, label = '', operator, value = ''] = /^(\w+)(=~|=)"(.*)"$/.exec(text) ?? [];
  const pattern = new RegExp(
    `[{,]${label}="(${operator === '=~' ? value : value.replaceAll(/\W/g, '\\$&')})"`,
  );
  return (line) => pattern.test(line);
};

/** @throws Error for an alert of another shape, and for one that does not exist */
export const holdsIn = (alertName: string, text: string): boolean => {
  const expr = alerts.find(({ name }) => name === alertName)?.expr ?? '';
  const parts = shape.exec(expr)?.groups;
  if (parts === undefined) throw new Error(`${alertName} is no threshold of a gauge: ${expr}`);
  const matchers = (parts.labels ?? '').split(',').filter(Boolean).map(matcherOf);
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${parts.name}{`) || line.startsWith(`${parts.name} `))
    .filter((line) => matchers.every((matches) => matches(line)))
    .map((line) => Number(line.split(' ').at(-1)));
  const limit = Number(parts.limit);
  return values.some((value) => (parts.operator === '==' ? value === limit : value > limit));
};
