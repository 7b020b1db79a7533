// The reader that the ops listener asks. The SDK keeps one entry for each collection of another reader until this one
// collects too. So a reader that is not asked collects by itself, and the memory of a process without a scraper stays small.
import type * as SdkMetrics from '@opentelemetry/sdk-metrics';

/** A scraper asks several times a minute; without one, the SDK keeps about ten entries at the usual interval of sending. */
export const unaskedMs = 10 * 60_000;

/** A gauge that takes longer to read is left out of a collection. */
export const readLimitMs = 2_000;

export const scrapedReader = (
  { MetricReader }: Pick<typeof SdkMetrics, 'MetricReader'>,
  aggregationTemporalitySelector: SdkMetrics.AggregationTemporalitySelector,
): SdkMetrics.MetricReader => {
  class ScrapedReader extends MetricReader {
    #unasked: NodeJS.Timeout | undefined;

    constructor() {
      super({ aggregationTemporalitySelector });
    }

    override async collect(...options: Parameters<SdkMetrics.MetricReader['collect']>) {
      const collected = await super.collect(...options);
      this.#unasked?.refresh();
      return collected;
    }

    protected override onInitialized(): void {
      // Counts are kept for the next scrape, because they are cumulative.
      const collect = (): void => void this.collect({ timeoutMillis: readLimitMs }).catch(() => undefined);
      this.#unasked = setInterval(collect, unaskedMs);
      this.#unasked.unref();
    }

    protected override async onForceFlush(): Promise<void> {}

    protected override async onShutdown(): Promise<void> {
      clearInterval(this.#unasked);
      this.#unasked = undefined;
    }
  }
  return new ScrapedReader();
};
