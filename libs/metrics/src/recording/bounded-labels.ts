// Turns the labels of a recording into attributes. A value outside its set becomes `other`: no id can become a label.
import type { Attributes } from '@opentelemetry/api';
import { type InstrumentDefinition, otherValue } from '../catalogue/definition.js';

/** Values of the labels of an instrument; an absent label is left out. */
export type Labels<T extends InstrumentDefinition> = {
  readonly [Name in keyof T['labels']]?: string | undefined;
};

/** Reads labels in the order of the definition. */
export class BoundedLabels<T extends InstrumentDefinition> {
  readonly #sets: readonly (readonly [string, ReadonlySet<string>])[];

  constructor({ labels }: T) {
    this.#sets = Object.entries(labels).map(([name, values]) => [name, new Set(values)]);
  }

  attributes(labels: Labels<T>): Attributes {
    const given: Readonly<Record<string, string | undefined>> = labels;
    const attributes: Attributes = {};
    for (const [name, values] of this.#sets) {
      const value = given[name];
      if (value !== undefined) attributes[name] = values.has(value) ? value : otherValue;
    }
    return attributes;
  }
}
