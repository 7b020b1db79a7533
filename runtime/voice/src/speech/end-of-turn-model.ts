// A model that hears whether a turn is over, at the local speech service. Other servers of the OpenAI protocol have none.
import { type Audio, waveFile } from './audio.js';

export interface EndOfTurn {
  /** How sure it is that the turn is over, from 0 to 1; undefined when it does not answer in time. Never rejects. */
  estimate(turn: Audio, signal: AbortSignal): Promise<number | undefined>;
}

export interface EndOfTurnServer {
  /** Address up to `/v1`. */
  readonly url: string;
  readonly key: string | undefined;
}

/** A later answer changes nothing: the words are there, and so is the rule about silence. */
const withinMs = 600;
const missing = 404;

export const endOfTurnAt = ({ url, key }: EndOfTurnServer): EndOfTurn => {
  let isThere = true;
  const ask = async (turn: Audio, signal: AbortSignal): Promise<number | undefined> => {
    const response = await fetch(`${url}/audio/turns`, {
      method: 'POST',
      headers: { 'content-type': 'audio/wav', ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: waveFile(turn),
      signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]),
    });
    if (response.status === missing) isThere = false;
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const { finished } = (await response.json()) as { readonly finished?: unknown };
    return typeof finished === 'number' && finished >= 0 && finished <= 1 ? finished : undefined;
  };
  return {
    estimate: async (turn, signal) => (isThere ? ask(turn, signal).catch(() => undefined) : undefined),
  };
};
