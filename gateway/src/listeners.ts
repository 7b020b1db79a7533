// The sockets of the gateway: one for all clients, and one for the voice runtime where the operator wants it.
import { longestWorkMs } from '@parlance/contracts';
import { type HttpServer, listen } from '@parlance/http';
import type { Env } from './environment/env.js';

/** The sockets that the gateway listens on. */
export interface Listeners {
  readonly open: HttpServer;
  /** For the voice runtime alone. */
  readonly runtime: HttpServer | undefined;
}

export const listenersOf = ({ open, runtime }: Listeners): readonly HttpServer[] =>
  runtime === undefined ? [open] : [open, runtime];

/** Binds every port before anything else is started. */
export const bind = async (
  env: Pick<Env, 'HOST' | 'PORT' | 'INTERNAL_HOST' | 'INTERNAL_PORT'>,
): Promise<Listeners> => {
  const options = { finishWithinMs: longestWorkMs('gateway') };
  const open = await listen(env.HOST, env.PORT, options);
  try {
    const runtime =
      env.INTERNAL_PORT === undefined
        ? undefined
        : await listen(env.INTERNAL_HOST, env.INTERNAL_PORT, options);
    return { open, runtime };
  } catch (error) {
    await open.close();
    throw error;
  }
};

export const closeAll = async (listeners: Listeners): Promise<void> => {
  await Promise.all(listenersOf(listeners).map((server) => server.close()));
};
