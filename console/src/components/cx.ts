/** Joins the names of classes. A name that is false or undefined is left out. */
export const cx = (...names: readonly (string | false | undefined)[]): string =>
  names.filter((name): name is string => typeof name === 'string' && name !== '').join(' ');
