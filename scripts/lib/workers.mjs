// How many processes run the unit tests.

/**
 * Unit tests wait for nothing, so one worker for each core is enough, and every further one would load the modules once more. Jest
 * takes '100%' beside another number for 100 workers.
 */
export const unitWorkers = (args) =>
  args.some((arg) => /^(-w|-i|--maxWorkers|--max-workers|--runInBand)/.test(arg))
    ? []
    : ['--maxWorkers=100%'];
