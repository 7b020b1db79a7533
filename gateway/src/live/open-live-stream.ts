// Opens the stream of live events for one request, and knows whether the request would still be let in.
import { AppError, errorCodes } from '@parlance/errors';
import type { Request } from 'express';
import type { Access, Authorize } from '../auth/access.js';
import type { LiveStream } from './live-stream.js';
import type { LiveStreams } from './live-streams.js';

export interface StreamRequest {
  readonly request: Request;
  readonly access: Access;
  readonly authorize: Authorize;
  readonly query: Readonly<Record<string, unknown>>;
}

const longestId = 200;

/** The facts that decide about the events of a reader. */
const standing = ({ caller: { organizationId, actor, role, permissions } }: Access): string =>
  JSON.stringify([organizationId, actor, role, [...permissions].sort()]);

/** A database that is away says nothing about a credential: the next look decides. */
const isNoVerdict = (error: unknown): boolean =>
  !(error instanceof AppError) || (errorCodes[error.code].status >= 500 && error.code !== 'INTERNAL_ERROR');

export const openLiveStream =
  (streams: LiveStreams) =>
  ({ request, access, authorize, query }: StreamRequest): LiveStream => {
    const before = standing(access);
    const header = request.headers['last-event-id'];
    const asked = typeof header === 'string' && header !== '' ? header : query.after;
    return streams.open({
      access,
      after: typeof asked === 'string' ? asked.slice(0, longestId) : undefined,
      isStillGood: async () => {
        try {
          return standing(await authorize(request)) === before;
        } catch (error) {
          return isNoVerdict(error);
        }
      },
    });
  };
