// The paths of the contract by their segments. The cost of a look-up depends on the path, and not on the number of operations.
interface Node<T> {
  readonly fixed: Map<string, Node<T>>;
  parameter: Node<T> | undefined;
  leaf: { readonly value: T; readonly names: readonly string[] } | undefined;
}

export interface FoundPath<T> {
  readonly value: T;
  /** As they are in the path, with their percent-encoding. */
  readonly params: Readonly<Record<string, string>>;
}

const newNode = <T>(): Node<T> => ({ fixed: new Map(), parameter: undefined, leaf: undefined });

const parameterName = (segment: string): string | undefined => /^\{(\w+)\}$/.exec(segment)?.[1];

const childOf = <T>(node: Node<T>, segment: string): Node<T> => {
  if (parameterName(segment) !== undefined) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const child = node.fixed.get(segment) ?? newNode();
  node.fixed.set(segment, child);
  return child;
};

export class PathTree<T> {
  readonly #root: Node<T> = newNode();

  /** @param path of the contract, such as `/calls/{callId}` */
  add(path: string, value: T): void {
    const segments = path.slice(1).split('/');
    const node = segments.reduce(childOf<T>, this.#root);
    node.leaf = { value, names: segments.flatMap((segment) => parameterName(segment) ?? []) };
  }

  /** A fixed segment comes before a parameter, so /calls/live is not the call with the id "live". */
  find(path: string): FoundPath<T> | undefined {
    const values: string[] = [];
    const leaf = this.#descend(this.#root, path.slice(1).split('/'), 0, values);
    if (leaf === undefined) return undefined;
    const params: Record<string, string> = {};
    for (const [index, name] of leaf.names.entries()) params[name] = values[index] ?? '';
    return { value: leaf.value, params };
  }

  #descend(node: Node<T>, segments: readonly string[], at: number, values: string[]): Node<T>['leaf'] {
    const segment = segments[at];
    if (segment === undefined) return node.leaf;
    const fixed = node.fixed.get(segment);
    const found = fixed && this.#descend(fixed, segments, at + 1, values);
    if (found !== undefined || node.parameter === undefined || segment === '') return found;
    values.push(segment);
    const below = this.#descend(node.parameter, segments, at + 1, values);
    if (below === undefined) values.pop();
    return below;
  }
}
