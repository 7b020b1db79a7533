// The shape of one row of the catalogue. A label takes one of a fixed set of values, so the number of series is known
// before anything is recorded.

/** The place of an instrument: the gateway, a service, or every process. */
export type Place = 'gateway' | 'service' | 'every';

export type Kind = 'counter' | 'upDownCounter' | 'histogram' | 'gauge';

/** The values of each label, by the label's name. A value outside the set is recorded as `other`. */
export type LabelSets = Readonly<Record<string, readonly string[]>>;

export interface InstrumentDefinition {
  /** The name by the semantic conventions of OpenTelemetry where they have one, otherwise under `parlance.`. */
  readonly name: string;
  readonly kind: Kind;
  /** UCUM: `s`, `By`, `1`, or the counted thing in braces, such as `{request}`. */
  readonly unit: string;
  readonly about: string;
  readonly place: Place;
  readonly labels: LabelSets;
  /** Upper bounds of the buckets of a histogram, in its unit. */
  readonly boundaries?: readonly number[];
  /** Most sets of labels that one process keeps, where the product of the label sets is larger. The rest is one set. */
  readonly mostSets?: number;
  /** A library records it, and not code of this repository. */
  readonly library?: string;
}

/** Declares a row; `const` keeps the names of labels, which the handles check. */
export const instrument = <const T extends InstrumentDefinition>(row: T): T => Object.freeze(row);

/** Stands for each value outside the set of its label. */
export const otherValue = 'other';

/** Sets of labels that an instrument may have in one process. A label may be absent, or `other`. */
export const setsOf = ({ labels, mostSets }: InstrumentDefinition): number => {
  const product = Object.values(labels).reduce((sets, values) => sets * (values.length + 2), 1);
  return Math.min(product, mostSets ?? Number.POSITIVE_INFINITY);
};

/** Lines of the Prometheus text for one set: a histogram has its buckets, the last without bound, a sum and a count. */
export const seriesPerSet = ({ boundaries }: InstrumentDefinition): number =>
  boundaries === undefined ? 1 : boundaries.length + 3;

/** Most series of an instrument in one process. */
export const mostSeriesOf = (row: InstrumentDefinition): number => setsOf(row) * seriesPerSet(row);
