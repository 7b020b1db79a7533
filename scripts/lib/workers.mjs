// The number of Jest workers for the unit tests.

/**
 * One worker per core, because unit tests do not wait and every worker loads all modules. Left to the arguments if they set a
 * number: Jest would read '100%' next to it as 100 workers.
 */
export const unitWorkers = (args) =>
  args.some((arg) => /^(-w|-i|--maxWorkers|--max-workers|--runInBand)/.test(arg))
    ? []
    : ['--maxWorkers=100%'];
