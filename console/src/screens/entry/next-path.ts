// The page after the sign-in comes from the address bar, which anybody can write.

/**
 * A path of this console, or undefined. It is judged by the parser that follows it: browsers drop tabs and line breaks, so a pattern
 * would let `/\t/evil.example` through, which leads to another host.
 */
export const pathOfOurs = (value: unknown, origin: string): string | undefined => {
  if (typeof value !== 'string' || !value.startsWith('/') || !URL.canParse(value, origin)) return undefined;
  const { origin: target, pathname, search, hash } = new URL(value, origin);
  return target === origin ? `${pathname}${search}${hash}` : undefined;
};
