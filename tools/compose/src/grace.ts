// The seconds between the order to leave and the end by force, for each process. The contract decides how long the process
// may take, so no file names a number of its own.
import { type AnsweringProcess, releasedServices, stopLimitMsOf } from '@parlance/contracts';
import { drainDelayOf } from '@parlance/http';
import { z } from 'zod';
import type { Process } from './processes.js';

/** A process writes its telemetry last, in 2 s at most. The rest is to spare. */
const spareMs = 5_000;

const isAnswering = (name: string): name is AnsweringProcess =>
  name === 'mcp-facade' || releasedServices.some((service) => service === name);

const defaultOf = (schema: unknown): number =>
  schema instanceof z.ZodType ? z.number().parse(schema.parse(undefined)) : 0;

/** The time for which it serves on before it stops listening. */
const drainMs = ({ env }: Process): number =>
  'DRAIN_DELAY_MS' in env.shape ? drainDelayOf({ NODE_ENV: 'production' }) : 0;

/** Phones that ring are waited for after the last answer. */
const dialsMs = ({ env: { shape } }: Process): number => defaultOf(shape.DIALS_FINISH_WITHIN_SECONDS) * 1_000;

/** An upper bound: a process without work leaves at once. */
export const graceSecondsOf = (process: Process): number => {
  const { name } = process;
  if (!isAnswering(name)) return 0;
  return Math.ceil((drainMs(process) + stopLimitMsOf(name) + dialsMs(process) + spareMs) / 1_000);
};
