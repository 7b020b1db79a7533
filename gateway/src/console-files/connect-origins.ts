// The origins beside our own that the console may ask: where agents are tried, and where files are uploaded to.
import type { Env } from '../environment/env.js';

/** Scheme and host; `new URL().origin` knows none for WebSockets. */
const originOf = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** Browsers ask a media server by WebSocket, and by HTTP for the reason of a refusal. */
const mediaOrigins = (url: string): readonly string[] => {
  const origin = originOf(url);
  return [origin, origin.replace(/^ws/, 'http')];
};

export const consoleOriginsOf = (
  env: Pick<Env, 'LIVEKIT_WS_URL' | 'OBJECT_STORAGE_PUBLIC_URL' | 'CONSOLE_CONNECT_ORIGINS'>,
): readonly string[] => {
  const storage = env.OBJECT_STORAGE_PUBLIC_URL;
  return [
    ...new Set([
      ...mediaOrigins(env.LIVEKIT_WS_URL),
      ...(storage === undefined ? [] : [originOf(storage)]),
      ...env.CONSOLE_CONNECT_ORIGINS,
    ]),
  ];
};
