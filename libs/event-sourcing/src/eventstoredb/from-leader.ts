// A node of a cluster that is not the leader says so and does nothing. The client then connects to the leader that the
// node has named, but it reports the request as failed. The request is therefore repeated here.
import { setTimeout as delay } from 'node:timers/promises';
import { isNotLeader } from './failures.js';

const tries = 3;
/** The client changes its connection just after it has reported the failure. */
const pauseMs = 20;

/** Asks again after the answer of a node that is not the leader: nothing was done there. */
export const fromLeader = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === tries || !isNotLeader(error)) throw error;
      await delay(pauseMs);
    }
  }
};
