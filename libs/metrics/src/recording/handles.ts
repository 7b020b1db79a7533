// Handles by which code records. A handle is made once, when a module loads, and finds the meter when it is used. Without a
// meter provider the handle does nothing; it begins to record when one is set.
import {
  context as activeContext,
  type Context,
  createNoopMeter,
  type Meter,
  type MeterProvider,
  metrics,
} from '@opentelemetry/api';
import { type InstrumentDefinition, setsOf } from '../catalogue/definition.js';
import { BoundedLabels, type Labels } from './bounded-labels.js';
import { noteExemplar } from './exemplars.js';

const nothing = createNoopMeter().constructor;

const meterOf = (provider: MeterProvider): Meter | undefined => {
  const meter = provider.getMeter('parlance');
  return meter.constructor === nothing ? undefined : meter;
};

/** True when a reader takes the measurements. */
export const isMeasuring = (): boolean => meterOf(metrics.getMeterProvider()) !== undefined;

/** An instrument of the provider that is set now; made again after another one is set. */
class Current<I> {
  readonly #make: (meter: Meter) => I;
  #provider: MeterProvider | undefined;
  #instrument: I | undefined;

  constructor(make: (meter: Meter) => I) {
    this.#make = make;
  }

  get(): I | undefined {
    const provider = metrics.getMeterProvider();
    if (provider !== this.#provider) {
      this.#provider = provider;
      const meter = meterOf(provider);
      this.#instrument = meter === undefined ? undefined : this.#make(meter);
    }
    return this.#instrument;
  }
}

const optionsOf = ({ unit, about }: InstrumentDefinition) => ({ unit, description: about });

export interface Counter<T extends InstrumentDefinition> {
  add(labels: Labels<T>, value?: number): void;
}

/** A number that only grows, or, for an `upDownCounter`, one that goes both ways. */
export const counter = <T extends InstrumentDefinition & { kind: 'counter' | 'upDownCounter' }>(
  row: T,
): Counter<T> => {
  const bounded = new BoundedLabels(row);
  const current = new Current((meter) =>
    row.kind === 'counter'
      ? meter.createCounter(row.name, optionsOf(row))
      : meter.createUpDownCounter(row.name, optionsOf(row)),
  );
  return { add: (labels, value = 1) => current.get()?.add(value, bounded.attributes(labels)) };
};

export interface Histogram<T extends InstrumentDefinition> {
  /** @param context whose trace becomes the exemplar; that of the work at hand by default */
  record(value: number, labels: Labels<T>, context?: Context): void;
}

export const histogram = <
  T extends InstrumentDefinition & { kind: 'histogram'; boundaries: readonly number[] },
>(
  row: T,
): Histogram<T> => {
  const { name, boundaries } = row;
  const mostSets = setsOf(row);
  const bounded = new BoundedLabels(row);
  const current = new Current((meter) =>
    meter.createHistogram(name, {
      ...optionsOf(row),
      advice: { explicitBucketBoundaries: [...boundaries] },
    }),
  );
  return {
    record: (value, labels, context = activeContext.active()) => {
      const instrument = current.get();
      if (instrument === undefined) return;
      const attributes = bounded.attributes(labels);
      instrument.record(value, attributes, context);
      noteExemplar({ name, boundaries, mostSets, value, attributes }, context);
    },
  };
};

/** One value of a gauge and its labels. */
export type Reading<T extends InstrumentDefinition> = readonly [value: number, labels: Labels<T>];

/**
 * Reads a gauge at each collection. A read that fails or takes too long leaves the gauge out of that collection.
 * @returns a function that ends it
 */
export const observe = <T extends InstrumentDefinition & { kind: 'gauge' }>(
  row: T,
  read: () => readonly Reading<T>[] | Promise<readonly Reading<T>[]>,
): (() => void) => {
  const meter = meterOf(metrics.getMeterProvider());
  if (meter === undefined) return () => undefined;
  const bounded = new BoundedLabels(row);
  const gauge = meter.createObservableGauge(row.name, optionsOf(row));
  const callback: Parameters<typeof gauge.addCallback>[0] = async (result) => {
    for (const [value, labels] of await read()) result.observe(value, bounded.attributes(labels));
  };
  gauge.addCallback(callback);
  return () => gauge.removeCallback(callback);
};
