// Expressions of Helm inside objects: written as marked text, and bare in the file.
import { generatedLine, yamlOf } from '../yaml.js';

const mark = '%%';

/** A part of an object that Helm fills in. It is text wherever it stands, because the object is never read otherwise. */
export const expression = (template: string): string => `${mark}{{ ${template} }}${mark}`;

const marked = new RegExp(`["']?${mark}(.*?)${mark}["']?`, 'g');

/** Objects as a template; quotes that YAML needed inside an expression are taken back. */
export const templateOf = (objects: readonly object[]): string =>
  generatedLine +
  objects
    .map((object) =>
      yamlOf(object).replaceAll(marked, (_, inner: string) =>
        inner.replaceAll('\\"', '"').replaceAll("''", "'"),
      ),
    )
    .join('---\n');
