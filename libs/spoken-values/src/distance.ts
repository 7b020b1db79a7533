/** Levenshtein distance of two words. */
export const distance = (one: string, other: string): number => {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const current = [row + 1];
    for (const [column, second] of [...other].entries())
      current.push(
        Math.min(
          (previous[column] ?? 0) + (letter === second ? 0 : 1),
          (previous[column + 1] ?? 0) + 1,
          (current[column] ?? 0) + 1,
        ),
      );
    previous = current;
  }
  return previous[other.length] ?? 0;
};
