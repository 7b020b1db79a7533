// Which of two versions is older.

const numbersIn = (version: string): readonly number[] =>
  (/\d+(\.\d+)*/.exec(version)?.[0] ?? '').split('.').filter(Boolean).map(Number);

/** True where both are versions and the first is the older one. A version that a program does not tell is not judged. */
export const isOlder = (version: string, than: string): boolean => {
  const [mine, theirs] = [numbersIn(version), numbersIn(than)];
  if (mine.length === 0) return false;
  const differing = theirs.findIndex((number, place) => (mine[place] ?? 0) !== number);
  return differing >= 0 && (mine[differing] ?? 0) < (theirs[differing] ?? 0);
};
