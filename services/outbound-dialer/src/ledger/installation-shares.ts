// How a limit of the installation is shared out among its stripes. A reservation looks at its own stripe only, so that it waits
// for few others; the shares add up to the limit, so that all stripes together stay within it.

/** Organizations are spread over so many stripes; `installation_stripe` of the database says which has one. */
export const stripeCount = 16;

/**
 * The shares of all stripes.
 * @param used what each stripe uses
 * @param favoured the stripe that wants more; it gets what it wants first, and half of what is left then
 */
export const shareOut = (
  limit: number,
  used: readonly number[],
  { favoured, wanted }: { readonly favoured: number; readonly wanted: number },
): readonly number[] => {
  const free = limit - used.reduce((sum, one) => sum + one, 0);
  // A limit below the present use takes nothing back, and grants nothing.
  if (free <= 0) return used;
  const first = Math.min(free, wanted);
  const others = Math.floor((free - first) / 2 / Math.max(1, used.length - 1));
  const own = free - others * (used.length - 1);
  return used.map((one, stripe) => one + (stripe === favoured ? own : others));
};
