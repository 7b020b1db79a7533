// The operation that answers the call log as a file.
import { Controller } from '@nestjs/common';
import type { contract, StreamEvent } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { Serves, type StreamRequest } from '@parlance/rpc';
import { CallPages } from '../calls/call-pages.js';
import { Parts } from '../parts.js';
import { exportCalls } from './export-calls.js';

type Export = (typeof contract)['callsExport'];
type Piece = StreamEvent<Export>;

const retryAfterSeconds = 10;

@Controller()
@Serves()
export class ExportController {
  readonly #pages: CallPages;
  /** Organizations with an export in progress in this process. */
  readonly #running = new Map<string, object>();

  constructor(parts: Parts) {
    this.#pages = new CallPages(parts);
  }

  async 'calls.export'({
    query: filter,
    caller: { organizationId },
    signal,
  }: StreamRequest<Export>): Promise<AsyncIterable<Piece>> {
    if (this.#running.has(organizationId)) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const turn = {};
    this.#running.set(organizationId, turn);
    const leave = (): void => {
      if (this.#running.get(organizationId) === turn) this.#running.delete(organizationId);
    };
    // A reader that leaves before the first piece never ends the generator, so the signal frees the organization's
    // turn.
    signal.addEventListener('abort', leave, { once: true });
    return leaving(exportCalls({ pages: this.#pages, organizationId, filter, signal }), leave);
  }
}

async function* leaving(pieces: AsyncIterable<Piece>, leave: () => void): AsyncGenerator<Piece> {
  try {
    yield* pieces;
  } finally {
    leave();
  }
}
