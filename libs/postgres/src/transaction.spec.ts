import { describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { inTransaction, Transaction } from './transaction.js';

type Answer = (outcome: { readonly command: string } | Error) => void;

/** A connection that answers when it is told to. */
const openConnection = () => {
  const sent: string[] = [];
  const answers: Answer[] = [];
  const query = ({ text }: { readonly text: string }) =>
    new Promise((resolve, reject) => {
      sent.push(text);
      answers.push((outcome) =>
        outcome instanceof Error ? reject(outcome) : resolve({ ...outcome, rows: [], rowCount: 0 }),
      );
    });
  const client = { query } as unknown as pg.ClientBase;
  return {
    client,
    sent,
    answer: (outcome: { readonly command: string } | Error) => answers.shift()?.(outcome),
  };
};

const settledMicrotasks = () => new Promise((resolve) => setImmediate(resolve));

describe('inTransaction', () => {
  it('sends the first statement behind BEGIN and the time limit, without a wait for their answers', async () => {
    const { client, sent, answer } = openConnection();
    const tx = new Transaction(client, 5_000, { timeoutMs: 60_000 });
    const running = inTransaction(tx, (inside) => inside.query('update places set taken = true'));
    expect(sent).toEqual(['begin', 'set local statement_timeout = 60000', 'update places set taken = true']);
    for (const command of ['BEGIN', 'SET', 'UPDATE']) answer({ command });
    await settledMicrotasks();
    expect(sent.at(-1)).toBe('commit');
    answer({ command: 'COMMIT' });
    await running;
  });

  it('sends no second statement, and does not commit, when BEGIN has failed', async () => {
    const { client, sent, answer } = openConnection();
    const running = inTransaction(new Transaction(client, 5_000, {}), async (inside) => {
      await inside.query('select 1');
      await inside.query('select 2');
    });
    const outcome = expect(running).rejects.toThrow('no transaction');
    answer(new Error('no transaction'));
    answer({ command: 'SELECT' });
    await settledMicrotasks();
    answer({ command: 'ROLLBACK' });
    await outcome;
    expect(sent).toEqual(['begin', 'select 1', 'rollback']);
  });
});
