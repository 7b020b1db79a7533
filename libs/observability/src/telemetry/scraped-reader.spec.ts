import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AggregationTemporality, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics';
import { scrapedReader, unaskedMs } from './scraped-reader.js';

/** Collects when it is told to, as the reader does that sends each minute. */
class SendingReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Objects that something holds on to. */
const heldBy = (root: object): number => {
  const seen = new Set<object>([root]);
  for (const held of seen) {
    const values = held instanceof Map ? [...held.entries()].flat() : Object.values(held);
    for (const value of values) if (typeof value === 'object' && value !== null) seen.add(value);
  }
  return seen.size;
};

const everyMinute = 60_000;
const setup = () => {
  const scraped = scrapedReader({ MetricReader }, () => AggregationTemporality.CUMULATIVE);
  const sending = new SendingReader();
  const provider = new MeterProvider({
    readers: [scraped, sending],
    // An instrument with a view of its own is kept once for both readers, and not once for each.
    views: [{ instrumentName: 'test.answers', aggregationCardinalityLimit: 150 }],
  });
  const answers = provider.getMeter('test').createCounter('test.answers');
  const sendFor = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      answers.add(1, { status: '200' });
      await jest.advanceTimersByTimeAsync(everyMinute);
      await sending.collect();
    }
  };
  return { scraped, provider, sendFor };
};

const countsOf = async (reader: MetricReader): Promise<readonly unknown[]> =>
  (await reader.collect()).resourceMetrics.scopeMetrics.flatMap(({ metrics }) =>
    metrics.flatMap(({ dataPoints }) => dataPoints.map(({ value }) => value)),
  );

describe('metrics that are sent each minute', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('take no more memory after a day than after an hour, although no scraper asks', async () => {
    const { provider, sendFor } = setup();
    await sendFor(60);
    const afterAnHour = heldBy(provider);
    await sendFor(23 * 60);
    expect(heldBy(provider)).toBeLessThan(afterAnHour * 1.2);
    await provider.shutdown();
  });

  it('are counted from the beginning for a scraper that asks after hours', async () => {
    const { scraped, provider, sendFor } = setup();
    await sendFor(180);
    expect(await countsOf(scraped)).toEqual([180]);
    await provider.shutdown();
  });

  it('are not collected once more while a scraper asks', async () => {
    const { scraped, provider } = setup();
    const collect = jest.spyOn(scraped, 'collect');
    for (let minute = 0; minute < 30; minute += 1) {
      await scraped.collect();
      await jest.advanceTimersByTimeAsync(everyMinute);
    }
    expect(collect).toHaveBeenCalledTimes(30);
    await jest.advanceTimersByTimeAsync(unaskedMs);
    expect(collect).toHaveBeenCalledTimes(31);
    await provider.shutdown();
    expect(jest.getTimerCount()).toBe(0);
  });
});
