// Boots the text runtime: the models that are configured, the socket for text turns, and the ops listener.
import { setTimeout as delay } from 'node:timers/promises';
import { environmentOfProcess } from '@parlance/config';
import { Platform, textTurnHandler } from '@parlance/conversation';
import { configuredModels } from '@parlance/conversation/models';
import { drainDelayOf, listen } from '@parlance/http';
import { modelEgress, readModelsFile } from '@parlance/models';
import { createLogger, Readiness, type RunningService } from '@parlance/observability';
import { openOps } from '@parlance/ops-listener';
import type { Env } from './env.js';

/** The platform ends a text turn after 90 seconds. */
const finishWithinMs = 90_000;
const partsLimitMs = 5_000;

export interface TextRuntime extends RunningService {
  /** Scheme, host and port of the text turns. */
  readonly url: string;
}

/** Resolves when it serves. @throws StartRefusal when the file of models is not readable or not valid */
export const start = async (env: Env): Promise<TextRuntime> => {
  const logger = createLogger({ service: 'text-runtime', level: env.LOG_LEVEL });
  const file = await readModelsFile(env.MODELS_FILE);
  const ops = await openOps({ service: 'text-runtime', env, logger });
  const egress = modelEgress(env, file);
  const modelFor = configuredModels({
    // The operator's file names variables of its own.
    env: { ...environmentOfProcess(), ...env },
    file,
    egress,
    contextTokens: env.LLM_CONTEXT_TOKENS,
  });
  const internalKey = env.INTERNAL_API_KEY.reveal();
  const server = await listen(env.TEXT_RUNTIME_HOST, env.TEXT_RUNTIME_PORT, { finishWithinMs }).catch(
    async (error: unknown) => {
      await ops.stop();
      throw error;
    },
  );
  server.serve(
    textTurnHandler({
      platform: new Platform({ url: env.PLATFORM_URL.replace(/\/+$/, ''), internalKey }),
      internalKey,
      log: logger,
      modelFor,
      mostAtOnce: env.TEXT_ANSWERS_AT_ONCE,
    }),
  );
  const readiness = new Readiness(logger);
  ops.started(() => readiness.report());
  logger.info({ url: server.url }, 'text runtime serves text turns');
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    server.drain();
    await delay(drainDelayOf(env));
    await server.close();
    await egress.close();
    await ops.stop();
  };
  return {
    name: 'text-runtime',
    url: server.url,
    stopLimitMs: drainDelayOf(env) + finishWithinMs + partsLimitMs,
    stop: () => {
      stopping ??= stop();
      return stopping;
    },
  };
};
