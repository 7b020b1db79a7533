// The changes of a person alone are sent: somebody else may change another field of the same record meanwhile.

/** The fields of `after` that are others than in `before`. */
export const changedFields = <Fields extends object>(before: object, after: Fields): Partial<Fields> => {
  const present = before as Readonly<Record<string, unknown>>; // read by names of the other one
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(present[name]),
  );
  return Object.fromEntries(changed) as Partial<Fields>; // some of its fields
};
