// Measurements of a pool of connections.
import { backgroundWaiting, observe, poolConnections, poolMost, poolWaiting } from '@parlance/metrics';
import type pg from 'pg';
import type { Admission } from './admission.js';

type Counted = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

interface Limits {
  /** Connections at most. */
  readonly most: number;
  readonly admission: Pick<Admission, 'waiting'>;
}

/** @returns a function that ends it */
export const observePool = (name: string, pool: Counted, { most, admission }: Limits): (() => void) => {
  const labels = { 'db.client.connection.pool.name': name };
  const state = (value: string) => ({ ...labels, 'db.client.connection.state': value });
  const ends = [
    observe(poolConnections, () => [
      [pool.idleCount, state('idle')],
      [pool.totalCount - pool.idleCount, state('used')],
    ]),
    observe(poolMost, () => [[most, labels]]),
    observe(poolWaiting, () => [[pool.waitingCount, labels]]),
    observe(backgroundWaiting, () => [[admission.waiting, labels]]),
  ];
  return () => {
    for (const end of ends) end();
  };
};
