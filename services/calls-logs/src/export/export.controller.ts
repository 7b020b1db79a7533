// The operation that answers the call log as a file.
import { Controller } from '@nestjs/common';
import type { contract, StreamEvent } from '@parlance/contracts';
import { ExportTurns } from '@parlance/csv';
import { Serves, type StreamRequest } from '@parlance/rpc';
import { CallPages } from '../calls/call-pages.js';
import { Parts } from '../parts.js';
import { exportCalls } from './export-calls.js';

type Export = (typeof contract)['callsExport'];

@Controller()
@Serves()
export class ExportController {
  readonly #pages: CallPages;
  readonly #turns = new ExportTurns();

  constructor(parts: Parts) {
    this.#pages = new CallPages(parts);
  }

  async 'calls.export'({
    query: filter,
    caller: { organizationId },
    signal,
  }: StreamRequest<Export>): Promise<AsyncIterable<StreamEvent<Export>>> {
    return this.#turns.take(organizationId, signal, () =>
      exportCalls({ pages: this.#pages, organizationId, filter, signal }),
    );
  }
}
