import { describe, expect, it } from '@jest/globals';
import {
  type AuthOperation,
  authOperations,
  isReleased,
  type Operation,
  operations,
  webhookMessages,
} from '@parlance/contracts';
import type { z } from 'zod';
import { recorded, unrecorded } from './recorded.js';

const again = 'record again: PARLANCE_RECORD_EXAMPLES=1 npm test -- platform/src/contract';
const rows: readonly Operation[] = operations.filter(isReleased);
const doorRows: readonly AuthOperation[] = authOperations;
const { operations: exchanges, webhooks } = recorded();
const recordedRows = rows.filter(({ id }) => exchanges[id] !== undefined);
const text = JSON.stringify(recorded());

/** The faults of a value, each beginning with the name of its owner. */
const faults = (name: string, schema: z.ZodType | undefined, value: unknown): string[] =>
  (schema?.safeParse(value).error?.issues ?? []).map(
    ({ path, message }) => `${name} ${path.join('.')}: ${message}; ${again}`,
  );

describe('the recorded examples', () => {
  it('are one for each operation, or a reason, and none of an operation that is gone', () => {
    const ids = [...rows, ...doorRows].map(({ id }) => id).sort();
    expect([...Object.keys(exchanges), ...Object.keys(unrecorded)].sort()).toEqual(ids);
  });

  it('are requests that the contract takes', () => {
    const found = recordedRows.flatMap(({ id, params, query, body }) => [
      ...faults(`${id} path`, params, exchanges[id]?.params ?? {}),
      ...faults(`${id} query`, query, exchanges[id]?.query ?? {}),
      ...(body === undefined ? [] : faults(`${id} body`, body, exchanges[id]?.body ?? {})),
    ]);
    const ofDoor = doorRows.flatMap(({ id, query, body }) => [
      ...faults(`${id} query`, query, exchanges[id]?.query ?? {}),
      ...faults(`${id} body`, body, exchanges[id]?.body),
    ]);
    expect([...found, ...ofDoor]).toEqual([]);
  });

  it('are answers that the contract gives', () => {
    const found = recordedRows.flatMap((row) => {
      const { status, answer } = exchanges[row.id] ?? { status: 0, answer: undefined };
      const statuses: readonly unknown[] = [row.success, row.repeatedSuccess];
      const wrong = statuses.includes(status) ? [] : [`${row.id} has the status ${status}; ${again}`];
      return typeof answer === 'string'
        ? wrong
        : [...wrong, ...faults(row.id, row.data, Object(answer).data)];
    });
    const ofDoor = doorRows.flatMap(({ id, answer }) => faults(id, answer, exchanges[id]?.answer));
    expect([...found, ...ofDoor]).toEqual([]);
  });

  it('have a message of each type that webhooks receive', () => {
    for (const [type, { schema }] of Object.entries(webhookMessages))
      if (type !== 'call.failed') expect(faults(type, schema, webhooks[type])).toEqual([]);
  });

  it('hold no address of a machine, and nothing that opens something', () => {
    expect(text).not.toMatch(/127\.0\.0\.1|localhost|::1|\/(tmp|home|root)\//);
    expect(text).not.toMatch(/eyJ[\w-]{10}|whsec_(?!example)|parl_live_(?!exam)|X-Amz-/);
    // A generated secret is one long word with digits, capitals and small letters.
    const words = text.match(/[\w-]{20,}/g) ?? [];
    expect(words.filter((word) => /\d/.test(word) && /[A-Z]/.test(word) && /[a-z]/.test(word))).toEqual([]);
  });
});
