// The variables of OpenTelemetry, before anything of the process has begun.
import { loadEnv, StartRefusal, type TelemetryEnv, telemetryEnv } from '@parlance/config';
import { z } from 'zod';
import { createLogger } from '../logging/logger.js';

/** Ends the process with one line in the log where a variable is wrong. */
export const telemetryVariables = (): TelemetryEnv => {
  try {
    return loadEnv(z.object(telemetryEnv));
  } catch (error) {
    if (!(error instanceof StartRefusal)) throw error;
    createLogger({ service: 'main' }).fatal({ reason: error.message }, 'could not start');
    return process.exit(1);
  }
};
