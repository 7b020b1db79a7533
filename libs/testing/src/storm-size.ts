// The size of a storm: small in `npm test`; the environment variable of the storm makes it larger for a longer run.

/** @param variable such as `PARLANCE_TEST_HISTORIES` */
export const stormSize = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);
