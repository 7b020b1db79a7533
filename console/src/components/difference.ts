// The difference of two texts, line by line: the longest common subsequence.

export interface DifferenceLine {
  readonly id: string;
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Lengths of the longest common subsequences of all pairs of endings. */
const lengthsOf = (a: readonly string[], b: readonly string[]): readonly Uint32Array[] => {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return lengths;
};

/** Lines of both texts in order; a changed line is one removed and one added. */
export const differenceOf = (before: string, after: string): readonly DifferenceLine[] => {
  const a = before.split('\n');
  const b = after.split('\n');
  const lengths = lengthsOf(a, b);
  const lines: DifferenceLine[] = [];
  let i = 0;
  let j = 0;
  const push = (kind: DifferenceLine['kind'], text: string): void => {
    lines.push({ id: `${i}:${j}:${kind}`, kind, text });
  };
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push('same', a[i] ?? '');
      i += 1;
      j += 1;
    } else if (i < a.length && (j >= b.length || (lengths[i + 1]?.[j] ?? 0) >= (lengths[i]?.[j + 1] ?? 0))) {
      push('removed', a[i] ?? '');
      i += 1;
    } else {
      push('added', b[j] ?? '');
      j += 1;
    }
  }
  return lines;
};
