// The places in a document that an update's paths name: dotted, by array index, `$`, `$[]` and `$[id]`.
import type { Document } from 'bson';
import { CommandError } from './errors.js';
import { compileFilter, type Predicate } from './match.js';
import { isDocument } from './values.js';

/** One update statement: the change to a document that matched `filter`. */
export interface Update {
  readonly filter: Document;
  readonly change: Document | Document[];
  readonly arrayFilters?: Document[];
}

type Container = Document | unknown[];
/** One place in a document, which need not hold anything yet. */
export type Slot = { readonly holder: Container; readonly key: string };

/** The value at the place; undefined if there is none. */
export function get({ holder, key }: Slot): unknown {
  return Array.isArray(holder) ? holder[Number(key)] : Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Puts a value there. */
export function put({ holder, key }: Slot, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  // Assigning __proto__ would change the document's prototype.
  else if (key === '__proto__') Object.defineProperty(holder, key, { value, enumerable: true });
  else holder[key] = value;
}

/** Finds the places for one update statement. */
export class PathWalker {
  private readonly filters = new Map<string, Predicate>();

  constructor(private readonly update: Update) {
    for (const filter of update.arrayFilters ?? []) {
      const [id = ''] = (Object.keys(filter)[0] ?? '').split('.');
      this.filters.set(id, compileFilter(filter));
    }
  }

  /** Calls `visit` for every place a path with `$`, `$[]` and `$[id]` names. */
  each(doc: Document, path: string, creates: boolean, visit: (slot: Slot) => void): void {
    if (path !== '' && !path.includes('.')) visit({ holder: doc, key: path });
    else this.step(doc, path.split('.'), 0, creates, visit);
  }

  private step(
    node: unknown,
    parts: string[],
    at: number,
    creates: boolean,
    visit: (slot: Slot) => void,
  ): void {
    const part = parts[at] ?? '';
    if (part === '')
      throw new CommandError(56, `The update path '${parts.join('.')}' contains an empty field name`);
    const positional = part.startsWith('$[');
    if (positional) {
      if (!Array.isArray(node)) throw this.notAnArray(parts, at);
      const matches = this.elementFilter(part);
      for (const [i, item] of node.entries()) {
        if (matches(item)) this.enter({ holder: node, key: String(i) }, parts, at, creates, visit);
      }
      return;
    }
    const holder = Array.isArray(node) || isDocument(node) ? node : undefined;
    const key = part === '$' ? this.position(node, parts.slice(0, at).join('.')) : part;
    if (holder === undefined || (Array.isArray(holder) && !/^\d+$/.test(key))) {
      if (!creates) return;
      throw new CommandError(
        28,
        `Cannot create field '${part}' in element at '${parts.slice(0, at).join('.')}'`,
      );
    }
    if (Array.isArray(holder) && creates) {
      if (Number(key) > 1_500_000) throw new CommandError(2, 'cannot backfill that many array elements');
      while (holder.length < Number(key)) holder.push(null);
    }
    this.enter({ holder, key }, parts, at, creates, visit);
  }

  private enter(
    slot: Slot,
    parts: string[],
    at: number,
    creates: boolean,
    visit: (slot: Slot) => void,
  ): void {
    if (at === parts.length - 1) {
      visit(slot);
      return;
    }
    if (get(slot) === undefined) {
      if (!creates) return;
      if (parts[at + 1]?.startsWith('$')) throw this.notAnArray(parts, at + 1);
      put(slot, {});
    }
    this.step(get(slot), parts, at + 1, creates, visit);
  }

  private elementFilter(part: string): (item: unknown) => boolean {
    const id = part.slice(2, -1);
    if (id === '') return () => true;
    const matches = this.filters.get(id);
    if (matches === undefined) throw new CommandError(2, `No array filter found for identifier '${id}'`);
    return (item) => matches({ [id]: item });
  }

  /** The index of the first element that made the query match. */
  private position(node: unknown, path: string): string {
    const name = Object.keys(this.update.filter).find((key) => key === path || key.startsWith(`${path}.`));
    if (name !== undefined && Array.isArray(node)) {
      const matches = compileFilter({ [`v${name.slice(path.length)}`]: this.update.filter[name] });
      const index = node.findIndex((item) => matches({ v: [item] }));
      if (index >= 0) return String(index);
    }
    throw new CommandError(2, 'The positional operator did not find the match needed from the query.');
  }

  private notAnArray(parts: string[], at: number): CommandError {
    const path = parts.slice(0, at).join('.');
    return new CommandError(
      2,
      `The path '${path}' must exist in the document in order to apply array updates.`,
    );
  }
}
