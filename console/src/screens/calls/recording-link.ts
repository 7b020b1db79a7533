// The link of a recording, which ends after some minutes.
import type { CallLog } from '@parlance/client';
import { now } from '../../data/clock.js';

/** A new link is asked for so long before the end of the one that plays. */
export const aheadMs = 30_000;

export interface Link {
  readonly url: string;
  /** By the platform's clock. */
  readonly endsAt: number;
}

export const linkIn = ({
  url,
  urlExpiresAt,
}: Pick<CallLog['recording'], 'url' | 'urlExpiresAt'>): Link | undefined =>
  url === null || urlExpiresAt === null ? undefined : { url, endsAt: Date.parse(urlExpiresAt) };

/** Milliseconds until a new link is asked for. */
export const msLeftOf = ({ endsAt }: Link): number => Math.max(0, endsAt - aheadMs - now());
