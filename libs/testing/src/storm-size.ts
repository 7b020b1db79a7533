// How large a storm is: short in `npm test`, and as large as the variable of its name says where somebody has the time.

/** @param variable such as `PARLANCE_TEST_HISTORIES` */
export const stormSize = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);
