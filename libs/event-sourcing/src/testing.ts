// Given these events, when this command, then those events: tests describe a decider in this form. And a comparison of
// the contents of two read models.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { AppError, type ErrorCode } from '@parlance/errors';
import { type Decider, fold, type Message } from './decider.js';

export { type GoldenStream, goldenStreams } from './golden-streams.js';

export interface Outcome<S, E extends Message> {
  /** Exactly these events were decided. */
  then(...expected: readonly E[]): void;
  /** Nothing was left to do. */
  thenNothing(): void;
  /** The command was refused with this code. */
  thenRefused(code: ErrorCode): void;
  /** The state after the decided events. */
  thenState(check: (state: S) => void): void;
}

export interface History<S, C, E extends Message> {
  when(command: C): Outcome<S, E>;
}

/** `given(decider)(...events).when(command).then(...events)`; a wrong outcome throws an AssertionError. */
export const given =
  <S, C, E extends Message>(decider: Decider<S, C, E>) =>
  (...events: readonly E[]): History<S, C, E> => {
    const state = fold(decider, events);
    return {
      when: (command) => {
        const decide = (): readonly E[] => decider.decide(command, state);
        return {
          // biome-ignore lint/suspicious/noThenProperty: the word of the grammar; an outcome is never awaited
          then: (...expected) => assert.deepEqual(decide(), expected),
          thenNothing: () => assert.deepEqual(decide(), []),
          thenRefused: (code) =>
            assert.throws(decide, (error) => {
              assert.ok(error instanceof AppError, 'refused with something other than an AppError');
              assert.equal(error.code, code);
              return true;
            }),
          thenState: (check) => check(fold(decider, decide(), state)),
        };
      },
    };
  };

const canonical = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(value)) return value.map(canonical);
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, canonical(member)]),
  );
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Equal for equal rows or documents, in any order of them and their fields. */
export const contentHash = (rows: readonly unknown[]): string =>
  sha256(
    rows
      .map((row) => sha256(JSON.stringify(canonical(row))))
      .sort()
      .join(),
  );
