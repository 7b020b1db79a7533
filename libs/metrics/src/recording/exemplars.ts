// The last traced measurement of each bucket of a histogram, so that a slow bucket leads to a trace. OpenTelemetry's
// SDK for Node keeps none. As many are kept as there are buckets, and none unless the process is scraped.
import { type Attributes, type Context, isSpanContextValid, TraceFlags, trace } from '@opentelemetry/api';

export interface Exemplar {
  readonly traceId: string;
  readonly spanId: string;
  readonly value: number;
  /** Epoch seconds. */
  readonly at: number;
}

/** The exemplars by name of the instrument, labels, and index of the bucket. */
const kept = new Map<string, Map<string, (Exemplar | undefined)[]>>();
let isKeeping = false;

/** Switched on by the process part that serves the Prometheus text. */
export const keepExemplars = (wanted: boolean): void => {
  isKeeping = wanted;
  if (!wanted) kept.clear();
};

/** The same for the attributes of a recording and for those of a data point. */
const keyOf = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}=${String(value)}`)
    .sort()
    .join(',');

interface Measurement {
  readonly name: string;
  readonly boundaries: readonly number[];
  readonly mostSets: number;
  readonly value: number;
  readonly attributes: Attributes;
}

/** Remembers a measurement of a sampled trace. */
export const noteExemplar = (
  { name, boundaries, mostSets, value, attributes }: Measurement,
  context: Context,
): void => {
  if (!isKeeping) return;
  const span = trace.getSpanContext(context);
  if (span === undefined || !isSpanContextValid(span) || (span.traceFlags & TraceFlags.SAMPLED) === 0) return;
  const ofInstrument = kept.get(name) ?? new Map<string, (Exemplar | undefined)[]>();
  kept.set(name, ofInstrument);
  const key = keyOf(attributes);
  const buckets = ofInstrument.get(key) ?? [];
  if (buckets.length === 0) {
    if (ofInstrument.size >= mostSets) return;
    ofInstrument.set(key, buckets);
  }
  const found = boundaries.findIndex((bound) => value <= bound);
  const bucket = found === -1 ? boundaries.length : found;
  buckets[bucket] = { traceId: span.traceId, spanId: span.spanId, value, at: Date.now() / 1_000 };
};

/** The exemplar of a bucket, counted from 0. */
export const exemplarOf = (name: string, attributes: Attributes, bucket: number): Exemplar | undefined =>
  kept.get(name)?.get(keyOf(attributes))?.[bucket];
