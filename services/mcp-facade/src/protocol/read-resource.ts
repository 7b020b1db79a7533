// Reading a resource: one operation asked of the gateway, its answer as JSON.

import { type ReadResourceResult, ResourceNotFoundError } from '@modelcontextprotocol/server';
import { AppError } from '@parlance/errors';
import { stringifyJson } from '@parlance/json';
import { mimeType, nextPageAt, requestAt } from '../fold/resources.js';
import { protocolError } from './refusals.js';
import type { Session } from './session.js';

/** @throws ProtocolError for an address of nothing, and as the gateway refuses */
export const readResource = async (
  { gateway, requestId }: Session,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> => {
  try {
    const request = requestAt(uri);
    if (request === undefined) throw new ResourceNotFoundError(uri);
    const { data, message, nextCursor } = await gateway.call(request.resource.row, request.parts, { signal });
    const next = nextCursor === undefined ? {} : { nextCursor, next: nextPageAt(uri, nextCursor) };
    return { contents: [{ uri, mimeType, text: stringifyJson({ message, data, ...next }) }] };
  } catch (error) {
    if (error instanceof AppError) throw protocolError(error, requestId);
    throw error;
  }
};
