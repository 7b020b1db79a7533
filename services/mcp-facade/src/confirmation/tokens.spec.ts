import { describe, expect, it } from '@jest/globals';
import { Secret } from '@parlance/config';
import { AppError } from '@parlance/errors';
import { systemIds } from '@parlance/observability';
import { ConfirmationTokens, type Subject } from './tokens.js';

const key = new Secret('a key for confirmations, long enough');
const subject: Subject = {
  organizationId: 'ours',
  actor: 'key:1',
  tool: 'delete-agent',
  arguments: { agentId: 'a', deep: { one: 1, two: [1, 2] } },
  channel: 'preview',
};

let now = Date.parse('2026-11-23T08:00:00Z');
const tokens = new ConfirmationTokens({ key, ids: systemIds, clock: { now: () => new Date(now) } });

const reasonOf = (open: () => unknown): unknown => {
  try {
    open();
  } catch (error) {
    if (error instanceof AppError && error.code === 'CONFIRMATION_INVALID')
      return Object(error.details).reason;
    throw error;
  }
  return 'accepted';
};

describe('a token', () => {
  it('opens for what it was issued for, however the client orders its arguments', () => {
    const { token, expiresAt } = tokens.issue(subject);
    const reordered = { deep: { two: [1, 2], one: 1 }, agentId: 'a' };
    expect(tokens.open(token, { ...subject, arguments: reordered })).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      expiresAt,
    });
  });

  it.each([
    ['another organization', { organizationId: 'theirs' }],
    ['another key', { actor: 'key:2' }],
    ['a user with the id of the key', { actor: 'user:1' }],
    ['another tool', { tool: 'delete-tool' }],
    ['a changed argument', { arguments: { agentId: 'b' } }],
    ['one argument more', { arguments: { ...subject.arguments, more: true } }],
    ['the other way to confirm', { channel: 'elicitation' as const }],
  ])('is refused for %s', (_, change) => {
    const { token } = tokens.issue(subject);
    expect(reasonOf(() => tokens.open(token, { ...subject, ...change }))).toBe('for_something_else');
  });

  it('ends after five minutes', () => {
    const { token } = tokens.issue(subject);
    now += 5 * 60_000 - 1;
    expect(reasonOf(() => tokens.open(token, subject))).toBe('accepted');
    now += 1;
    expect(reasonOf(() => tokens.open(token, subject))).toBe('expired');
  });

  it('cannot be made, changed or spelt anew by the client that holds it', () => {
    const { token } = tokens.issue(subject);
    const other = new ConfirmationTokens({
      key: new Secret('another key for confirmations, as long'),
      ids: systemIds,
      clock: { now: () => new Date(now) },
    });
    const middle = Math.floor(token.length / 2);
    const flipped = `${token.slice(0, middle)}${token[middle] === 'A' ? 'B' : 'A'}${token.slice(middle + 1)}`;
    for (const bad of [
      '',
      'x',
      flipped,
      `${token}=`,
      `${token}A`,
      other.issue(subject).token,
      'A'.repeat(5_000),
    ])
      expect(reasonOf(() => tokens.open(bad, subject))).toBe('malformed');
  });

  it('shows the client nothing of what it is for', () => {
    const { token } = tokens.issue(subject);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('2026');
    expect(tokens.issue(subject).token).not.toBe(token);
  });
});
