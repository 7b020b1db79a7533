// What a person has changed, so that nothing else of the form travels: a field of the same form may be changed by somebody else meanwhile.

/** The fields of `after` that are others than in `before`. */
export const changedFields = <Fields extends object>(before: object, after: Fields): Partial<Fields> => {
  const present = before as Readonly<Record<string, unknown>>; // read by names of the other one
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present[name]),
  );
  return Object.fromEntries(changed) as Partial<Fields>; // some of its fields
};
