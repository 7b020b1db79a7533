// Grants turns to be busy: starting processes and placing calls keeps a core occupied, waiting for deadlines does not.
// With every world busy at once a small machine would be late everywhere, and lateness is no subject of the sweep.

export interface Turns {
  /** Does the work when it is its turn. */
  during<T>(work: () => Promise<T>): Promise<T>;
}

export const turnsOf = (atOnce: number): Turns => {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const give = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    during: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
};
