// A limit for work in a page. Playwright has none for a function that it evaluates there, so a test that hangs would tell
// only its own name.

const longestMs = 60_000;

/** @throws Error that names the work, when it is not over after a minute */
export const inTime = async <T>(name: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${name}: not over after a minute`)), longestMs);
  });
  return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};
