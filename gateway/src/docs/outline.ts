/**
 * JSON of a large generated document: the fields down to a depth begin lines of their own, and what is deeper stands on one line. A
 * change of one operation is a change of one line.
 * @param value plain data
 */
export const outline = (value: object, depth: number): string => {
  if (depth === 0 || Array.isArray(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const text =
      typeof field === 'object' && field !== null ? outline(field, depth - 1) : JSON.stringify(field);
    return `${JSON.stringify(name)}: ${text}`;
  });
  return fields.length === 0 ? '{}' : `{\n${fields.join(',\n')}\n}`;
};
