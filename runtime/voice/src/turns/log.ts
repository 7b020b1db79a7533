// Log lines of the process of a call. Errors of providers may repeat what was said, and are redacted as its turns are.
import { type RedactionOptions, redact } from '@parlance/redaction';

let redaction: RedactionOptions | undefined;

/** A process holds one call. */
export const redactLogs = (options: RedactionOptions | undefined): void => {
  redaction = options;
};

export const logEvent = (event: string, fields: Readonly<Record<string, unknown>>): void => {
  const shown = Object.entries(fields).map(([name, value]) => [
    name,
    redaction === undefined || typeof value !== 'string' ? value : redact(value, redaction).text,
  ]);
  process.stderr.write(`${JSON.stringify({ event, ...Object.fromEntries(shown) })}\n`);
};
