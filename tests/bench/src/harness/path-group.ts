/** Segments with a digit are ids, apart from versions. */
const isId = (segment: string): boolean => /\d/.test(segment) && !/^v\d+$/.test(segment);

const longest = 4;

/** The path of a request without its ids and its query: `/api/v1/calls/1f…/progress?x=1` is `/api/v1/calls/progress`. */
export const pathGroup = (url: string): string => {
  const [path = ''] = url.split('?');
  const named = path.split('/').filter((segment) => segment !== '' && !isId(segment));
  return `/${named.slice(0, longest).join('/')}`;
};
