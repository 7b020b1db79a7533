// The operation that looks at a campaign's file before there is a campaign.
import { Controller } from '@nestjs/common';
import type { BatchPreview, contract } from '@parlance/contracts';
import { AppError } from '@parlance/errors';
import { type RpcRequest, Serves } from '@parlance/rpc';
import { Starts } from '../dispatch/starts.js';
import { previewFile } from './preview-file.js';
import { PreviewParts } from './preview-parts.js';

type PreviewBatch = (typeof contract)['outboundCallsPreviewBatch'];

/** Each reads in a thread of its own, with up to 150 MiB, beside the import of campaigns. */
const previewsAtOnce = 2;
/** Waiting and reading together; the gateway waits a little longer. */
const mostMs = 17_000;
const bounds = { rows: 100_000, ms: 6_000 };

@Controller()
@Serves()
export class PreviewController {
  readonly #turns = new Starts(previewsAtOnce);

  constructor(private readonly parts: PreviewParts) {}

  async 'outboundCalls.previewBatch'({
    body,
    caller: { organizationId },
    requestId,
  }: RpcRequest<PreviewBatch>): Promise<BatchPreview> {
    const signal = AbortSignal.timeout(mostMs);
    const leave = await this.#turns.enter();
    try {
      signal.throwIfAborted();
      return await previewFile(this.parts, body, { organizationId, requestId, signal, bounds });
    } catch (error) {
      if (signal.aborted && !(error instanceof AppError))
        throw new AppError('UPSTREAM_TIMEOUT', { cause: error });
      throw error;
    } finally {
      leave();
    }
  }
}
