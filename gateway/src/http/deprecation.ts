// The headers of an operation that is about to end: Deprecation (RFC 9745), Sunset (RFC 8594) and a link to its successor.
import { type Deprecated, type Operation, operations } from '@parlance/contracts';
import type { Response } from 'express';

const startOf = (day: string): Date => new Date(`${day}T00:00:00.000Z`);

const pathOf = (id: Deprecated['instead'], rows: readonly Operation[]): string | undefined =>
  rows.find((row) => row.id === id)?.path;

/** Header values by name; none for an operation that stays. */
export const deprecationHeaders = (
  { deprecated }: Pick<Operation, 'deprecated'>,
  rows: readonly Operation[] = operations,
): Readonly<Record<string, string>> => {
  if (deprecated === undefined) return {};
  const { since, sunset, instead } = deprecated;
  const successor = pathOf(instead, rows);
  return {
    // A structured date: seconds of the epoch behind an at sign.
    Deprecation: `@${startOf(since).getTime() / 1_000}`,
    Sunset: startOf(sunset).toUTCString(),
    ...(successor === undefined || successor.includes('{')
      ? {}
      : { Link: `</api/v1${successor}>; rel="successor-version"` }),
  };
};

/** To be set before the request is authorized, so that refusals carry the headers too. */
export const setDeprecationHeaders = (
  response: Response,
  headers: Readonly<Record<string, string>>,
): void => {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
};
