/** The first sentence in an error of a field. In a list or an object, the sentence may stand at one of the parts. */
export const messageIn = (error: unknown): string | undefined => {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message;
  // Another property than these is an element of the page, or the type of the error.
  const parts = Object.entries(error).filter(([name]) => name !== 'ref' && name !== 'type');
  return parts.map(([, part]) => messageIn(part)).find((message) => message !== undefined);
};
